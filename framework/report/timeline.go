package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// The measures of a drawing, in the units of its viewBox.
const (
	drawingWidth = 1040.0
	gutter       = 172.0 // for the names of the nodes
	rightMargin  = 20.0
	laneHeight   = 22.0
	barHeight    = 18.0
	rowPadding   = 6.0
	flagHeight   = 20.0 // of one line of numbered flags
	flagWidth    = 18.0
	flagLines    = 4 // at most; beyond them flags may cover each other
	axisHeight   = 26.0
	letterWidth  = 6.3 // of a bar's label, on average
	nameLetters  = 24  // of a node's name that fit into the gutter
)

// drawing is a Timeline laid out: everything that the template has to put down.
type drawing struct {
	Width, Height float64
	// Left, Right, Top and Bottom bound the plot within the drawing.
	Left, Right, Top, Bottom float64
	Rows                     []drawnRow
	Ticks                    []drawnTick
	Flags                    []drawnFlag
	States                   []string
}

// drawnRow is a node; Hit marks the one that the first violation is about.
type drawnRow struct {
	Name, Short string
	Y, Height   float64
	Middle      float64
	Hit         bool
	Bars        []drawnBar
	Labels      []drawnLabel
}

type drawnBar struct {
	State               string
	X, Y, Width, Height float64
	Title               string
}

type drawnLabel struct {
	X, Y float64
	Text string
}

type drawnTick struct {
	X    float64
	Text string
}

// drawnFlag is an action or a violation: a line across the plot, with a number
// above it that the list below explains.
type drawnFlag struct {
	Kind  string // mark, violation, first
	Sign  string
	X, Y  float64
	After string
	Text  string
}

// draw lays a timeline out.
func draw(t *Timeline) *drawing {
	scale := scaleOf(t)
	flags, lines := drawFlags(t, scale)
	d := &drawing{
		Width: drawingWidth, Left: gutter, Right: drawingWidth - rightMargin,
		Top: float64(lines)*flagHeight + rowPadding, Flags: flags, States: statesOf(t),
	}
	d.Bottom = d.Top
	hit := firstViolation(t)
	for _, node := range nodesOf(t) {
		row := drawRow(node, barsOn(t, node), d.Bottom, scale)
		row.Hit = hit != nil && hit.Node != "" && hit.Node == node
		d.Rows = append(d.Rows, row)
		d.Bottom += row.Height
	}
	d.Height = d.Bottom + axisHeight
	d.Ticks = scale.ticks()
	return d
}

// scale turns instants into positions.
type scale struct{ from, to time.Time }

// scaleOf spans the timeline, and at least a second, for nothing can be drawn
// on no width.
func scaleOf(t *Timeline) scale {
	s := scale{t.From, t.To}
	if s.to.Sub(s.from) < time.Second {
		s.to = s.from.Add(time.Second)
	}
	return s
}

func (s scale) x(at time.Time) float64 {
	share := float64(at.Sub(s.from)) / float64(s.to.Sub(s.from))
	return tenth(gutter + min(max(share, 0), 1)*(drawingWidth-rightMargin-gutter))
}

func tenth(x float64) float64 { return math.Round(x*10) / 10 }

// after is an instant as the reader sees it, relative to the beginning.
func (s scale) after(at time.Time) string {
	return fmt.Sprintf("%+.1fs", at.Sub(s.from).Seconds())
}

// ticks returns five to ten instants at round distances.
func (s scale) ticks() []drawnTick {
	span := s.to.Sub(s.from).Seconds()
	step := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, factor := range []float64{5, 2} {
		if span/(step*factor) >= 5 {
			step *= factor
			break
		}
	}
	var ticks []drawnTick
	for i := 0; float64(i)*step <= span; i++ {
		after := float64(i) * step
		at := s.from.Add(time.Duration(after * float64(time.Second)))
		ticks = append(ticks, drawnTick{s.x(at), fmt.Sprintf("%gs", tenth(after))})
	}
	return ticks
}

// nodesOf returns the nodes by name; Pods without one come last.
func nodesOf(t *Timeline) []string {
	var nodes []string
	for _, bar := range t.Bars {
		if !slices.Contains(nodes, bar.Node) {
			nodes = append(nodes, bar.Node)
		}
	}
	slices.SortFunc(nodes, func(a, b string) int {
		return cmp.Or(cmp.Compare(sortsLast(a), sortsLast(b)), cmp.Compare(a, b))
	})
	return nodes
}

func sortsLast(node string) int {
	if node == "" {
		return 1
	}
	return 0
}

func barsOn(t *Timeline, node string) []Bar {
	return slices.DeleteFunc(slices.Clone(t.Bars), func(bar Bar) bool { return bar.Node != node })
}

// statesOf returns the states that occur, in the order of a Pod's life.
func statesOf(t *Timeline) []string {
	var states []string
	for _, state := range []string{"pending", "running", "ready", "terminating", "finished"} {
		if slices.ContainsFunc(t.Bars, func(bar Bar) bool { return bar.State == state }) {
			states = append(states, state)
		}
	}
	return states
}

// firstViolation returns the earliest one, or nil.
func firstViolation(t *Timeline) *Violation {
	if len(t.Violations) == 0 {
		return nil
	}
	first := slices.MinFunc(t.Violations, func(a, b Violation) int { return a.At.Compare(b.At) })
	return &first
}

func drawRow(node string, bars []Bar, top float64, s scale) drawnRow {
	row := drawnRow{Name: node, Y: top}
	if node == "" {
		row.Name = "(no node)"
	}
	row.Short = shortName(row.Name)
	lanes := lanesOf(bars)
	for _, pod := range lanes.pods {
		y := tenth(top + rowPadding + float64(pod.lane)*laneHeight)
		for _, bar := range pod.bars {
			row.Bars = append(row.Bars, drawBar(bar, y, s))
		}
		if label := labelOf(pod, s); label != "" {
			row.Labels = append(row.Labels, drawnLabel{s.x(pod.from) + 5, y + 13, label})
		}
	}
	row.Height = float64(lanes.count)*laneHeight + 2*rowPadding
	row.Middle = tenth(top + row.Height/2 + 4)
	return row
}

// shortName keeps both ends of a long name: nodes of a pool differ at the end.
func shortName(name string) string {
	letters := []rune(name)
	if len(letters) <= nameLetters {
		return name
	}
	return string(letters[:8]) + "…" + string(letters[len(letters)-nameLetters+9:])
}

func drawBar(bar Bar, y float64, s scale) drawnBar {
	x := s.x(bar.From)
	title := fmt.Sprintf("%s, %s", bar.Pod, bar.State)
	if bar.Version != "" {
		title = fmt.Sprintf("%s, version %s, %s", bar.Pod, bar.Version, bar.State)
	}
	return drawnBar{
		State: bar.State, X: x, Y: y, Height: barHeight,
		// A state that lasted an instant must still be seen.
		Width: max(tenth(s.x(bar.To)-x), 1.5),
		Title: fmt.Sprintf("%s from %s to %s", title, s.after(bar.From), s.after(bar.To)),
	}
}

// labelOf returns the longest label that fits on a Pod's bars.
func labelOf(pod podLane, s scale) string {
	room := s.x(pod.to) - s.x(pod.from) - 8
	labels := []string{pod.name, pod.version, ""}
	if pod.version != "" {
		labels[0] = pod.version + "  " + pod.name
	}
	for _, label := range labels {
		if float64(len([]rune(label)))*letterWidth <= room {
			return label
		}
	}
	return ""
}

// drawFlags returns the flags in their order in time, and on how many lines
// their numbers stand.
func drawFlags(t *Timeline, s scale) ([]drawnFlag, int) {
	var flags []drawnFlag
	for _, mark := range byTime(t.Marks, func(m Moment) time.Time { return m.At }) {
		flags = append(flags, drawnFlag{Kind: "mark", X: s.x(mark.At), After: s.after(mark.At), Text: mark.Text})
	}
	for i, v := range byTime(t.Violations, func(v Violation) time.Time { return v.At }) {
		kind := "violation"
		if i == 0 {
			kind = "first"
		}
		flags = append(flags, drawnFlag{Kind: kind, X: s.x(v.At), After: s.after(v.At), Text: violationText(v)})
	}
	slices.SortStableFunc(flags, func(a, b drawnFlag) int { return cmp.Compare(a.X, b.X) })
	return flags, placeFlags(flags)
}

func byTime[T any](of []T, at func(T) time.Time) []T {
	return slices.SortedStableFunc(slices.Values(of), func(a, b T) int { return at(a).Compare(at(b)) })
}

func violationText(v Violation) string {
	switch {
	case v.Pod != "" && v.Node != "":
		return fmt.Sprintf("%s (Pod %s on %s)", v.Message, v.Pod, v.Node)
	case v.Pod != "":
		return fmt.Sprintf("%s (Pod %s)", v.Message, v.Pod)
	case v.Node != "":
		return fmt.Sprintf("%s (on %s)", v.Message, v.Node)
	default:
		return v.Message
	}
}

// placeFlags numbers the flags and moves each one to the first line on which it
// covers no other, as long as there are lines. It returns how many there are.
func placeFlags(flags []drawnFlag) int {
	var ends []float64
	numbers := map[string]int{}
	for i := range flags {
		flag := &flags[i]
		flag.Sign = sign(flag.Kind, numbers)
		line := slices.IndexFunc(ends, func(end float64) bool { return end+flagWidth <= flag.X })
		if line < 0 && len(ends) < flagLines {
			ends = append(ends, 0)
		}
		if line < 0 {
			line = len(ends) - 1
		}
		ends[line] = flag.X
		flag.Y = float64(line)*flagHeight + flagHeight/2 + 2
	}
	return len(ends)
}

// sign is the next number of an action, or of a violation after an exclamation
// mark.
func sign(kind string, numbers map[string]int) string {
	prefix := "!"
	if kind == "mark" {
		prefix = ""
	}
	numbers[prefix]++
	return fmt.Sprintf("%s%d", prefix, numbers[prefix])
}

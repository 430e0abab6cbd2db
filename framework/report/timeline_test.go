package report

import (
	"testing"
)

func TestDrawing(t *testing.T) {
	d := draw(rollout())
	var names []string
	for _, row := range d.Rows {
		names = append(names, row.Name)
		if row.Hit != (row.Name == "rollcall-worker2") {
			t.Errorf("row %s: Hit is %t, and the first violation is on rollcall-worker2", row.Name, row.Hit)
		}
		inside(t, d, row)
	}
	if last := names[len(names)-1]; last != "(no node)" || len(names) != 5 {
		t.Errorf("want four nodes and then Pods without one, got %q", names)
	}
	for i, want := range []string{"1", "2", "3", "!1", "!2"} {
		if d.Flags[i].Sign != want {
			t.Errorf("flag %d is %s, want %s", i, d.Flags[i].Sign, want)
		}
	}
	if d.Flags[1].Y == d.Flags[2].Y {
		t.Error("two flags that are 0.2s apart cover each other")
	}
	if d.Flags[3].Kind != "first" || d.Flags[4].Kind != "violation" {
		t.Errorf("the first violation is not the earliest one: %+v", d.Flags[3:])
	}
}

func inside(t *testing.T, d *drawing, row drawnRow) {
	t.Helper()
	for _, bar := range row.Bars {
		if bar.X < d.Left || bar.X+bar.Width > d.Right+0.2 || bar.Y < row.Y || bar.Y+bar.Height > row.Y+row.Height {
			t.Errorf("a bar leaves its row %s: %+v", row.Name, bar)
		}
	}
}

func TestManyFlagsLeaveRoomForThePlot(t *testing.T) {
	line := rollout()
	for range 50 {
		line.Marks = append(line.Marks, line.Marks[0])
	}
	if d := draw(line); d.Top > (flagLines+1)*flagHeight {
		t.Errorf("%d flags take %g of the drawing", len(d.Flags), d.Top)
	}
}

func TestPodsAtTheSameTimeGetLanesOfTheirOwn(t *testing.T) {
	l := lanesOf(barsOn(rollout(), "rollcall-worker2"))
	if l.count != 2 {
		t.Errorf("the Pods overlap, and %d lanes were made", l.count)
	}
	if l := lanesOf(barsOn(rollout(), "rollcall-worker")); l.count != 1 {
		t.Errorf("one Pod follows the other, and %d lanes were made", l.count)
	}
}

func TestTicksAreRound(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0.2s", 3: "0.5s", 30: "5s", 134: "20s", 600: "100s"} {
		ticks := scaleOf(&Timeline{From: began, To: later(seconds)}).ticks()
		if len(ticks) < 5 || len(ticks) > 12 || ticks[1].Text != want {
			t.Errorf("%gs: want 5 to 12 ticks and %s, got %v", seconds, want, ticks)
		}
	}
}

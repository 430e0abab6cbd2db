package judge

import (
	"fmt"
	"strings"
	"time"

	"rollcall.dev/rollcall/framework/history"
)

// Violation is an instant at which a claim did not hold.
type Violation struct {
	At      time.Time
	Node    string
	Pod     string
	Message string
}

// Judge is a claim about a whole history.
type Judge struct {
	// Claim says what must hold, such as "at most 1 node is without an
	// available Pod".
	Claim string
	// Find returns every violation, oldest first.
	Find func(*history.History) []Violation
}

// Condition is a claim about one state.
type Condition struct {
	// Claim says what must hold, such as "a Ready Pod on each of 3 nodes".
	Claim string
	// Lacks says what is still missing; empty once the claim holds.
	Lacks func(*history.State) string
	// Breaks says what has gone wrong already, so that nobody need wait for the
	// rest; empty if nothing has, nil if nothing can.
	Breaks func(*history.State) string
}

// Always turns a condition into a claim about every state of a history.
func Always(condition Condition) Judge {
	return Judge{Claim: "at every instant, " + condition.Claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		for change, state := range h.States() {
			if lacks := condition.Lacks(state); lacks != "" {
				violations = append(violations, Violation{At: change.At, Message: lacks})
			}
		}
		return violations
	}}
}

// Of turns a claim about a whole history into one to wait for.
func (j Judge) Of(h *history.History) Condition {
	return Condition{Claim: j.Claim, Lacks: func(*history.State) string {
		if violations := j.Find(h); len(violations) > 0 {
			return violations[0].String()
		}
		return ""
	}}
}

// Match reports whether a history keeps the claim.
func (j Judge) Match(actual any) (bool, error) {
	h, err := asHistory(actual)
	if err != nil {
		return false, err
	}
	return len(j.Find(h)) == 0, nil
}

// FailureMessage tells the claim, the first violation and the lines of the
// history around it.
func (j Judge) FailureMessage(actual any) string {
	h, _ := asHistory(actual)
	violations := j.Find(h)
	first := violations[0]
	var text strings.Builder
	fmt.Fprintf(&text, "expected: %s\nseen at %s: %s\n", j.Claim, first.At.UTC().Format(clock), first)
	if more := len(violations) - 1; more > 0 {
		fmt.Fprintf(&text, "and %d more like it\n", more)
	}
	fmt.Fprintf(&text, "around it:\n%s", Excerpt(h, first.At))
	return text.String()
}

// NegatedFailureMessage serves ShouldNot, for specs that show a contrast.
func (j Judge) NegatedFailureMessage(any) string {
	return "expected a history that breaks this claim: " + j.Claim
}

// String tells the violation without its instant.
func (v Violation) String() string {
	where := ""
	if v.Pod != "" {
		where += "Pod " + v.Pod + " "
	}
	if v.Node != "" {
		where += "on node " + v.Node + " "
	}
	return where + v.Message
}

// Match reports whether a state, or the latest state of a history, satisfies
// the condition.
func (c Condition) Match(actual any) (bool, error) {
	state, err := asState(actual)
	if err != nil {
		return false, err
	}
	return c.Lacks(state) == "", nil
}

// FailureMessage tells the condition and what is missing.
func (c Condition) FailureMessage(actual any) string {
	state, _ := asState(actual)
	return fmt.Sprintf("expected: %s\nlast seen: %s", c.Claim, c.Lacks(state))
}

// NegatedFailureMessage serves ShouldNot.
func (c Condition) NegatedFailureMessage(any) string {
	return "expected that this does not hold: " + c.Claim
}

// About is the same condition with a claim that says what it is about.
func (c Condition) About(what string) Condition {
	c.Claim = what + ": " + c.Claim
	return c
}

// And is the condition that both hold.
func (c Condition) And(other Condition) Condition {
	return Condition{
		Claim:  c.Claim + ", and " + other.Claim,
		Lacks:  first(c.Lacks, other.Lacks),
		Breaks: first(c.Broken, other.Broken),
	}
}

// first asks the second only where the first has nothing to say.
func first(one, other func(*history.State) string) func(*history.State) string {
	return func(state *history.State) string {
		if says := one(state); says != "" {
			return says
		}
		return other(state)
	}
}

// While is the same condition, which is not waited for once another one does not
// hold.
func (c Condition) While(always Condition) Condition {
	c.Breaks = first(c.Broken, always.Lacks)
	return c
}

// UnlessBroken is the same condition, which counts as met once a promise is broken:
// who waited expects the promises next, and their messages tell what happened.
func (c Condition) UnlessBroken(h *history.History, promises ...Judge) Condition {
	lacks := c.Lacks
	c.Lacks = func(state *history.State) string {
		for _, promise := range promises {
			if len(promise.Find(h)) > 0 {
				return ""
			}
		}
		return lacks(state)
	}
	return c
}

// Broken says what has gone wrong already; empty if nothing has.
func (c Condition) Broken(state *history.State) string {
	if c.Breaks == nil {
		return ""
	}
	return c.Breaks(state)
}

func asHistory(actual any) (*history.History, error) {
	switch actual := actual.(type) {
	case *history.History:
		return actual, nil
	case *history.Recorder:
		return actual.History, nil
	default:
		return nil, fmt.Errorf("a judge reads a history, not a %T", actual)
	}
}

func asState(actual any) (*history.State, error) {
	if state, ok := actual.(*history.State); ok {
		return state, nil
	}
	h, err := asHistory(actual)
	if err != nil {
		return nil, err
	}
	return h.Latest(), nil
}

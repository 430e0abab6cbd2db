package audit

import (
	"bytes"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestSurvey(t *testing.T) {
	pool := func(name string) func(*corev1.Node) { return labelled("pool", name) }
	nodes := []*corev1.Node{
		aNode("a", pool("edge")), aNode("b", pool("edge")), aNode("c", pool("gpu"), tainted("gpu", "", "NoSchedule")), aNode("d"),
	}
	s := aSnapshot(aDaemonSet(), nodes[0], nodes[1], nodes[2], nodes[3],
		aPod("p", "a"), aPod("q", "b", notReady(ended(3, 5))), aPod("r", "d", version("v2")))
	survey, err := All(s, "pool", nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := Write(&text, survey, "text"); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"DAEMONSET POOL NODES DESIRED READY GAPS UNCOUNTED VERSIONS",
		"logging/agent (none) 1 1 1 0 0 v2×1",
		"logging/agent edge 2 2 1 1 0 v1×2",
		"logging/agent gpu 1 0 0 0 1",
		"crash-loop b",
		"uncounted c",
		"taint gpu:NoSchedule is not tolerated",
		"1 gap in 1 DaemonSet; 1 DaemonSet of which no counter shows some nodes: see that it is meant so",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), line) {
			t.Errorf("the text lacks %q:\n%s", line, text.String())
		}
	}
	if survey.ExitCode() != 1 {
		t.Errorf("exit code %d", survey.ExitCode())
	}
}

func TestSurveyWithoutGaps(t *testing.T) {
	s := aSnapshot(aDaemonSet(), aNode("a"), aPod("p", "a"), aNode("b", tainted("own", "", "NoSchedule")))
	survey, err := All(s, "", nil)
	if err != nil || survey.ExitCode() != 0 {
		t.Errorf("exit code %d, %v", survey.ExitCode(), err)
	}
	// A roster says which nodes matter.
	if survey, err = All(s, "", rosterOf("b")); err != nil || survey.Nodes != 1 || survey.DaemonSets[0].Pools[0].Desired != 0 {
		t.Errorf("%+v, %v", survey, err)
	}
}

func TestSurveyDoesNotJudgeWhatChanged(t *testing.T) {
	s := aSnapshot(aDaemonSet(), aNode("a"))
	s.After = []*appsv1.DaemonSet{aDaemonSet(func(d *appsv1.DaemonSet) { d.Generation = 2 })}
	survey, err := All(s, "", nil)
	if err != nil || survey.ExitCode() != 3 || !strings.Contains(survey.DaemonSets[0].Unjudged, "changed during collection") {
		t.Errorf("exit code %d, %+v, %v", survey.ExitCode(), survey.DaemonSets, err)
	}
}

// Every document is a page that loads nothing, and escapes what the cluster says.
func TestHTML(t *testing.T) {
	hostile := `<script>alert("x")</script>`
	s := aSnapshot(aDaemonSet(rolling("100%", "0")), aNode("a"), aPod("p", "a", notReady(waiting("ImagePullBackOff", hostile))))
	survey, err := All(s, "pool", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []Document{audited(t, s, rosterOf("a")), survey} {
		var page bytes.Buffer
		if err := Write(&page, d, "html"); err != nil {
			t.Fatal(err)
		}
		text := page.String()
		for _, part := range []string{"image-pull", "all-unavailable", "&lt;script&gt;", "</html>"} {
			if !strings.Contains(text, part) {
				t.Errorf("the page lacks %s", part)
			}
		}
		for _, part := range []string{"<script", "src=", "@import", "ZgotmplZ"} {
			if strings.Contains(text, part) {
				t.Errorf("the page has %s", part)
			}
		}
	}
}

package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	appsv1 "k8s.io/api/apps/v1"
)

func TestReadRoster(t *testing.T) {
	roster, err := ReadRoster(strings.NewReader(` {"a": "uid-a", "b": "uid-b"} `))
	if err != nil || !cmp.Equal(roster, rosterOf("a", "b")) {
		t.Errorf("%v, %v", roster, err)
	}
	for text, want := range map[string]string{
		``: "ends", `[]`: "no {", `{}`: "empty", `{"a": ""}`: "nonempty", `{"": "u"}`: "nonempty", `{"a": 1}`: "nonempty", `{"a": null}`: "nonempty",
		`{"a": "u", "a": "u"}`: "duplicate JSON key", `{"a": "u"} x`: "no the end",
	} {
		if roster, err := ReadRoster(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, roster, err, want)
		}
	}
}

func TestRosterIsReadAsItIsWritten(t *testing.T) {
	var text strings.Builder
	roster := rosterOf("b", "a", "<c>")
	if err := roster.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := ReadRoster(strings.NewReader(text.String()))
	if err != nil || !cmp.Equal(again, roster) {
		t.Errorf("%v, %v", again, err)
	}
}

func TestReadCSV(t *testing.T) {
	for name, c := range map[string]struct {
		text, name, uid string
		want            []machine
		refusal         string
	}{
		"usual heading":           {"id,Hostname\n1,a\n2,b\n", "", "", []machine{{"a", ""}, {"b", ""}}, ""},
		"semicolons and a mark":   {"\uFEFFname;zone\na;x\n;y\n", "", "", []machine{{"a", ""}}, ""},
		"tabs, named, with UIDs":  {"what\tserial\na\tu1\nb\t\n", "what", "serial", []machine{{"a", "u1"}, {"b", ""}}, ""},
		"quoted":                  {"name,note\n\"a\",\"x, y\"\n", "", "", []machine{{"a", ""}}, ""},
		"no usual heading":        {"what,serial\na,1\n", "", "", nil, "--name-column; there is what, serial"},
		"no such column":          {"name\na\n", "host", "", nil, "--name-column"},
		"no such column of UIDs":  {"name\na\n", "", "uid", nil, `no column "uid"`},
		"empty":                   {"", "", "", nil, "empty"},
		"rows of unequal lengths": {"name,zone\na\n", "", "", nil, "wrong number of fields"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readCSV(strings.NewReader(c.text), c.name, c.uid)
			if c.refusal != "" {
				if err == nil || !strings.Contains(err.Error(), c.refusal) {
					t.Errorf("%v, %v, want %s", got, err, c.refusal)
				}
				return
			}
			if err != nil || !cmp.Equal(got, c.want, cmp.AllowUnexported(machine{})) {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	nodes := []*corev1.Node{aNode("a"), aNode("b", func(n *corev1.Node) {
		n.Spec.ProviderID = "aws:///eu-1a/i-0b"
		n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalDNS, Address: "b.internal"}}
	})}
	for _, alias := range []string{"b", "i-0b", "aws:///eu-1a/i-0b", "b.internal"} {
		if roster, warnings := resolve([]machine{{name: alias}}, nodes); !cmp.Equal(roster, rosterOf("b")) || len(warnings) > 0 {
			t.Errorf("%s: %v, %v", alias, roster, warnings)
		}
	}
	roster, warnings := resolve([]machine{{name: "a", uid: "older"}, {name: "lost"}}, nodes)
	want := Roster{"a": "older", "lost": NotRegistered}
	if !cmp.Equal(roster, want) || len(warnings) != 1 || !strings.Contains(warnings[0], "no node for lost") {
		t.Errorf("%v, %v", roster, warnings)
	}
}

func TestSelfWitness(t *testing.T) {
	selector, err := labels.Parse("pool=edge,os")
	if err != nil {
		t.Fatal(err)
	}
	choosing := aDaemonSet(func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.NodeSelector = map[string]string{"pool": "edge"} })
	affine := aDaemonSet(func(d *appsv1.DaemonSet) {
		d.Name = "affine"
		d.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "os", Operator: "Exists"}}}},
		}}}
	})
	other := aDaemonSet(func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.NodeSelector = map[string]string{"disk": "ssd"} })
	all := []*appsv1.DaemonSet{choosing, affine, other}
	if warnings := selfWitness(selector, all, ""); len(warnings) != 2 {
		t.Errorf("%v", warnings)
	}
	if warnings := selfWitness(selector, all, "logging/affine"); len(warnings) != 1 || !strings.Contains(warnings[0], "logging/affine selects its nodes by the label os itself") {
		t.Errorf("%v", warnings)
	}
	if warnings := selfWitness(selector, []*appsv1.DaemonSet{other}, ""); len(warnings) != 0 {
		t.Errorf("%v", warnings)
	}
}

func TestDiff(t *testing.T) {
	now, before := rosterOf("a", "b", "c"), rosterOf("a", "c", "d")
	before["c"] = "uid-older"
	want := []string{"+ b uid-b", "~ c uid-c, was uid-older: another machine under the same name", "- d uid-d"}
	if got := now.Diff(before); !cmp.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := now.Diff(rosterOf("a", "b", "c")); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// A roster is built from what kubectl saved as well as from a cluster.
func TestBuildFromFiles(t *testing.T) {
	folder := t.TempDir()
	nodes := `{"kind": "List", "items": [
		{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "uid": "uid-a", "labels": {"pool": "edge"}}},
		{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "b", "uid": "uid-b"}}]}`
	if err := os.WriteFile(filepath.Join(folder, "nodes.json"), []byte(nodes), 0o600); err != nil {
		t.Fatal(err)
	}
	roster, _, err := RosterRequest{Folder: folder, Label: "pool=edge"}.Build(t.Context())
	if err != nil || !cmp.Equal(roster, rosterOf("a")) {
		t.Errorf("%v, %v", roster, err)
	}
	if _, _, err := (RosterRequest{Folder: folder, Label: "pool=core"}).Build(t.Context()); err == nil || !strings.Contains(err.Error(), "no node matches") {
		t.Errorf("%v", err)
	}
	roster, warnings, err := RosterRequest{Folder: folder, Names: []string{"b", "z"}}.Build(t.Context())
	if err != nil || roster["b"] != "uid-b" || roster["z"] != NotRegistered || len(warnings) != 1 {
		t.Errorf("%v, %v, %v", roster, warnings, err)
	}
}

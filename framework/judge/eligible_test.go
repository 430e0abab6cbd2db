package judge_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestEligible(t *testing.T) {
	numbered := node("a", func(n *corev1.Node) { n.Labels["size"] = "8" })
	tolerate := func(tolerations ...corev1.Toleration) corev1.PodSpec { return corev1.PodSpec{Tolerations: tolerations} }
	for name, c := range map[string]struct {
		spec corev1.PodSpec
		node *corev1.Node
		want bool
	}{
		"nothing asked":                        {corev1.PodSpec{}, node("a"), true},
		"names this node":                      {corev1.PodSpec{NodeName: "a"}, node("a"), true},
		"names another node":                   {corev1.PodSpec{NodeName: "b"}, node("a"), false},
		"selector matches":                     {corev1.PodSpec{NodeSelector: map[string]string{corev1.LabelHostname: "a"}}, node("a"), true},
		"selector asks for another value":      {corev1.PodSpec{NodeSelector: map[string]string{corev1.LabelHostname: "b"}}, node("a"), false},
		"selector asks for an absent label":    {corev1.PodSpec{NodeSelector: map[string]string{"absent": ""}}, node("a"), false},
		"one of two selected labels":           {corev1.PodSpec{NodeSelector: map[string]string{corev1.LabelHostname: "a", "absent": "x"}}, node("a"), false},
		"in":                                   {terms(all(where(corev1.LabelHostname, "In", "a", "b"))), node("a"), true},
		"not in the list":                      {terms(all(where(corev1.LabelHostname, "In", "b"))), node("a"), false},
		"notin":                                {terms(all(where(corev1.LabelHostname, "NotIn", "b"))), node("a"), true},
		"notin its own value":                  {terms(all(where(corev1.LabelHostname, "NotIn", "a"))), node("a"), false},
		"notin an absent label":                {terms(all(where("absent", "NotIn", "a"))), node("a"), true},
		"exists":                               {terms(all(where(corev1.LabelHostname, "Exists"))), node("a"), true},
		"exists an absent label":               {terms(all(where("absent", "Exists"))), node("a"), false},
		"does not exist":                       {terms(all(where("absent", "DoesNotExist"))), node("a"), true},
		"does not exist and does":              {terms(all(where(corev1.LabelHostname, "DoesNotExist"))), node("a"), false},
		"greater":                              {terms(all(where("size", "Gt", "7"))), numbered, true},
		"greater than its own":                 {terms(all(where("size", "Gt", "8"))), numbered, false},
		"less":                                 {terms(all(where("size", "Lt", "9"))), numbered, true},
		"less than its own":                    {terms(all(where("size", "Lt", "8"))), numbered, false},
		"greater, absent":                      {terms(all(where("absent", "Gt", "7"))), numbered, false},
		"greater, no number":                   {terms(all(where(corev1.LabelHostname, "Gt", "7"))), numbered, false},
		"greater, two bounds":                  {terms(all(where("size", "Gt", "1", "2"))), numbered, false},
		"unknown operator":                     {terms(all(where("size", "Like", "8"))), numbered, false},
		"second term matches":                  {terms(all(where("absent", "Exists")), all(where(corev1.LabelHostname, "Exists"))), node("a"), true},
		"half a term matches":                  {terms(all(where("absent", "Exists"), where(corev1.LabelHostname, "Exists"))), node("a"), false},
		"empty term":                           {terms(all()), node("a"), false},
		"no term":                              {terms(), node("a"), false},
		"field names it":                       {terms(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{where(metav1.ObjectNameField, "In", "a")}}), node("a"), true},
		"field names another":                  {terms(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{where(metav1.ObjectNameField, "In", "b")}}), node("a"), false},
		"preferred only":                       {corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}}, node("a"), true},
		"taint":                                {corev1.PodSpec{}, node("a", taint("own", "NoSchedule")), false},
		"taint NoExecute":                      {corev1.PodSpec{}, node("a", taint("own", "NoExecute")), false},
		"taint PreferNoSchedule":               {corev1.PodSpec{}, node("a", taint("own", "PreferNoSchedule")), true},
		"tolerated taint":                      {tolerate(corev1.Toleration{Key: "own", Operator: "Exists"}), node("a", taint("own", "NoSchedule")), true},
		"one of two taints tolerated":          {tolerate(corev1.Toleration{Key: "own", Operator: "Exists"}), node("a", taint("own", "NoSchedule"), taint("more", "NoSchedule")), false},
		"every taint tolerated":                {tolerate(corev1.Toleration{Operator: "Exists"}), node("a", taint("own", "NoSchedule"), taint("more", "NoExecute")), true},
		"cordoned":                             {corev1.PodSpec{}, node("a", taint(corev1.TaintNodeUnschedulable, "NoSchedule")), true},
		"disk pressure":                        {corev1.PodSpec{}, node("a", taint(corev1.TaintNodeDiskPressure, "NoSchedule")), true},
		"not ready, NoExecute":                 {corev1.PodSpec{}, node("a", taint(corev1.TaintNodeNotReady, "NoExecute")), true},
		"not ready, NoSchedule":                {corev1.PodSpec{}, node("a", taint(corev1.TaintNodeNotReady, "NoSchedule")), false},
		"network unavailable":                  {corev1.PodSpec{}, node("a", taint(corev1.TaintNodeNetworkUnavailable, "NoSchedule")), false},
		"network unavailable, on host network": {corev1.PodSpec{HostNetwork: true}, node("a", taint(corev1.TaintNodeNetworkUnavailable, "NoSchedule")), true},
	} {
		got, reason := judge.Eligible(c.spec, c.node)
		if got != c.want || got != (reason == "") {
			t.Errorf("%s: eligible %t, reason %q", name, got, reason)
		}
	}
}

func where(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: operator, Values: values}
}

func all(expressions ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: expressions}
}

func terms(terms ...corev1.NodeSelectorTerm) corev1.PodSpec {
	return corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}}
}

func TestTolerates(t *testing.T) {
	own := corev1.Taint{Key: "own", Value: "v", Effect: corev1.TaintEffectNoSchedule}
	for name, c := range map[string]struct {
		toleration corev1.Toleration
		want       bool
	}{
		"equal":                  {corev1.Toleration{Key: "own", Operator: "Equal", Value: "v", Effect: "NoSchedule"}, true},
		"equal by default":       {corev1.Toleration{Key: "own", Value: "v", Effect: "NoSchedule"}, true},
		"another value":          {corev1.Toleration{Key: "own", Value: "w", Effect: "NoSchedule"}, false},
		"another key":            {corev1.Toleration{Key: "other", Value: "v", Effect: "NoSchedule"}, false},
		"another effect":         {corev1.Toleration{Key: "own", Value: "v", Effect: "NoExecute"}, false},
		"every effect":           {corev1.Toleration{Key: "own", Value: "v"}, true},
		"exists":                 {corev1.Toleration{Key: "own", Operator: "Exists", Effect: "NoSchedule"}, true},
		"exists, every key":      {corev1.Toleration{Operator: "Exists"}, true},
		"exists, another effect": {corev1.Toleration{Operator: "Exists", Effect: "NoExecute"}, false},
		"equal, no key":          {corev1.Toleration{Value: "v"}, false},
		"unknown operator":       {corev1.Toleration{Key: "own", Operator: "Gt", Value: "v"}, false},
	} {
		if got := judge.Tolerates(c.toleration, own); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestEligibleNodesLeavesForeignNodesOut(t *testing.T) {
	_, nodes := threeNodes()
	if !slices.Equal(nodes.Eligible, []string{"a", "b"}) {
		t.Errorf("eligible %v", nodes.Eligible)
	}
	if nodes.Barred["c"] == "" || len(nodes.Excuses()) != 1 {
		t.Errorf("barred %v", nodes.Barred)
	}
	if nodes.Len() != 2 || nodes.String() != "a, b" || (judge.Nodes{}).String() != "no node" {
		t.Errorf("%d nodes: %s", nodes.Len(), nodes)
	}
}

func TestObstaclesNameEachReason(t *testing.T) {
	spec := terms(all(where("disk", "In", "ssd", "nvme")), all(where("size", "Gt", "4"), where("zone", "Exists")), all())
	spec.NodeSelector = map[string]string{"pool": "gpu", "arch": "arm"}
	labelled := node("a", taint("own", "NoSchedule"), taint("soft", "PreferNoSchedule"), func(n *corev1.Node) {
		n.Labels["pool"], n.Labels["disk"], n.Labels["size"] = "cpu", "hdd", "8"
	})
	want := []struct {
		kind judge.ObstacleKind
		text string
	}{
		{judge.OtherLabels, "nodeSelector asks for arch=arm, and the node has no label arch"},
		{judge.OtherLabels, "nodeSelector asks for pool=gpu, and the node has pool=cpu"},
		{judge.OtherAffinity, "no term of the required node affinity matches; term 1 asks for disk In ssd, nvme, and the node has disk=hdd; " +
			"term 2 asks for zone Exists, and the node has no label zone; term 3 is empty and matches nothing"},
		{judge.UntoleratedTaint, "taint own:NoSchedule is not tolerated"},
	}
	got := judge.Obstacles(spec, labelled)
	if len(got) != len(want) {
		t.Fatalf("%d obstacles, want %d: %v", len(got), len(want), got)
	}
	for i, obstacle := range got {
		if obstacle.Kind != want[i].kind || obstacle.Text != want[i].text {
			t.Errorf("got %s %q\nwant %s %q", obstacle.Kind, obstacle.Text, want[i].kind, want[i].text)
		}
	}
	if got[3].Taint.Key != "own" {
		t.Errorf("the taint is %v", got[3].Taint)
	}
	if left := judge.Obstacles(corev1.PodSpec{}, node("a")); len(left) > 0 {
		t.Errorf("an eligible node has obstacles: %v", left)
	}
}

func TestMayBeEligible(t *testing.T) {
	named := func(names ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{where(metav1.ObjectNameField, "In", names...)}}
	}
	for name, c := range map[string]struct {
		spec corev1.PodSpec
		want bool
	}{
		"nothing asked":            {corev1.PodSpec{}, true},
		"names it":                 {corev1.PodSpec{NodeName: "a"}, true},
		"names another":            {corev1.PodSpec{NodeName: "b"}, false},
		"a label it may have":      {corev1.PodSpec{NodeSelector: map[string]string{"pool": "edge"}}, true},
		"a term it may match":      {terms(all(where("pool", "In", "edge"))), true},
		"a field names it":         {terms(named("b"), named("a")), true},
		"all fields name others":   {terms(named("b"), named("c")), false},
		"another name, or a label": {terms(named("b"), all(where("pool", "Exists"))), true},
	} {
		if got := judge.MayBeEligible(c.spec, "a"); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

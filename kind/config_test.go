package kind

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
)

func TestOrdinaryClusterHasNoPatches(t *testing.T) {
	config := render(t, quirks{})
	if config.Networking.DisableDefaultCNI || config.Networking.KubeProxyMode != "" ||
		len(config.KubeadmConfigPatches)+len(config.ContainerdConfigPatches) > 0 {
		t.Errorf("nothing is to be changed on an ordinary machine: %+v", config)
	}
}

func TestWorkersAreLentAndTheControlPlaneIsNot(t *testing.T) {
	config := render(t, quirks{})
	if len(config.Nodes) != 4 {
		t.Fatalf("got %d nodes, want 4", len(config.Nodes))
	}
	for _, node := range config.Nodes {
		lent := node.Labels["rollcall.dev/lent"] == "true"
		if lent != (node.Role == v1alpha4.WorkerRole) {
			t.Errorf("a %s has lent=%v", node.Role, lent)
		}
	}
}

func TestEachQuirkChangesItsOwnPart(t *testing.T) {
	for _, test := range []struct {
		name       string
		quirks     quirks
		kubeadm    []string
		containerd []string
		noCNI      bool
	}{
		{"offline image", quirks{offlineImage: true}, []string{"addon/coredns"}, nil, true},
		{"cgroup v1", quirks{cgroupV1: true}, []string{"failCgroupV1: false"}, nil, false},
		{"no CAP_SYS_RESOURCE", quirks{noSysResource: true}, nil, []string{"restrict_oom_score_adj = true"}, false},
		{
			"all of them", quirks{true, true, true},
			[]string{"addon/coredns", "failCgroupV1: false"},
			[]string{"restrict_oom_score_adj = true"}, true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := render(t, test.quirks)
			holds(t, config.KubeadmConfigPatches, test.kubeadm)
			holds(t, config.ContainerdConfigPatches, test.containerd)
			if config.Networking.DisableDefaultCNI != test.noCNI {
				t.Errorf("disableDefaultCNI is %v", config.Networking.DisableDefaultCNI)
			}
		})
	}
}

func TestDNSPatchKeepsWhatKindSkips(t *testing.T) {
	// The patch replaces kind's list; without "preflight" kubeadm would try to
	// pull images.
	if !strings.Contains(skipDNS, "- preflight\n") {
		t.Errorf("got %s", skipDNS)
	}
}

func TestFingerprintTellsConfigurationsApart(t *testing.T) {
	plain, quirky := print(t, quirks{}), print(t, quirks{cgroupV1: true})
	if plain == quirky {
		t.Error("two configurations have one fingerprint")
	}
	if plain != print(t, quirks{}) {
		t.Error("one configuration has two fingerprints")
	}
}

func print(t *testing.T, q quirks) string {
	t.Helper()
	result, err := fingerprint(render(t, q))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func render(t *testing.T, q quirks) *v1alpha4.Cluster {
	t.Helper()
	config, err := configFor(q)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func holds(t *testing.T, patches, want []string) {
	t.Helper()
	if len(patches) != len(want) {
		t.Fatalf("got %d patches, want %d: %v", len(patches), len(want), patches)
	}
	for _, text := range want {
		if !slices.ContainsFunc(patches, func(patch string) bool { return strings.Contains(patch, text) }) {
			t.Errorf("no patch holds %q: %v", text, patches)
		}
	}
}

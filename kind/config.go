package kind

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/yaml"
)

//go:embed cluster.yaml
var clusterYAML []byte

// quirks are what the cluster's configuration must allow for. All of them are
// found out, from the engine and from the node image.
type quirks struct {
	// offlineImage: no CNI daemon and no CoreDNS are in the image, and its
	// kube-proxy speaks nftables only.
	offlineImage bool
	// cgroupV1: a current kubelet refuses to start on cgroup v1 unless told
	// that this is known.
	cgroupV1 bool
	// noSysResource: containers run without CAP_SYS_RESOURCE, so nothing in
	// them may lower its oom_score_adj.
	noSysResource bool
}

// configFor is the configuration of a cluster on such an image and such a host.
func configFor(q quirks) (*v1alpha4.Cluster, error) {
	config := &v1alpha4.Cluster{}
	if err := yaml.UnmarshalStrict(clusterYAML, config); err != nil {
		return nil, fmt.Errorf("kind/cluster.yaml: %w", err)
	}
	if q.offlineImage {
		config.Networking.DisableDefaultCNI = true
		config.Networking.KubeProxyMode = "nftables"
		config.KubeadmConfigPatches = append(config.KubeadmConfigPatches, skipDNS)
	}
	if q.cgroupV1 {
		config.KubeadmConfigPatches = append(config.KubeadmConfigPatches, allowCgroupV1)
	}
	if q.noSysResource {
		config.ContainerdConfigPatches = append(config.ContainerdConfigPatches, restrictOOMScore)
	}
	return config, nil
}

const (
	// The patch replaces kind's own list, whose one entry is "preflight".
	skipDNS = `kind: InitConfiguration
skipPhases:
- preflight
- addon/coredns
`
	allowCgroupV1 = `kind: KubeletConfiguration
failCgroupV1: false
`
	restrictOOMScore = `[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
`
)

// fingerprint tells clusters made from different configurations apart.
func fingerprint(config *v1alpha4.Cluster) (string, error) {
	rendered, err := yaml.Marshal(config)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(rendered)
	return hex.EncodeToString(sum[:6]), nil
}

package mutants

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const kubeletUnit = `# /etc/systemd/system/kubelet.service
[Service]
ExecStart=/usr/bin/kubelet
Restart=always

# /etc/systemd/system/kubelet.service.d/10-kubeadm.conf
[Service]
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_CONFIG_ARGS --cgroup-root=/kubelet

# /etc/systemd/system/kubelet.service.d/11-kind.conf
[Service]
ExecStartPre=/bin/sh -euc "true"
`

func TestDropInKeepsTheCommandLine(t *testing.T) {
	content, err := dropInFor(kubeletUnit, "/kind/m/kubelet")
	if err != nil {
		t.Fatal(err)
	}
	want := `[Service]
Environment=ROLLCALL_MUTANT_DIR=/kind/rollcall-mutants/follows/kubelet
ExecStart=
ExecStart=/kind/m/kubelet $KUBELET_CONFIG_ARGS --cgroup-root=/kubelet
`
	if diff := cmp.Diff(want, content); diff != "" {
		t.Error(diff)
	}
}

func TestDropInReplacesAnEarlierOne(t *testing.T) {
	first, err := dropInFor(kubeletUnit, "/kind/first/kubelet")
	if err != nil {
		t.Fatal(err)
	}
	second, err := dropInFor(kubeletUnit+first, "/kind/second/kubelet")
	if err != nil || second != strings.Replace(first, "first", "second", 1) {
		t.Errorf("got %q, %v", second, err)
	}
}

func TestDropInRefusesAUnitThatItDoesNotUnderstand(t *testing.T) {
	for _, unit := range []string{"", "[Service]\nExecStart=\n", "[Service]\nExecStart=/usr/bin/kubelet \\\n  --config=x\n"} {
		if content, err := dropInFor(unit, "/kind/m/kubelet"); err == nil {
			t.Errorf("%q became %q", unit, content)
		}
	}
}

const managerManifest = `apiVersion: v1
kind: Pod
metadata:
  name: kube-controller-manager
  namespace: kube-system
spec:
  containers:
  - command: [kube-controller-manager, --leader-elect=true]
    image: registry.k8s.io/kube-controller-manager:v1.37.2
    name: kube-controller-manager
    volumeMounts:
    - {mountPath: /etc/ssl/certs, name: ca-certs, readOnly: true}
  hostNetwork: true
  volumes:
  - {hostPath: {path: /etc/ssl/certs, type: DirectoryOrCreate}, name: ca-certs}
`

func TestManifestCoversTheProgram(t *testing.T) {
	mutated, err := mutateManifest([]byte(managerManifest), ControllerManager, "/kind/m/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	got, want := podFrom(t, mutated), podFrom(t, []byte(managerManifest))
	const folder = "/kind/rollcall-mutants/follows/kube-controller-manager"
	file, directory := corev1.HostPathFile, corev1.HostPathDirectoryOrCreate
	want.Spec.Volumes = append(want.Spec.Volumes,
		corev1.Volume{Name: "rollcall-mutant", VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{Path: "/kind/m/kubernetes", Type: &file}}},
		corev1.Volume{Name: "rollcall-mutant-follows", VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{Path: folder, Type: &directory}}})
	want.Spec.Containers[0].VolumeMounts = append(want.Spec.Containers[0].VolumeMounts,
		corev1.VolumeMount{Name: "rollcall-mutant", MountPath: "/usr/local/bin/kube-controller-manager", ReadOnly: true},
		corev1.VolumeMount{Name: "rollcall-mutant-follows", MountPath: folder})
	want.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "ROLLCALL_MUTANT_DIR", Value: folder}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestManifestOfAnotherComponentIsRefused(t *testing.T) {
	if _, err := mutateManifest([]byte(managerManifest), Scheduler, "/kind/m/kubernetes"); err == nil {
		t.Error("a manifest without the component's container was taken")
	}
}

func podFrom(t *testing.T, manifest []byte) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(manifest, pod); err != nil {
		t.Fatal(err)
	}
	return pod
}

func TestParseProcesses(t *testing.T) {
	got, err := parseProcesses("12 -\n34 /kind/m/kubernetes")
	want := []process{{pid: "12"}, {pid: "34", program: "/kind/m/kubernetes"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(process{})); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := parseProcesses("bash: no such file"); err == nil {
		t.Error("an error message was taken for a process")
	}
}

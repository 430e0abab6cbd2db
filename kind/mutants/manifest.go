package mutants

import (
	"fmt"
	"path"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// programDir is where the images of the control plane hold their component.
const programDir = "/usr/local/bin"

// mutateManifest is the manifest of a static Pod with the program of a
// component covered by another one of the node, which follows a folder there.
func mutateManifest(manifest []byte, component Component, program string) ([]byte, error) {
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(manifest, pod); err != nil {
		return nil, fmt.Errorf("the manifest of %s: %w", component, err)
	}
	container := containerOf(pod, string(component))
	if container == nil {
		return nil, fmt.Errorf("the manifest of %s has no container of that name", component)
	}
	const programVolume, folderVolume = "rollcall-mutant", "rollcall-mutant-follows"
	pod.Spec.Volumes = append(pod.Spec.Volumes,
		ofHost(programVolume, program, corev1.HostPathFile), ofHost(folderVolume, follows(component), corev1.HostPathDirectoryOrCreate))
	container.VolumeMounts = append(container.VolumeMounts,
		corev1.VolumeMount{Name: programVolume, MountPath: path.Join(programDir, string(component)), ReadOnly: true},
		corev1.VolumeMount{Name: folderVolume, MountPath: follows(component)})
	container.Env = append(container.Env, corev1.EnvVar{Name: folderEnv, Value: follows(component)})
	return yaml.Marshal(pod)
}

func ofHost(name, path string, is corev1.HostPathType) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: path, Type: &is}}}
}

func containerOf(pod *corev1.Pod, name string) *corev1.Container {
	for i := range pod.Spec.Containers {
		if pod.Spec.Containers[i].Name == name {
			return &pod.Spec.Containers[i]
		}
	}
	return nil
}

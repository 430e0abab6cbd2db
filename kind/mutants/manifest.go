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
// component covered by another one of the node, and a mutant's name.
func mutateManifest(manifest []byte, component, program, mutant string) ([]byte, error) {
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(manifest, pod); err != nil {
		return nil, fmt.Errorf("the manifest of %s: %w", component, err)
	}
	container := containerOf(pod, component)
	if container == nil {
		return nil, fmt.Errorf("the manifest of %s has no container of that name", component)
	}
	const volume = "rollcall-mutant"
	file := corev1.HostPathFile
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{
		HostPath: &corev1.HostPathVolumeSource{Path: program, Type: &file},
	}})
	container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{
		Name: volume, MountPath: path.Join(programDir, component), ReadOnly: true,
	})
	container.Env = append(container.Env, corev1.EnvVar{Name: switchEnv, Value: mutant})
	return yaml.Marshal(pod)
}

// mutantOf is the mutant that a component's Pod is meant to be, or "".
func mutantOf(pod *corev1.Pod, component string) string {
	if container := containerOf(pod, component); container != nil {
		for _, variable := range container.Env {
			if variable.Name == switchEnv {
				return variable.Value
			}
		}
	}
	return ""
}

func containerOf(pod *corev1.Pod, name string) *corev1.Container {
	for i := range pod.Spec.Containers {
		if pod.Spec.Containers[i].Name == name {
			return &pod.Spec.Containers[i]
		}
	}
	return nil
}

package judge

import (
	"cmp"
	"fmt"
	"regexp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/history"
)

// The API server makes a name from generateName by adding a random suffix to at
// most this much of it.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#generated-values
const (
	longestBase = 58
	suffix      = `[a-z0-9]{5}`
)

func controlledBy(pod *corev1.Pod, owner types.UID) bool {
	controller := metav1.GetControllerOfNoCopy(pod)
	return controller != nil && controller.UID == owner
}

// NotOwned finds what is wrong with a Pod's reference to the DaemonSet that
// controls it.
func NotOwned(daemonSet *appsv1.DaemonSet) Fault {
	want := metav1.OwnerReference{
		APIVersion: "apps/v1", Kind: "DaemonSet", Name: daemonSet.Name, UID: daemonSet.UID,
		Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
	}
	return func(pod *corev1.Pod) string {
		if len(pod.OwnerReferences) != 1 || !equality.Semantic.DeepEqual(pod.OwnerReferences[0], want) {
			return fmt.Sprintf("has the owners %s", describeOwners(pod))
		}
		return ""
	}
}

func describeOwners(pod *corev1.Pod) string {
	text := ""
	for _, o := range pod.OwnerReferences {
		text += fmt.Sprintf("[%s %s %s, UID %s, controller %t, blockOwnerDeletion %t]", o.APIVersion, o.Kind, o.Name, o.UID,
			ptr.Deref(o.Controller, false), ptr.Deref(o.BlockOwnerDeletion, false))
	}
	return cmp.Or(text, "nobody")
}

// NotNamedAfter finds what is wrong with the name of a DaemonSet's Pod.
func NotNamedAfter(daemonSet string) Fault {
	base := daemonSet + "-"
	kept := base[:min(len(base), longestBase)]
	form := regexp.MustCompile("^" + regexp.QuoteMeta(kept) + suffix + "$")
	return func(pod *corev1.Pod) string {
		if pod.GenerateName != base {
			return fmt.Sprintf("has the generateName %q, not %q", pod.GenerateName, base)
		}
		if !form.MatchString(pod.Name) {
			return fmt.Sprintf("is called %s, not %s and five random characters", pod.Name, kept)
		}
		return ""
	}
}

// OfNewestRevision is the condition that each live Pod of a DaemonSet carries
// the hash of its newest ControllerRevision.
func OfNewestRevision(daemonSet types.UID) Condition {
	return Condition{
		Claim: "each Pod carries the hash of the DaemonSet's newest ControllerRevision",
		Lacks: func(state *history.State) string {
			newest := newestRevision(state, daemonSet)
			if newest == nil {
				return "the DaemonSet has no ControllerRevision"
			}
			want := newest.Labels[appsv1.ControllerRevisionHashLabelKey]
			if want == "" {
				return "ControllerRevision " + newest.Name + " has no hash"
			}
			return EachPod(daemonSet, "", notLabelled(appsv1.ControllerRevisionHashLabelKey, want)).Lacks(state)
		},
	}
}

func newestRevision(state *history.State, daemonSet types.UID) (newest *appsv1.ControllerRevision) {
	for _, revision := range state.Revisions() {
		controller := metav1.GetControllerOfNoCopy(revision)
		if controller != nil && controller.UID == daemonSet && (newest == nil || revision.Revision > newest.Revision) {
			newest = revision
		}
	}
	return newest
}

func notLabelled(key, want string) Fault {
	return func(pod *corev1.Pod) string {
		if have := pod.Labels[key]; have != want {
			return fmt.Sprintf("has the label %s=%q, not %q", key, have, want)
		}
		return ""
	}
}

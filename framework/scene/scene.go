package scene

import (
	"context"
	"fmt"
	"time"

	"github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
)

// Scene is one spec's namespace and the history that is recorded in it from
// before the first action.
type Scene struct {
	*Cluster
	Namespace string
	History   *history.Recorder

	nodes     map[string]*disturbed // by name
	apart     bool                  // other nodes do not matter
	whole     bool                  // all nodes matter
	asked     []corev1.PodSpec      // what the oracle was asked about
	asks      bool                  // dry runs are made, of which the history knows nothing
	ownLimits bool                  // it has a LimitRange of its own
	changed   string                // what admission made of a Pod, if that is not what was asked for
}

// Open makes a namespace for the running spec and starts to record. The
// namespace goes when the spec ends.
func (c *Cluster) Open(ctx ginkgo.SpecContext) *Scene { return c.open(ctx, Restricted) }

// OpenPrivileged is Open with a namespace in which Pods may use their node's
// network.
func (c *Cluster) OpenPrivileged(ctx ginkgo.SpecContext) *Scene { return c.open(ctx, Privileged) }

// OpenApart is Open for a spec that keeps to simulated nodes: what becomes of
// other nodes meanwhile casts no doubt on what it finds.
func (c *Cluster) OpenApart(ctx ginkgo.SpecContext) *Scene {
	ginkgo.GinkgoHelper()
	scene := c.open(ctx, Restricted)
	scene.apart = true
	return scene
}

func (c *Cluster) open(ctx ginkgo.SpecContext, security PodSecurity) *Scene {
	ginkgo.GinkgoHelper()
	scene := &Scene{Cluster: c}
	// Registered first, so that it runs whatever happens from here on.
	ginkgo.DeferCleanup(scene.close)
	var err error
	scene.Namespace, err = c.createNamespace(ctx, ginkgo.CurrentSpecReport().FullText(), security)
	Must(err)
	// The recording outlives the spec's body: it ends in close.
	scene.History, err = history.Record(context.WithoutCancel(ctx), history.Namespaced(c.Client, scene.Namespace))
	Must(err)
	return scene
}

func (s *Scene) close(ctx context.Context) {
	if s.History != nil {
		s.History.Stop()
		s.testify(ctx)
	}
	if s.Namespace != "" {
		Must(s.deleteNamespace(ctx, s.Namespace))
	}
}

// CreateDaemonSet creates a DaemonSet in the scene's namespace.
func (s *Scene) CreateDaemonSet(ctx context.Context, daemonSet *appsv1.DaemonSet) *appsv1.DaemonSet {
	ginkgo.GinkgoHelper()
	s.outfit(&daemonSet.Spec.Template.Spec)
	s.History.Mark("create DaemonSet " + daemonSet.Name)
	created, err := s.Client.AppsV1().DaemonSets(s.Namespace).Create(ctx, daemonSet, metav1.CreateOptions{})
	Must(err)
	return created
}

// UpdateDaemonSet changes the newest version of a DaemonSet and returns it once
// the history holds it, so that no older status is taken for an answer. A
// concurrent writer makes it try again.
func (s *Scene) UpdateDaemonSet(ctx context.Context, name string, change func(*appsv1.DaemonSet)) (updated *appsv1.DaemonSet) {
	ginkgo.GinkgoHelper()
	s.History.Mark("update DaemonSet " + name)
	daemonSets := s.Client.AppsV1().DaemonSets(s.Namespace)
	Must(retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		current, err := daemonSets.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		change(current)
		updated, err = daemonSets.Update(ctx, current, metav1.UpdateOptions{})
		return err
	}))
	s.CatchUp(ctx, history.DaemonSet)
	return updated
}

// LookAgain changes an annotation, which makes the controller look at a DaemonSet
// without changing its spec.
func (s *Scene) LookAgain(ctx context.Context, name string) {
	ginkgo.GinkgoHelper()
	s.UpdateDaemonSet(ctx, name, func(d *appsv1.DaemonSet) {
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, "rollcall.dev/look", "again")
	})
}

// DeleteDaemonSet asks for the deletion of a DaemonSet. The policy says what
// becomes of its Pods.
func (s *Scene) DeleteDaemonSet(ctx context.Context, daemonSet *appsv1.DaemonSet, policy metav1.DeletionPropagation) {
	ginkgo.GinkgoHelper()
	s.History.Mark(fmt.Sprintf("delete DaemonSet %s (%s)", daemonSet.Name, policy))
	Must(s.Client.AppsV1().DaemonSets(s.Namespace).Delete(ctx, daemonSet.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: ptr.To(daemonSet.UID)}, PropagationPolicy: &policy,
	}))
}

// CreatePod creates a Pod in the scene's namespace.
func (s *Scene) CreatePod(ctx context.Context, pod *corev1.Pod) *corev1.Pod {
	ginkgo.GinkgoHelper()
	s.outfit(&pod.Spec)
	s.History.Mark("create Pod " + pod.Name)
	created, err := s.Client.CoreV1().Pods(s.Namespace).Create(ctx, pod, metav1.CreateOptions{})
	Must(err)
	s.compare(pod, created)
	return created
}

// AnnotatePod sets an annotation of a Pod, which opens a gate of the workload
// program.
func (s *Scene) AnnotatePod(ctx context.Context, name, key, value string) {
	ginkgo.GinkgoHelper()
	s.UpdatePod(ctx, name, fmt.Sprintf("annotate Pod %s with %s=%s", name, key, value), func(pod *corev1.Pod) {
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, key, value)
	})
}

// UpdatePod changes the newest version of a Pod. A concurrent writer makes it
// try again.
func (s *Scene) UpdatePod(ctx context.Context, name, action string, change func(*corev1.Pod)) {
	ginkgo.GinkgoHelper()
	s.History.Mark(action)
	pods := s.Client.CoreV1().Pods(s.Namespace)
	Must(retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		pod, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		change(pod)
		_, err = pods.Update(ctx, pod, metav1.UpdateOptions{})
		return err
	}))
}

// DeletePod asks for the deletion of just this Pod: another one of the same
// name would be left alone.
func (s *Scene) DeletePod(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	s.History.Mark("delete Pod " + pod.Name)
	Must(s.Client.CoreV1().Pods(s.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: ptr.To(pod.UID)},
	}))
}

// outfit gives a Pod spec the run's image and pull secret.
func (c *Cluster) outfit(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			if containers[i].Image == "" {
				containers[i].Image = c.Image
			}
		}
	}
	if c.PullSecret != nil {
		spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: c.PullSecret.Name}}
	}
}

// Await waits until the condition holds in the recorded state, and fails the
// spec if it does not within the limit, or is seen to be broken before.
func (s *Scene) Await(ctx context.Context, within limit.Limit, condition judge.Condition) *history.State {
	ginkgo.GinkgoHelper()
	s.announce("waiting for " + condition.Claim)
	began, longest := time.Now(), s.Longest(within)
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	var state *history.State
	broken := ""
	err := s.History.Await(limited, func(latest *history.State) bool {
		state, broken = latest, condition.Broken(latest)
		return broken != "" || condition.Lacks(latest) == ""
	})
	if broken != "" {
		ginkgo.Fail(fmt.Sprintf("expected: %s\nseen: %s\nwhat happened:\n%s", condition.Claim, broken, judge.Excerpt(s.History.History, time.Now())))
	}
	if err != nil {
		ginkgo.Fail(fmt.Sprintf("expected: %s\nlast seen: %s\nwaited: %s (limit for %s: %s; %s)\nwhat happened:\n%s",
			condition.Claim, condition.Lacks(state), time.Since(began).Round(time.Second), within.Name, longest, within.Source,
			judge.Excerpt(s.History.History, time.Now())))
	}
	return state
}

// Sees is Await for what may be: it reports whether the condition came to hold
// within a time.
func (s *Scene) Sees(ctx context.Context, within time.Duration, condition judge.Condition) bool {
	s.announce(fmt.Sprintf("watching for %s whether %s", within, condition.Claim))
	limited, cancel := context.WithTimeout(ctx, s.scaled(within))
	defer cancel()
	return s.History.Await(limited, func(latest *history.State) bool { return condition.Lacks(latest) == "" }) == nil
}

// CatchUp waits until the history holds all that the API server knows of these
// kinds by now, so that a judge may compare them.
func (s *Scene) CatchUp(ctx context.Context, kinds ...history.Kind) {
	ginkgo.GinkgoHelper()
	ctx, cancel := context.WithTimeout(ctx, s.Longest(limit.Call))
	defer cancel()
	for _, kind := range kinds {
		Must(s.History.CatchUp(ctx, kind))
	}
}

// Hold lets time pass while the history goes on, to see that something does
// not happen. The reason is shown as what the run waits for.
func (s *Scene) Hold(ctx context.Context, d time.Duration, reason string) {
	ginkgo.GinkgoHelper()
	s.announce(fmt.Sprintf("watching for %s: %s", d, reason))
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		Must(context.Cause(ctx))
	}
}

package updates

import (
	"context"
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/polymorphichelpers"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/scene"
)

// What 'kubectl rollout' does to a DaemonSet, by kubectl's own code.

var kind = appsv1.SchemeGroupVersion.WithKind("DaemonSet").GroupKind()

// undo is 'kubectl rollout undo'.
func (s *subject) undo(ctx context.Context) {
	GinkgoHelper()
	s.History.Mark("kubectl rollout undo daemonset " + s.set.Name)
	rollbacker, err := polymorphichelpers.RollbackerFor(kind, s.Client)
	scene.Must(err)
	said, err := rollbacker.Rollback(s.set, nil, 0, cmdutil.DryRunNone)
	scene.Must(err)
	scene.Saw("kubectl rollout undo says: %s", said)
	s.CatchUp(ctx, history.DaemonSet)
}

// restart is 'kubectl rollout restart'.
func (s *subject) restart(ctx context.Context) {
	GinkgoHelper()
	s.History.Mark("kubectl rollout restart daemonset " + s.set.Name)
	before, err := json.Marshal(s.set)
	scene.Must(err)
	after, err := polymorphichelpers.ObjectRestarterFn(s.set.DeepCopy())
	scene.Must(err)
	patch, err := strategicpatch.CreateTwoWayMergePatch(before, after, s.set)
	scene.Must(err)
	_, err = s.Client.AppsV1().DaemonSets(s.Namespace).Patch(ctx, s.set.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	scene.Must(err)
	s.CatchUp(ctx, history.DaemonSet)
}

// rolloutStatus is what 'kubectl rollout status' prints of a DaemonSet, and
// whether it ends there.
func rolloutStatus(daemonSet *appsv1.DaemonSet) (text string, done bool, err error) {
	viewer, err := polymorphichelpers.StatusViewerFor(kind)
	if err != nil {
		return "", false, err
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(daemonSet)
	if err != nil {
		return "", false, err
	}
	return viewer.Status(&unstructured.Unstructured{Object: object}, 0)
}

// pause is 'kubectl rollout pause', up to where it would send the change.
func pause(object runtime.Object) error {
	_, err := polymorphichelpers.ObjectPauserFn(object)
	return err
}

package scene

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
)

// Onlooker watches a namespace that is not rollcall's. It has no verb that
// changes anything.
type Onlooker struct{ scene *Scene }

// Watch records what happens in somebody else's namespace. What that concerns is
// not the spec's choice, so every node matters.
func (c *Cluster) Watch(ctx ginkgo.SpecContext, namespace string) *Onlooker {
	ginkgo.GinkgoHelper()
	// Without a namespace of its own, the scene has nothing to remove.
	scene := &Scene{Cluster: c, whole: true}
	ginkgo.DeferCleanup(scene.close)
	var err error
	scene.History, err = history.Record(context.WithoutCancel(ctx), history.Namespaced(c.Client, namespace))
	Must(err)
	return &Onlooker{scene}
}

// History is what was seen so far.
func (o *Onlooker) History() *history.Recorder { return o.scene.History }

// Await is Scene.Await.
func (o *Onlooker) Await(ctx context.Context, within limit.Limit, condition judge.Condition) *history.State {
	ginkgo.GinkgoHelper()
	return o.scene.Await(ctx, within, condition)
}

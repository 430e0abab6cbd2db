package judge

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"rollcall.dev/rollcall/framework/history"
)

// Endpoint returns the endpoint that a Pod is, or nil if it is none.
func Endpoint(state *history.State, pod *corev1.Pod) *discoveryv1.Endpoint {
	for _, slice := range state.EndpointSlices() {
		for i, endpoint := range slice.Endpoints {
			if endpoint.TargetRef != nil && endpoint.TargetRef.UID == pod.UID {
				return &slice.Endpoints[i]
			}
		}
	}
	return nil
}

// ReadyEndpoint is the condition that a Pod is a ready endpoint.
func ReadyEndpoint(pod *corev1.Pod) Condition {
	return asEndpoint(pod, "is a ready endpoint", func(e *discoveryv1.Endpoint) bool { return e != nil && isTrue(e.Conditions.Ready) })
}

// NoReadyEndpoint is the condition that a Pod is no ready endpoint.
func NoReadyEndpoint(pod *corev1.Pod) Condition {
	return asEndpoint(pod, "is no ready endpoint", func(e *discoveryv1.Endpoint) bool { return e == nil || !isTrue(e.Conditions.Ready) })
}

// LeavingEndpoint is the condition that a Pod is an endpoint that is not ready,
// terminates, and still serves.
func LeavingEndpoint(pod *corev1.Pod) Condition {
	return asEndpoint(pod, "is an endpoint that terminates, still serves and is not ready", func(e *discoveryv1.Endpoint) bool {
		return e != nil && !isTrue(e.Conditions.Ready) && isTrue(e.Conditions.Serving) && isTrue(e.Conditions.Terminating)
	})
}

func asEndpoint(pod *corev1.Pod, claim string, holds func(*discoveryv1.Endpoint) bool) Condition {
	return Condition{Claim: "Pod " + pod.Name + " " + claim, Lacks: func(state *history.State) string {
		if endpoint := Endpoint(state, pod); !holds(endpoint) {
			return "Pod " + pod.Name + " is " + describeEndpoint(endpoint)
		}
		return ""
	}}
}

func describeEndpoint(endpoint *discoveryv1.Endpoint) string {
	if endpoint == nil {
		return "no endpoint"
	}
	conditions := endpoint.Conditions
	return fmt.Sprintf("an endpoint: ready %t, serving %t, terminating %t",
		isTrue(conditions.Ready), isTrue(conditions.Serving), isTrue(conditions.Terminating))
}

func isTrue(condition *bool) bool { return condition != nil && *condition }

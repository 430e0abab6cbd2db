package cluster

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// renewal is how often a kubelet renews the Lease of its node: a quarter of
	// nodeLeaseDurationSeconds, 40 by default.
	renewal = 10 * time.Second
	// deadLease is an age at which a Lease says that its node is silent, which
	// its conditions say better.
	deadLease = 40 * time.Second
	// tolerance is the skew that is not worth a word, and the resolution of the
	// Date header that the clock is set by.
	tolerance = time.Second + time.Second
)

// warnOfSkew compares the clocks of the nodes with the API server's: each node
// writes its own time into its Lease. One that lags shows only when it lags by
// more than the time between two renewals.
func (c *Connection) warnOfSkew(ctx context.Context, findings *Findings) {
	leases, err := c.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease).List(ctx, metav1.ListOptions{})
	if err != nil {
		findings.warn("whether the nodes' clocks agree is not known: %s", cause(err))
		return
	}
	now := c.now()
	for _, lease := range leases.Items {
		if lease.Spec.RenewTime == nil {
			continue
		}
		switch age := now.Sub(lease.Spec.RenewTime.Time); {
		case age < -tolerance:
			findings.warn("the clock of node %s is ahead of the API server's by %s", lease.Name, (-age).Round(time.Second))
		case age > renewal+tolerance && age < deadLease:
			findings.warn("the clock of node %s is behind the API server's, or it renews its Lease late: %s ago", lease.Name, age.Round(time.Second))
		}
	}
}

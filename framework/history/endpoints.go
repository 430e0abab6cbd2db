package history

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// EndpointSlicesIn is the source of the EndpointSlices of a namespace, which only
// a few specs follow.
func EndpointSlicesIn(client kubernetes.Interface, namespace string) cache.ListerWatcherWithContext {
	return cache.NewListWatchFromClient(client.DiscoveryV1().RESTClient(), "endpointslices", namespace, fields.Everything())
}

// EndpointSlices returns every EndpointSlice.
func (s *State) EndpointSlices() []*discoveryv1.EndpointSlice {
	return Objects[*discoveryv1.EndpointSlice](s, EndpointSlice)
}

// Package nodeimage provides the image of kind's node containers for a
// Kubernetes version.
//
// kind's published image is the first choice. Where no registry is reachable
// the image is built here: Kubernetes, etcd, containerd, crictl and the CNI
// plugins from Go modules, the root file system from Debian's packages, kind's
// own files from the module sigs.k8s.io/kind. Each step has a key made of its
// inputs and is left out when its result with that key is there.
package nodeimage

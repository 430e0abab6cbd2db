// Package kind brings a local cluster up and down, with kind as a library.
//
// Create is all that a caller needs: it finds or sets up a container engine
// (package engine), finds or builds a node image (package nodeimage), and makes
// a cluster of one control-plane node and three lent workers, or returns the one
// that is there if it is healthy.
package kind

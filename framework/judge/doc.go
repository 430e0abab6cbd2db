// Package judge says whether a history keeps a promise. Judges are pure: they
// read a history and nothing else, ask no server and no clock, and so can be
// tested against good and bad histories without a cluster.
//
// A Judge is a claim about a whole history ("never", "at most", "in this
// order"); a Condition is a claim about one state, something to wait for.
// Both are Gomega matchers by shape.
package judge

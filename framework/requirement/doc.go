// Package requirement holds what rollcall checks, as data: a requirement is one
// documented, observable behaviour of Kubernetes, with the sentence, the page
// that promises it and what to do when a cluster breaks it. The catalogue is
// all of them. How a requirement is checked is the business of the suites.
package requirement

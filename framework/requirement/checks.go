package requirement

import "github.com/onsi/ginkgo/v2"

// Checks marks a spec as one that checks the requirements with these IDs. The
// first one is what the spec is about; the others are seen along the way.
func Checks(ids ...string) ginkgo.Labels { return ginkgo.Label(ids...) }

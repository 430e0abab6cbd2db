package release

var (
	// Version is rollcall's own version, such as v1.2.0.
	Version = "dev"
	// Image is the one image of this release: the Job runs it, and every Pod
	// that a spec starts.
	Image = "rollcall.dev/rollcall:dev"
)

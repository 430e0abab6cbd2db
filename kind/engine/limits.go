package engine

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"rollcall.dev/rollcall/kind/host"
)

// kernelLimit is a limit that all containers of a machine share.
type kernelLimit struct {
	name string
	// enough is what kind's known issues recommend. Each node and each Pod
	// that watches a file takes an instance; with the kernel's default of 128
	// the kubelets of a second cluster end in "too many open files".
	enough int
}

var kernelLimits = []kernelLimit{
	{"fs.inotify.max_user_instances", 512},
	{"fs.inotify.max_user_watches", 524288},
}

// path is the limit's file below a /proc/sys.
func (l kernelLimit) path(sys string) string {
	return sys + "/" + strings.ReplaceAll(l.name, ".", "/")
}

// tooLow reports the present value if it is below what is enough. A machine
// that does not show the limit keeps its own counsel.
func (l kernelLimit) tooLow(sys string) (present int, low bool) {
	content, err := os.ReadFile(l.path(sys))
	if err != nil {
		return 0, false
	}
	present, err = strconv.Atoi(strings.TrimSpace(string(content)))
	return present, err == nil && present < l.enough
}

// raiseLimits raises what is too low for some nodes on this machine, until its
// next start. Where that is not allowed it says what to do and goes on: one
// cluster mostly fits.
func raiseLimits(setup host.Setup, sys string) {
	for _, limit := range kernelLimits {
		present, low := limit.tooLow(sys)
		if !low {
			continue
		}
		setting := fmt.Sprintf("%s=%d", limit.name, limit.enough)
		if !setup.Allowed || !host.IsRoot() ||
			os.WriteFile(limit.path(sys), []byte(strconv.Itoa(limit.enough)), 0o644) != nil {
			setup.Progress.Note("%s is only %d: if nodes do not become Ready, run `sysctl -w %s` as root", limit.name, present, setting)
			continue
		}
		setup.Progress.Note("raised %s from %d to %d, for several nodes share it", limit.name, present, limit.enough)
	}
}

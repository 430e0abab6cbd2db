package host

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// capSysResource is CAP_SYS_RESOURCE's bit, from linux/capability.h.
const capSysResource = 24

// LacksSysResource reports whether a process may never hold CAP_SYS_RESOURCE,
// nor give it to a container. pid is a number or "self". A machine without
// /proc (macOS, where the engine lives in a virtual machine) lacks nothing that
// we could know of.
func LacksSysResource(pid string) bool {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return false
	}
	bounding, err := capabilitySet(status, "CapBnd")
	if err != nil {
		return false
	}
	return bounding&(1<<capSysResource) == 0
}

// capabilitySet reads one capability mask out of a /proc/PID/status file.
func capabilitySet(status []byte, name string) (uint64, error) {
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), name+":"); ok {
			return strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		}
	}
	return 0, fmt.Errorf("no line %s in the process status", name)
}

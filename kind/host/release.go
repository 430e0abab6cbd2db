package host

import (
	"bufio"
	"bytes"
	"os"
	"strings"
)

// IsDebian reports whether the machine is Debian itself, whose packages hold
// the docker.io and mmdebstrap that we know to work.
func IsDebian() bool {
	release, err := os.ReadFile("/etc/os-release")
	return err == nil && isDebian(release)
}

func isDebian(release []byte) bool {
	lines := bufio.NewScanner(bytes.NewReader(release))
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), "ID="); ok {
			return strings.Trim(value, `"'`) == "debian"
		}
	}
	return false
}

// HasSystemd reports whether systemd runs this machine, by the test that
// sd_booted(3) documents.
func HasSystemd() bool {
	info, err := os.Lstat("/run/systemd/system")
	return err == nil && info.IsDir()
}

// IsRoot reports whether we may change the machine.
func IsRoot() bool { return os.Geteuid() == 0 }

// CommandOf returns the name of a process's command, "" when it does not run.
func CommandOf(pid string) string {
	if pid == "" || strings.Trim(pid, "0123456789") != "" {
		return ""
	}
	name, err := os.ReadFile("/proc/" + pid + "/comm")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}

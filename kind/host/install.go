package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"rollcall.dev/rollcall/kind/progress"
)

// Setup is the permission to change the machine, and where to say so.
type Setup struct {
	Allowed  bool // false when the user said HOST_SETUP=no
	Progress *progress.Printer
}

// AllowedByEnvironment reads HOST_SETUP: everything but "no" allows.
func AllowedByEnvironment() bool { return os.Getenv("HOST_SETUP") != "no" }

// EnsureProgram makes a program available, from the Debian package that holds
// it where we may install one. The error says what to install otherwise.
func (s Setup) EnsureProgram(ctx context.Context, program, debianPackage string, estimate time.Duration) error {
	if _, err := exec.LookPath(program); err == nil {
		return nil
	}
	if reason := s.refusal(); reason != "" {
		return fmt.Errorf("%s is missing, and it is not installed for you because %s: install it (on Debian: apt-get install %s)",
			program, reason, debianPackage)
	}
	step := s.Progress.Start("Install Debian's "+debianPackage, estimate)
	return step.End(aptInstall(ctx, debianPackage))
}

// refusal is why nothing may be installed here, or "".
func (s Setup) refusal() string {
	switch {
	case !s.Allowed:
		return "HOST_SETUP=no forbids it"
	case !IsDebian():
		return "this machine is not Debian"
	case !IsRoot():
		return "only root could"
	}
	return ""
}

func aptInstall(ctx context.Context, packages ...string) error {
	install := Command{
		Args: append([]string{"apt-get", "install", "--yes", "--no-install-recommends"}, packages...),
		Env:  []string{"DEBIAN_FRONTEND=noninteractive"},
	}
	// The lists may be old or absent; a failing update alone is no reason to stop.
	_, updateErr := Run(ctx, "apt-get", "update")
	if _, err := install.Run(ctx); err != nil {
		if updateErr != nil {
			return fmt.Errorf("cannot install %s: %w", strings.Join(packages, " "), updateErr)
		}
		return fmt.Errorf("cannot install %s: %w", strings.Join(packages, " "), err)
	}
	return nil
}

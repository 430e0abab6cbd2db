package host

import (
	"context"
	"strings"
	"testing"
)

func TestCapabilitySet(t *testing.T) {
	const sysResource = 1 << capSysResource
	for _, test := range []struct {
		name, status string
		lacks        bool
	}{
		{"full", "Name:\tx\nCapEff:\t000001ffffffffff\nCapBnd:\t000001ffffffffff\n", false},
		{"without", "Name:\tx\nCapEff:\t000001fffeffffff\nCapBnd:\t000001fffeffffff\n", true},
		{"unprivileged user on a full machine", "CapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			set, err := capabilitySet([]byte(test.status), "CapBnd")
			if err != nil {
				t.Fatal(err)
			}
			if lacks := set&sysResource == 0; lacks != test.lacks {
				t.Errorf("lacks CAP_SYS_RESOURCE: %v, want %v", lacks, test.lacks)
			}
		})
	}
	if _, err := capabilitySet([]byte("Name:\tx\n"), "CapBnd"); err == nil {
		t.Error("a status without the line must be an error")
	}
}

func TestIsDebian(t *testing.T) {
	for release, want := range map[string]bool{
		"PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n": true,
		"ID=\"debian\"\n":             true,
		"ID=ubuntu\nID_LIKE=debian\n": false,
		"":                            false,
	} {
		if got := isDebian([]byte(release)); got != want {
			t.Errorf("isDebian(%q) = %v, want %v", release, got, want)
		}
	}
}

func TestRunErrorCarriesTheReason(t *testing.T) {
	_, err := Run(context.Background(), "sh", "-c", "echo one; echo the reason >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "the reason") {
		t.Errorf("got %v, want an error with the program's last line", err)
	}
}

func TestRefusalNamesWhatToInstall(t *testing.T) {
	err := Setup{}.EnsureProgram(context.Background(), "no-such-program", "some-package", 0)
	if err == nil || !strings.Contains(err.Error(), "apt-get install some-package") ||
		!strings.Contains(err.Error(), "HOST_SETUP=no") {
		t.Errorf("got %v", err)
	}
}

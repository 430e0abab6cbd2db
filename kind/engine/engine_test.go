package engine

import (
	"errors"
	"strings"
	"testing"

	"rollcall.dev/rollcall/kind/host"
)

func TestMergeDaemonConfig(t *testing.T) {
	for _, test := range []struct{ name, present, want string }{
		{
			"nothing there", "",
			`{
  "default-runtime": "runc-without-sys-resource",
  "runtimes": {
    "runc-without-sys-resource": {
      "path": "/usr/local/libexec/rollcall/runc-without-sys-resource"
    }
  }
}
`,
		},
		{
			"the user's settings stay",
			`{"log-driver":"local","runtimes":{"other":{"path":"/bin/other"}},"default-runtime":"runc"}`,
			`{
  "default-runtime": "runc-without-sys-resource",
  "log-driver": "local",
  "runtimes": {
    "other": {
      "path": "/bin/other"
    },
    "runc-without-sys-resource": {
      "path": "/usr/local/libexec/rollcall/runc-without-sys-resource"
    }
  }
}
`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := mergeDaemonConfig([]byte(test.present))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			again, err := mergeDaemonConfig(got)
			if err != nil || string(again) != test.want {
				t.Errorf("a second merge changed it: %v\n%s", err, again)
			}
		})
	}
}

func TestMergeRefuses(t *testing.T) {
	for name, present := range map[string]string{
		"a default runtime that the user chose": `{"default-runtime":"nvidia"}`,
		"a file that is not JSON":               `{"a":`,
	} {
		if _, err := mergeDaemonConfig([]byte(present)); err == nil {
			t.Errorf("%s must be an error", name)
		}
	}
}

func TestWhyNotOursHonoursTheUser(t *testing.T) {
	reason := whyNotOurs(t.Context(), host.Setup{Allowed: false}, errNoClient)
	if !strings.Contains(reason, "HOST_SETUP=no") || !strings.Contains(reason, "docker.io") {
		t.Errorf("got %q", reason)
	}
	t.Setenv("DOCKER_HOST", "tcp://elsewhere:2375")
	reason = whyNotOurs(t.Context(), host.Setup{Allowed: true}, errors.New("connection refused"))
	if !strings.Contains(reason, "elsewhere") {
		t.Errorf("an engine that the user chose elsewhere must be named, got %q", reason)
	}
}

func TestQuirksAreWhatTheEngineSays(t *testing.T) {
	if info := (Info{CgroupVersion: "2", DefaultRuntime: "runc"}); info.CgroupV1() || info.NoSysResource() {
		t.Errorf("an ordinary engine has no quirks: %+v", info)
	}
	if info := (Info{CgroupVersion: "1", DefaultRuntime: runtimeName}); !info.CgroupV1() || !info.NoSysResource() {
		t.Errorf("both quirks are to be seen: %+v", info)
	}
}

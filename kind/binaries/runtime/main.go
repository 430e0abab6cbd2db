// Command runtime stands before runc, as an OCI runtime, on a host whose root
// lacks CAP_SYS_RESOURCE. There every privileged container fails with "unable to
// apply caps: operation not permitted", because the engine asks for all
// capabilities that it knows of. So it takes that one capability out of what is
// asked for, and then becomes runc.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

const dropped = "CAP_SYS_RESOURCE"

func main() {
	if err := edit(os.Args[1:]); err != nil {
		fail(err)
	}
	runc, err := exec.LookPath("runc")
	if err != nil {
		fail(err)
	}
	fail(syscall.Exec(runc, append([]string{"runc"}, os.Args[1:]...), os.Environ()))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "runtime without "+dropped+":", err)
	os.Exit(1)
}

// edit changes the file that holds the capabilities of the process to start, if
// the arguments start one.
func edit(args []string) error {
	for i, arg := range args {
		switch arg {
		case "create", "run":
			bundle := option(args[i+1:], "--bundle", "-b")
			return editFile(filepath.Join(bundle, "config.json"), "process", "capabilities")
		case "exec":
			if process := option(args[i+1:], "--process", "-p"); process != "" {
				return editFile(process, "capabilities")
			}
			return nil
		}
	}
	return nil
}

// option returns the value of a flag, given as "--flag value" or "--flag=value".
func option(args []string, long, short string) string {
	for i, arg := range args {
		for _, name := range []string{long, short} {
			if value, ok := strings.CutPrefix(arg, name+"="); ok {
				return value
			}
			if arg == name && i+1 < len(args) {
				return args[i+1]
			}
		}
	}
	return ""
}

// editFile drops the capability from each of the sets that the path leads to,
// in a file of JSON.
func editFile(name string, path ...string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	edited, err := drop(content, path...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, edited, info.Mode().Perm())
}

func drop(content []byte, path ...string) ([]byte, error) {
	var document map[string]any
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber() // a limit of 2^63 must not become a float
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	node := document
	for _, key := range path {
		next, ok := node[key].(map[string]any)
		if !ok {
			return content, nil
		}
		node = next
	}
	for name, set := range node {
		if names, ok := set.([]any); ok {
			node[name] = without(names)
		}
	}
	return json.Marshal(document)
}

func without(names []any) []any {
	kept := []any{}
	for _, name := range names {
		if name != dropped {
			kept = append(kept, name)
		}
	}
	return kept
}

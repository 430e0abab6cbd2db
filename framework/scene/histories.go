package scene

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/onsi/ginkgo/v2"

	"rollcall.dev/rollcall/framework/history"
)

// keepHistory writes the history of the running spec to a file. It can be judged
// again without the cluster.
func (s *Scene) keepHistory() {
	file, err := writeHistory(s.Histories, ginkgo.CurrentSpecReport(), s.History.History)
	if err != nil {
		Saw("its history could not be kept: %v", err)
		return
	}
	Saw("its whole history is in %s", file)
}

// writeHistory names the file after what the spec checks and when it began.
func writeHistory(folder string, spec ginkgo.SpecReport, h *history.History) (name string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	about := "spec"
	if labels := spec.Labels(); len(labels) > 0 {
		about = labels[0]
	}
	name = filepath.Join(folder, fmt.Sprintf("%s-%s.jsonl", about, spec.StartTime.UTC().Format("20060102T150405.000")))
	file, err := os.Create(name)
	if err != nil {
		return "", err
	}
	return name, errors.Join(h.Write(file), file.Close())
}

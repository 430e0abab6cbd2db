package report

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"time"
)

// DefaultSonobuoyResults is the folder that Sonobuoy's worker watches, unless
// SONOBUOY_RESULTS_DIR names another one.
const DefaultSonobuoyResults = "/tmp/sonobuoy/results"

// Sonobuoy hands the report over as a Sonobuoy plugin does: an archive of every
// format in the results folder, and then a file called done that holds the
// archive's path. Sonobuoy takes the archive apart and reads junit.xml.
type Sonobuoy struct {
	// Dir is the results folder.
	Dir string
}

// SonobuoyResults returns the results folder that the plugin's environment
// names, or the default one.
func SonobuoyResults() string {
	if dir := os.Getenv("SONOBUOY_RESULTS_DIR"); dir != "" {
		return dir
	}
	return DefaultSonobuoyResults
}

// Save does nothing: Sonobuoy takes one result, and takes it once.
func (s Sonobuoy) Save(context.Context, *ConformanceReport) error { return nil }

// Finish writes the archive, and only then done.
func (s Sonobuoy) Finish(_ context.Context, r *ConformanceReport) error {
	data, err := archive(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(s.Dir, "rollcall.tar.gz")
	if err := replaceFile(path, data); err != nil {
		return err
	}
	return replaceFile(filepath.Join(s.Dir, "done"), []byte(path))
}

// archive packs every format of the report.
func archive(r *ConformanceReport) ([]byte, error) {
	var buffer bytes.Buffer
	zipped := gzip.NewWriter(&buffer)
	packed := tar.NewWriter(zipped)
	for _, format := range Formats {
		data, err := format.render(r)
		if err != nil {
			return nil, err
		}
		if err := pack(packed, format.File, data, r.Run.Started.Time); err != nil {
			return nil, err
		}
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

func pack(to *tar.Writer, name string, data []byte, at time.Time) error {
	header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: at}
	if err := to.WriteHeader(header); err != nil {
		return err
	}
	_, err := to.Write(data)
	return err
}

package report

import (
	"bytes"
	"os"
	"testing"
)

func TestOnlyATerminalIsColourful(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if Colourful(&bytes.Buffer{}) || Colourful(file) {
		t.Error("a buffer or a file is taken for a terminal")
	}
}

// Command imagearchive writes rollcall's image for one architecture as an
// archive like that of `docker save`, out of a folder of built programs.
//
// It stands beside the Dockerfile because Docker's legacy builder cannot build
// FROM scratch for an architecture other than its own. It needs no engine.
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	arch := flag.String("arch", "", "architecture of the programs, such as arm64")
	programs := flag.String("programs", "", "folder that becomes the image's root")
	tag := flag.String("tag", "", "the image's name")
	output := flag.String("output", "", "file to write")
	flag.Parse()
	if err := write(*arch, *programs, *tag, *output); err != nil {
		fmt.Fprintln(os.Stderr, "imagearchive:", err)
		os.Exit(1)
	}
}

func write(arch, programs, tag, output string) error {
	reference, err := name.ParseReference(tag)
	if err != nil {
		return err
	}
	image, err := build(arch, programs)
	if err != nil {
		return err
	}
	partial := output + ".partial"
	if err := tarball.WriteToFile(partial, reference, image); err != nil {
		return err
	}
	return os.Rename(partial, output)
}

// build makes the image that the Dockerfile describes.
func build(arch, programs string) (v1.Image, error) {
	root, err := archive(programs)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(root)), nil
	})
	if err != nil {
		return nil, err
	}
	base, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		OS:           "linux",
		Architecture: arch,
		RootFS:       v1.RootFS{Type: "layers"},
		Config:       v1.Config{User: "65532:65532", Entrypoint: []string{"/rollcall"}},
	})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(base, layer)
}

// archive packs a folder. Everything in it belongs to root and carries no time,
// so the same programs make the same image.
func archive(dir string) ([]byte, error) {
	var packed, plain bytes.Buffer
	writer := tar.NewWriter(&packed)
	if err := writer.AddFS(os.DirFS(dir)); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	err := anonymise(&packed, &plain)
	return plain.Bytes(), err
}

func anonymise(packed io.Reader, plain io.Writer) error {
	reader, writer := tar.NewReader(packed), tar.NewWriter(plain)
	for {
		header, err := reader.Next()
		if err == io.EOF {
			return writer.Close()
		}
		if err != nil {
			return err
		}
		clean := &tar.Header{Name: header.Name, Typeflag: header.Typeflag, Mode: header.Mode, Size: header.Size}
		if err := writer.WriteHeader(clean); err != nil {
			return err
		}
		if _, err := io.Copy(writer, reader); err != nil {
			return err
		}
	}
}

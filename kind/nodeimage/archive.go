package nodeimage

import (
	"archive/tar"
	"io"
	"os"
	"path"
	"path/filepath"
)

// archiveWriter writes a tar archive of files that belong to root and carry no
// time, so that the same files make the same archive. Folders need no entry:
// whoever unpacks makes them.
type archiveWriter struct{ tar *tar.Writer }

func newArchiveWriter(out io.Writer) archiveWriter {
	return archiveWriter{tar.NewWriter(out)}
}

func (a archiveWriter) content(name string, content []byte, mode int64) error {
	header := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: mode, Size: int64(len(content))}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	_, err := a.tar.Write(content)
	return err
}

func (a archiveWriter) link(name, target string) error {
	return a.tar.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: target, Mode: 0o777})
}

// file copies a file of this machine.
func (a archiveWriter) file(name, source string, mode int64) error {
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	header := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: mode, Size: info.Size()}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.Copy(a.tar, file)
	return err
}

// programs copies executables from one folder into another.
func (a archiveWriter) programs(to, from string, names ...string) error {
	for _, name := range names {
		if err := a.file(path.Join(to, name), filepath.Join(from, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func (a archiveWriter) close() error { return a.tar.Close() }

package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// replaceFile puts data at path so that a reader sees the old content or the
// new one, never a part of it, and so that it survives a crash of the machine.
// After an error the old file is as it was.
func replaceFile(path string, data []byte) error {
	return replaceFileBy(os.Rename, path, data)
}

func replaceFileBy(rename func(from, to string) error, path string, data []byte) error {
	temp, err := writeTemp(path, data)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if err := rename(temp, path); err != nil {
		return errors.Join(fmt.Errorf("cannot write %s: %w", path, err), os.Remove(temp))
	}
	return syncFolder(filepath.Dir(path))
}

// writeTemp writes data to a file beside path, through to the disk, and returns
// that file's name. After an error the file is gone.
func writeTemp(path string, data []byte) (string, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", err
	}
	_, wrong := file.Write(data)
	// Others than the user who ran it read a report, such as a CI's collector.
	err = errors.Join(wrong, file.Chmod(0o644), file.Sync(), file.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// syncFolder makes a rename in a folder last.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

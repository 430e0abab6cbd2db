package nodeimage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keyOf names a result by its inputs. Twelve hexadecimal digits tell some
// hundreds of results apart.
func keyOf(inputs ...string) string {
	hash := sha256.New()
	for _, input := range inputs {
		fmt.Fprintf(hash, "%d:%s", len(input), input)
	}
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

// contentOf is one input made of the files below the paths: their names and
// contents. Tests are left out, as they change no result.
func contentOf(paths ...string) (string, error) {
	var all strings.Builder
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
				return err
			}
			content, err := os.ReadFile(name)
			relative, _ := filepath.Rel(filepath.Dir(path), name)
			fmt.Fprintf(&all, "%s %d %s", relative, len(content), content)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return all.String(), nil
}

// A result folder holds files and, written last, the key of what they were made
// from. An interrupted step leaves no key.
const keyFile = ".key"

func isCurrent(dir, key string) bool {
	present, err := os.ReadFile(filepath.Join(dir, keyFile))
	return err == nil && string(present) == key
}

func makeCurrent(dir, key string, fill func() error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, keyFile)); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, keyFile), []byte(key), 0o644)
}

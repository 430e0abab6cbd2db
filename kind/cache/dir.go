package cache

import (
	"fmt"
	"os"
	"path/filepath"
)

// Dir returns a folder of our part of the user's cache, made if missing.
func Dir(elem ...string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w", err)
	}
	dir := filepath.Join(append([]string{base, "rollcall"}, elem...)...)
	return dir, os.MkdirAll(dir, 0o755)
}

//go:build unix

package nodeimage

import (
	"os"
	"path/filepath"
	"syscall"
)

// lock makes builds that share a cache take turns. The kernel releases it when
// the process ends, however it ends. waiting is called if another one holds it.
func lock(waiting func()) (unlock func(), err error) {
	dir, err := cacheDir()
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		waiting()
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
			return nil, err
		}
	}
	return func() { file.Close() }, nil
}

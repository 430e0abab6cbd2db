//go:build unix

package cache

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
)

// Lock makes processes that would be in each other's way take turns. The kernel
// releases it when its process ends, however it ends. waiting is called if another
// one holds it, and must be quick.
func Lock(ctx context.Context, name string, waiting func()) (unlock func(), err error) {
	dir, err := Dir()
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		waiting()
		if err := lockInTurn(ctx, file); err != nil {
			return nil, err
		}
	}
	return func() { file.Close() }, nil
}

// lockInTurn waits for the lock. The system call cannot be interrupted, so it is
// left behind when ctx ends, and what it gets then is given back.
func lockInTurn(ctx context.Context, file *os.File) error {
	done := make(chan error, 1)
	go func() { done <- syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		go func() {
			<-done
			file.Close()
		}()
		return context.Cause(ctx)
	}
}

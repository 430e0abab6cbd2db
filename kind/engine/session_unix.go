//go:build unix

package engine

import "syscall"

// ownSession detaches a child from our terminal and our signals.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

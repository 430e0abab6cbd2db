//go:build unix

package cache

import (
	"context"
	"errors"
	"testing"
)

func TestLockWaitsAndCanBeInterrupted(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	unlock, err := Lock(t.Context(), "a", func() { t.Error("nobody holds it") })
	if err != nil {
		t.Fatal(err)
	}
	other, err := Lock(t.Context(), "b", func() { t.Error("it is another lock") })
	if err != nil {
		t.Fatal(err)
	}
	other()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Lock(ctx, "a", cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("it waited in vain and says %v", err)
	}
	unlock()
	again, err := Lock(t.Context(), "a", func() {}) // what was left behind gives it back
	if err != nil {
		t.Fatal(err)
	}
	again()
}

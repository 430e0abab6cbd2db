//go:build !unix

package cache

import "context"

// Lock makes nobody take turns: only Unix has locks that end with their process.
func Lock(context.Context, string, func()) (unlock func(), err error) { return func() {}, nil }

// Package await waits for objects by watching them.
package await

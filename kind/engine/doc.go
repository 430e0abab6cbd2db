// Package engine finds a container engine that kind can use, and on a bare
// Debian machine installs and starts one.
//
// What the host beneath the engine cannot do is asked of the engine, never
// assumed: see Info.
package engine

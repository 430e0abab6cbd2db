// Package release says which rollcall this is: its version and the image that
// belongs to it. The linker sets both (-ldflags -X) in a build that ships.
package release

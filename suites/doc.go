// Package suites gathers the suites: what rollcall checks, an area a package.
package suites

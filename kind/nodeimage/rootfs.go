package nodeimage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rollcall.dev/rollcall/kind/cache"
	"rollcall.dev/rollcall/kind/host"
)

const (
	rootfsSuite      = "bookworm"
	rootfsRepository = "rollcall.dev/node-rootfs"
)

// rootfsPackages are kind's own list, less what only network and block storage
// need, plus runc.
var rootfsPackages = []string{
	"systemd", "systemd-sysv", "dbus",
	"conntrack", "iptables", "nftables", "iproute2", "ethtool", "util-linux", "mount", "kmod",
	"libseccomp2", "runc", "pigz", "e2fsprogs",
	"bash", "ca-certificates", "curl", "jq", "procps",
}

// rootfsOptions leave out what nobody reads inside a node.
var rootfsOptions = []string{
	"--variant=minbase",
	"--dpkgopt=path-exclude=/usr/share/doc/*",
	"--dpkgopt=path-exclude=/usr/share/man/*",
	"--dpkgopt=path-exclude=/usr/share/locale/*",
	"--dpkgopt=path-exclude=/usr/share/info/*",
}

func rootfsName() string {
	inputs := append([]string{"rootfs 1", rootfsSuite}, slices.Concat(rootfsPackages, rootfsOptions)...)
	return rootfsRepository + ":" + keyOf(inputs...)
}

// ensureRootfs gives the engine the root file system that the node image
// starts from, and returns its name.
func ensureRootfs(ctx context.Context, options Options) (string, error) {
	name := rootfsName()
	if _, err := host.Run(ctx, "docker", "image", "inspect", name); err == nil {
		return name, nil
	}
	archive, err := rootfsArchive(ctx, options, name)
	if err != nil {
		return "", err
	}
	_, err = host.Run(ctx, "docker", "import", archive, name)
	return name, err
}

// rootfsArchive returns the archive of the root file system, made if missing.
// It is kept, as an engine that starts afresh has lost its images.
func rootfsArchive(ctx context.Context, options Options, name string) (string, error) {
	dir, err := cache.Dir("rootfs")
	if err != nil {
		return "", err
	}
	archive := filepath.Join(dir, strings.TrimPrefix(name, rootfsRepository+":")+".tar")
	if _, err := os.Stat(archive); err == nil {
		return archive, nil
	}
	if err := options.Setup.EnsureProgram(ctx, "mmdebstrap", "mmdebstrap", 20*time.Second); err != nil {
		return "", fmt.Errorf("the root file system of the nodes is made of Debian packages: %w", err)
	}
	step := options.Progress.Start("Make the nodes' root file system from Debian packages", 150*time.Second)
	return archive, step.End(debootstrap(ctx, archive))
}

func debootstrap(ctx context.Context, archive string) error {
	partial := strings.TrimSuffix(archive, ".tar") + ".partial.tar"
	args := append([]string{"mmdebstrap"}, rootfsOptions...)
	args = append(args, "--include="+strings.Join(rootfsPackages, ","), rootfsSuite, partial)
	if _, err := host.Run(ctx, args...); err != nil {
		return err
	}
	return os.Rename(partial, archive)
}

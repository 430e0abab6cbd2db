package nodeimage

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const containerdConfig = "etc/containerd/config.toml"

// writeNodeFiles writes the archive of all that goes on top of the root file
// system: kind's files, ours, and the programs.
func writeNodeFiles(name string, recipe ingredients) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := newArchiveWriter(file)
	for _, write := range []func(archiveWriter, ingredients) error{writeKindFiles, writeOwnFiles, writePrograms} {
		if err := write(archive, recipe); err != nil {
			return err
		}
	}
	return archive.close()
}

func writeKindFiles(archive archiveWriter, recipe ingredients) error {
	return filepath.WalkDir(recipe.kindFiles, func(source string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(recipe.kindFiles, source)
		if err != nil || filepath.ToSlash(name) == containerdConfig {
			return err
		}
		return archive.file(filepath.ToSlash(name), source, kindMode(filepath.ToSlash(name)))
	})
}

// kindMode is the mode that kind's Dockerfile gives a file. The module cache
// has lost it.
func kindMode(name string) int64 {
	if strings.HasPrefix(name, "usr/local/bin/") || strings.HasPrefix(name, "kind/bin/") {
		return 0o755
	}
	return 0o644
}

func writeOwnFiles(archive archiveWriter, recipe ingredients) error {
	config, err := os.ReadFile(filepath.Join(recipe.kindFiles, containerdConfig))
	if err != nil {
		return err
	}
	network, err := ownFiles.ReadFile("files/containerd-network.toml")
	if err != nil {
		return err
	}
	if err := archive.content(containerdConfig, append(config, network...), 0o644); err != nil {
		return err
	}
	if err := archive.content("kind/version", []byte(recipe.version), 0o644); err != nil {
		return err
	}
	for _, each := range []struct{ name, source string }{
		{"etc/containerd/cni.conflist.template", "cni.conflist.template"},
		{"etc/pod-masquerade.nft", "pod-masquerade.nft"},
		{"etc/systemd/system/pod-masquerade.service", "pod-masquerade.service"},
		{"kind/manifests/default-cni.yaml", "default-cni.yaml"},
		{"kind/manifests/default-storage.yaml", "default-storage.yaml"},
	} {
		content, err := ownFiles.ReadFile("files/" + each.source)
		if err != nil {
			return err
		}
		if err := archive.content(each.name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writePrograms(archive archiveWriter, recipe ingredients) error {
	if err := archive.programs("usr/bin", recipe.kubernetes.dir, kubernetesProgram); err != nil {
		return err
	}
	for _, name := range []string{"kubeadm", "kubectl", "kubelet"} {
		if err := archive.link("usr/bin/"+name, kubernetesProgram); err != nil {
			return err
		}
	}
	if err := archive.programs("usr/local/bin", recipe.tools.dir, runtimePrograms...); err != nil {
		return err
	}
	return archive.programs("opt/cni/bin", recipe.tools.dir, networkPrograms...)
}

var sandboxPattern = regexp.MustCompile(`(?m)^\s*sandbox_image\s*=\s*"([^"]+)"`)

// sandboxImage is the pause image that kind's containerd configuration names.
func sandboxImage(kindFiles string) (string, error) {
	config, err := os.ReadFile(filepath.Join(kindFiles, containerdConfig))
	if err != nil {
		return "", err
	}
	found := sandboxPattern.FindSubmatch(config)
	if found == nil {
		return "", fmt.Errorf("%s names no sandbox_image", filepath.Join(kindFiles, containerdConfig))
	}
	return string(found[1]), nil
}

func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

package kind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"rollcall.dev/rollcall/kind/host"
)

// Load copies images of the engine into every node that does not hold them yet.
func (c *Cluster) Load(ctx context.Context, images ...string) error {
	present, err := c.Nodes()
	if err != nil {
		return err
	}
	if len(present) == 0 {
		return fmt.Errorf("there is no cluster %s: make it with `rollcall kind create`", c.Name)
	}
	for _, image := range images {
		if err := c.loadOne(ctx, image, present); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) loadOne(ctx context.Context, image string, present []nodes.Node) error {
	id, err := host.Run(ctx, "docker", "image", "inspect", "--format", "{{.Id}}", image)
	if err != nil {
		return fmt.Errorf("the engine holds no image %s: build or pull it first", image)
	}
	lacking := lackingImage(present, image, id)
	if len(lacking) == 0 {
		c.progress.Note("all nodes hold %s", image)
		return nil
	}
	step := c.progress.Start(fmt.Sprintf("Load %s into %d nodes", image, len(lacking)), 0)
	return step.End(copyImage(ctx, image, lacking))
}

// lackingImage are the nodes on which the name does not stand for that image.
func lackingImage(present []nodes.Node, image, id string) []nodes.Node {
	var lacking []nodes.Node
	for _, node := range present {
		if held, err := nodeutils.ImageID(node, image); err != nil || held != id {
			lacking = append(lacking, node)
		}
	}
	return lacking
}

func copyImage(ctx context.Context, image string, to []nodes.Node) error {
	scratch, err := os.MkdirTemp("", "rollcall-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	archive := filepath.Join(scratch, "image.tar")
	if _, err := host.Run(ctx, "docker", "save", "--output", archive, image); err != nil {
		return err
	}
	group, _ := errgroup.WithContext(ctx)
	for _, node := range to {
		group.Go(func() error { return loadArchive(node, archive) })
	}
	return group.Wait()
}

func loadArchive(node nodes.Node, archive string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := nodeutils.LoadImageArchive(node, file); err != nil {
		return fmt.Errorf("cannot load an image into %s: %w", node, err)
	}
	return nil
}

// LoadArchive copies an image archive, as `docker save` writes it, into every
// node.
func (c *Cluster) LoadArchive(ctx context.Context, archive string) error {
	present, err := c.Nodes()
	if err != nil {
		return err
	}
	if len(present) == 0 {
		return errors.New("there is no cluster " + strings.TrimSpace(c.Name))
	}
	group, _ := errgroup.WithContext(ctx)
	for _, node := range present {
		group.Go(func() error { return loadArchive(node, archive) })
	}
	return group.Wait()
}

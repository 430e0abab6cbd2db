package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/nodeimage"
	"rollcall.dev/rollcall/kind/progress"
)

// newKindCommand is the verb "kind". Progress goes to messages, results to the
// command's own output.
func newKindCommand(messages io.Writer) *cobra.Command {
	printer := progress.New(messages)
	command := &cobra.Command{
		Use:   "kind",
		Short: "Create, use and delete a local cluster",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(
		newKindCreateCommand(printer),
		newKindDeleteCommand(printer),
		newKindLoadCommand(printer),
		newKindBuildImageCommand(printer),
		newKindMutantsCommand(printer),
	)
	return command
}

func newKindCreateCommand(printer *progress.Printer) *cobra.Command {
	options := kind.Options{Progress: printer}
	command := &cobra.Command{
		Use:   "create",
		Short: "Bring up a cluster of one control-plane node and three lent workers",
		Long: `Bring up a cluster of one control-plane node and three lent workers, or leave
the one that is there if it is healthy.

Where no container engine is reachable and the user is root on Debian, Docker is
installed and started; HOST_SETUP=no forbids that. Where kind's published node
image cannot be pulled, it is built from Go modules and Debian packages.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := options.Validate(); err != nil {
				return exit.Usagef("%w", err)
			}
			options.HostSetup = host.AllowedByEnvironment()
			cluster, err := kind.Create(cmd.Context(), options)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "cluster %s is ready: kubectl --context %s get nodes\n", cluster.Name, cluster.Context())
			return nil
		},
	}
	addKindNameFlag(command, &options.Name)
	addKindImageFlags(command, &options)
	command.Flags().StringVar(&options.Image, "image", "", "node image to use as it is, instead of finding or building one")
	command.Flags().StringVar(&options.Kubeconfig, "kubeconfig", "", "file to write the cluster's kubeconfig to, beside the usual place")
	return command
}

func newKindDeleteCommand(printer *progress.Printer) *cobra.Command {
	var name string
	command := &cobra.Command{
		Use:   "delete",
		Short: "Take the cluster away",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return kind.Delete(cmd.Context(), name, printer)
		},
	}
	addKindNameFlag(command, &name)
	return command
}

func newKindLoadCommand(printer *progress.Printer) *cobra.Command {
	var name string
	command := &cobra.Command{
		Use:   "load IMAGE...",
		Short: "Copy images from the container engine into every node that lacks them",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, images []string) error {
			return kind.Open(name, printer).Load(cmd.Context(), images...)
		},
	}
	addKindNameFlag(command, &name)
	return command
}

func newKindBuildImageCommand(printer *progress.Printer) *cobra.Command {
	options := kind.Options{Progress: printer, ImageSource: nodeimage.Build}
	command := &cobra.Command{
		Use:   "build-image",
		Short: "Build the node image, without a cluster",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := options.Validate(); err != nil {
				return exit.Usagef("%w", err)
			}
			options.HostSetup = host.AllowedByEnvironment()
			image, err := kind.BuildImage(cmd.Context(), options)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), image.Name)
			return nil
		},
	}
	addKindImageFlags(command, &options)
	return command
}

func addKindNameFlag(command *cobra.Command, name *string) {
	command.Flags().StringVar(name, "name", kind.DefaultName, "name of the cluster; its kubeconfig context is kind-NAME")
}

func addKindImageFlags(command *cobra.Command, options *kind.Options) {
	if options.ImageSource == "" {
		options.ImageSource = nodeimage.Auto
	}
	command.Flags().StringVar(&options.KubernetesVersion, "kubernetes-version", "", "Kubernetes version (default "+nodeimage.DefaultVersion+")")
	command.Flags().StringVar((*string)(&options.ImageSource), "image-source", string(options.ImageSource), "where the node image comes from: auto, pull (kind's published one) or build (asks no registry)")
	command.Flags().StringVar(&options.BinariesDir, "binaries-dir", "", "folder kind/binaries of a checkout (default: looked for from here upwards)")
}

package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/release"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Tell which rollcall this is",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(cmd.OutOrStdout(), "rollcall %s (%s/%s, %s), image %s\n", release.Version, runtime.GOOS, runtime.GOARCH, runtime.Version(), release.Image)
			return nil
		},
	}
}

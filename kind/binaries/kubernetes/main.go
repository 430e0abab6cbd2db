// Command kubernetes is every Kubernetes component that a kind node runs, in
// one binary. It behaves as the component it is called by, so the node image
// holds one file and a link for each name. One link step instead of seven is
// what makes an offline build bearable on a small machine.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubeadm "k8s.io/kubernetes/cmd/kubeadm/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"

	_ "time/tzdata" // CronJobs name time zones, and a scratch image has no zone files

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
)

func main() {
	name := filepath.Base(os.Args[0])
	run, ok := components[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "kubernetes: no component is called %q\n", name)
		os.Exit(64)
	}
	os.Exit(run())
}

var components = map[string]func() int{
	"kube-apiserver":          serve(apiserver.NewAPIServerCommand),
	"kube-controller-manager": serve(controllermanager.NewControllerManagerCommand),
	"kube-scheduler":          serve(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
	"kube-proxy":              serve(proxy.NewProxyCommand),
	"kubelet":                 runKubelet,
	"kubeadm":                 runKubeadm,
	"kubectl":                 runKubectl,
}

func serve(command func() *cobra.Command) func() int {
	return func() int { return cli.Run(command()) }
}

func runKubeadm() int {
	util.CheckErr(kubeadm.Run())
	return 0
}

func runKubectl() int {
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
	return 0
}

func runKubelet() int {
	return cli.Run(kubelet.NewKubeletCommand(context.Background()))
}

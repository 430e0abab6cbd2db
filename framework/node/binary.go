package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Binary is a kubectl that the user ships, run against one cluster.
type Binary struct {
	// Path is the program's.
	Path   string
	Config *rest.Config
}

// Run runs a command with a kubeconfig that holds just the one cluster.
func (b Binary) Run(ctx context.Context, args ...string) (Answer, error) {
	file, err := b.kubeconfig()
	if err != nil {
		return Answer{}, err
	}
	defer os.Remove(file)
	command := exec.CommandContext(ctx, b.Path, bounded(args)...)
	command.Env = append(os.Environ(), clientcmd.RecommendedConfigPathEnvVar+"="+file, "LC_ALL=C")
	// It may be in the middle of an eviction: let it end that.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 5 * time.Second
	var out, errOut bytes.Buffer
	command.Stdout, command.Stderr = &out, &errOut
	err = command.Run()
	answer := Answer{Out: out.String(), Err: errOut.String(), Code: command.ProcessState.ExitCode()}
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return answer, context.Cause(ctx)
	case errors.As(err, &ended):
		return answer, nil
	case err != nil:
		return answer, fmt.Errorf("kubectl cannot be run: %w", err)
	}
	return answer, nil
}

// kubeconfig writes a file that only this user may read, and returns its path.
func (b Binary) kubeconfig() (string, error) {
	file, err := os.CreateTemp("", "rollcall-kubeconfig-")
	if err != nil {
		return "", err
	}
	file.Close()
	if err := clientcmd.WriteToFile(kubeconfigOf(b.Config), file.Name()); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

func kubeconfigOf(config *rest.Config) clientcmdapi.Config {
	const name = "rollcall"
	file := clientcmdapi.NewConfig()
	file.Clusters[name] = &clientcmdapi.Cluster{
		Server: config.Host + config.APIPath, TLSServerName: config.ServerName, InsecureSkipTLSVerify: config.Insecure,
		CertificateAuthority: config.CAFile, CertificateAuthorityData: config.CAData,
	}
	file.AuthInfos[name] = &clientcmdapi.AuthInfo{
		ClientCertificate: config.CertFile, ClientCertificateData: config.CertData,
		ClientKey: config.KeyFile, ClientKeyData: config.KeyData,
		Token: config.BearerToken, TokenFile: config.BearerTokenFile,
		Username: config.Username, Password: config.Password,
		Impersonate: config.Impersonate.UserName, ImpersonateGroups: config.Impersonate.Groups,
		ImpersonateUID: config.Impersonate.UID, ImpersonateUserExtra: config.Impersonate.Extra,
		Exec: config.ExecProvider, AuthProvider: config.AuthProvider,
	}
	file.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	file.CurrentContext = name
	return *file
}

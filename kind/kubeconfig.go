package kind

// Kubeconfig is the content of a kubeconfig file that reaches the cluster from
// this machine, for those who must not touch the user's own.
func (c *Cluster) Kubeconfig() (string, error) { return c.provider.KubeConfig(c.Name, false) }

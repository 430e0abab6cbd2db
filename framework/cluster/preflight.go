package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/requirement"
)

// The releases that the catalogue was written for. An older one is refused, on
// a newer one a requirement may have changed.
var (
	oldestVersion = version.MustParseGeneric("1.29")
	newestVersion = version.MustParseGeneric("1.37")
)

const (
	// preflightTime bounds what a preflight tries.
	preflightTime = 22 * time.Second
	// removalTime bounds the wait for its namespace to be gone. Together they
	// stay below the half minute in which a user wants to know.
	removalTime = 7 * time.Second
)

// Settings is what a preflight needs to know about the run.
type Settings struct {
	Level requirement.Level
	RunID string
	// Namespace is rollcall's own.
	Namespace string
	// Image is what every Pod of a spec runs.
	Image string
	// PullSecret is what the image is pulled with; nil if it needs none.
	PullSecret *corev1.Secret
	Facts      *Facts
}

// Findings is what a preflight found that does not keep the run from beginning.
type Findings struct {
	// Warnings are what an operator should know, a line each.
	Warnings []string
	// Lacking is the capabilities that the cluster does not offer, and why.
	Lacking map[requirement.Capability]string
}

func (f *Findings) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// Preflight finds out within half a minute whether a run can begin. Whatever keeps
// it from that is an exit.EnvironmentError of one line, and then nothing is left
// behind; otherwise a namespace may be on its way out, which carries the run's ID.
// The cheap questions come first, and nothing is created before they are
// answered.
func (c *Connection) Preflight(ctx context.Context, settings Settings) (*Findings, error) {
	ctx, cancel := context.WithTimeout(ctx, preflightTime)
	defer cancel()
	findings := &Findings{Lacking: map[requirement.Capability]string{}}
	if err := findings.weigh(settings.Facts); err != nil {
		return nil, err
	}
	if settings.Level.Reaches(requirement.Node) {
		findings.Warnings = append(findings.Warnings, settings.Facts.spared...)
	}
	if err := c.demandRights(ctx, settings); err != nil {
		return nil, err
	}
	if err := c.refuseSecond(ctx, settings.Namespace, settings.RunID); err != nil {
		return nil, err
	}
	if err := c.warnOfLeftovers(ctx, findings, settings); err != nil {
		return nil, err
	}
	c.warnOfSkew(ctx, findings)
	return findings, c.tryOut(ctx, findings, settings)
}

// weigh judges what is known already: the version and the nodes.
func (f *Findings) weigh(facts *Facts) error {
	minor := version.MajorMinor(facts.Version.Major(), facts.Version.Minor())
	if minor.LessThan(oldestVersion) {
		return exit.Environmentf("the cluster runs Kubernetes %s; rollcall knows the promises of %s and later", facts.GitVersion, oldestVersion)
	}
	if newestVersion.LessThan(minor) {
		f.warn("the cluster runs Kubernetes %s; the catalogue was written for %s and earlier", facts.GitVersion, newestVersion)
	}
	nodes := facts.OnRoster()
	if !slices.ContainsFunc(nodes, func(n Node) bool { return n.Ready }) {
		return exit.Environmentf("no node can be checked: of %d nodes, %d are on the roster and none of them is Ready", len(facts.Nodes), len(nodes))
	}
	f.weighTaints(nodes)
	f.weighCapacity(nodes)
	return nil
}

// weighTaints warns where an ordinary Pod has nowhere to go.
func (f *Findings) weighTaints(nodes []Node) {
	var keys []string
	for _, node := range nodes {
		taint := repelling(&node.Node)
		if taint == "" {
			return
		}
		if !controlPlane(&node.Node) {
			keys = append(keys, taint)
		}
	}
	slices.Sort(keys)
	f.warn("no node takes an ordinary Pod: every worker has a taint (%s)", strings.Join(slices.Compact(keys), ", "))
}

// weighCapacity notes what too few nodes make impossible.
func (f *Findings) weighCapacity(nodes []Node) {
	open := 0
	for _, node := range nodes {
		if node.Ready && repelling(&node.Node) == "" {
			open++
		}
	}
	if open < 1 {
		f.Lacking[requirement.OneNode] = "no Ready node takes an ordinary Pod"
	}
	if open < 2 {
		f.Lacking[requirement.TwoNodes] = fmt.Sprintf("it needs two Ready nodes that take an ordinary Pod; there is %d", open)
	}
	if !slices.ContainsFunc(nodes, func(n Node) bool { return n.Lent }) {
		f.Lacking[requirement.LentNode] = "no node is lent: label one with " + LentLabel + "=true"
	}
	f.Lacking[requirement.NodeObjects] = "not probed"
}

// repelling returns the first taint that keeps an ordinary Pod away.
func repelling(node *corev1.Node) string {
	for _, taint := range node.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoSchedule || taint.Effect == corev1.TaintEffectNoExecute {
			return taint.ToString()
		}
	}
	return ""
}

// demandRights names the rights that are missing, the first few in full.
func (c *Connection) demandRights(ctx context.Context, settings Settings) error {
	needs := Needs{Level: settings.Level, Namespace: settings.Namespace}
	if settings.PullSecret != nil {
		needs.PullSecret = settings.PullSecret.Name
	}
	missing, err := c.Missing(ctx, needs)
	if err != nil || len(missing) == 0 {
		return err
	}
	return exit.Environmentf("you lack rights: %s; 'rollcall manifests --level %s' prints those that a run needs",
		Summary(missing), settings.Level)
}

// warnOfLeftovers names the earlier runs that left namespaces behind.
func (c *Connection) warnOfLeftovers(ctx context.Context, findings *Findings, settings Settings) error {
	namespaces, err := c.Client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{LabelSelector: RunLabel})
	if err != nil {
		return environment(err, "looking for what earlier runs left")
	}
	var left []string
	for _, namespace := range namespaces.Items {
		mine := namespace.Labels[RunLabel] == settings.RunID || namespace.Name == settings.Namespace
		if !mine && namespace.DeletionTimestamp == nil {
			left = append(left, namespace.Name)
		}
	}
	if len(left) > 0 {
		findings.warn("an earlier run left %s; 'rollcall cleanup' removes what is left", firstOf(left))
	}
	return nil
}

// tryOut does, once and in a namespace for the purpose, what the specs will do.
func (c *Connection) tryOut(ctx context.Context, findings *Findings, settings Settings) error {
	scratch, err := c.openScratch(ctx, settings.RunID)
	if scratch == nil {
		return err
	}
	if err == nil {
		err = scratch.tryOut(ctx, findings, settings)
	}
	stays := scratch.remove(ctx)
	if err != nil {
		scratch.awaitGone(ctx)
		return err
	}
	if stays != nil {
		findings.warn("%s", stays)
	}
	return nil
}

func (s *scratch) tryOut(ctx context.Context, findings *Findings, settings Settings) error {
	changes, err := s.tryFixture(ctx, settings)
	if err != nil {
		return err
	}
	findings.Warnings = append(findings.Warnings, changes...)
	s.probeCapabilities(ctx, findings, settings)
	findings.Warnings = append(findings.Warnings, s.foreignLimits(ctx)...)
	if !settings.Level.Reaches(requirement.Namespace) {
		return nil
	}
	if err := s.copyPullSecret(ctx, settings.PullSecret); err != nil {
		return err
	}
	unknown, err := s.probeImage(ctx, settings)
	findings.Warnings = append(findings.Warnings, unknown...)
	return err
}

func (s *scratch) copyPullSecret(ctx context.Context, secret *corev1.Secret) error {
	if secret == nil {
		return nil
	}
	duplicate := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret.Name}, Type: secret.Type, Data: secret.Data}
	_, err := s.Client.CoreV1().Secrets(s.name).Create(ctx, duplicate, metav1.CreateOptions{})
	if err != nil {
		return environment(err, "copying the pull secret %s", secret.Name)
	}
	return nil
}

package judge_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

// recordings is where there are histories of specs as they really happened:
// bad/MUTANT.jsonl with that mutant and good/ID.jsonl, of the same spec, with
// nothing broken.
const recordings = "testdata/recorded"

// largest is how many bytes a recording may have.
const largest = 50 << 10

// recorded says of each mutant which judge must find it out, and what it says. In
// the good recording, the same judge must find nothing.
var recorded = []struct {
	mutant, good string
	judge        func(recording) matcher
	says         string
}{
	// Tolerations.
	{
		"forgets-disk-pressure-toleration", "TOL-01", func(r recording) matcher {
			d := r.daemonSet("agent")
			want := slices.Concat(judge.AutomaticTolerations(false), d.Spec.Template.Spec.Tolerations)
			return judge.EveryPod(d.UID, "tolerates what is documented", judge.NotTolerating(want))
		}, "lacks node.kubernetes.io/disk-pressure:NoSchedule",
	},
	{
		"evicts-at-once-whatever-the-seconds", "TOL-12", func(r recording) matcher {
			return judge.StaysAtLeast(r.pod("patient"), r.mark("taint node"), 5*time.Second)
		}, "is asked to go after",
	},
	{
		"does-not-cancel-an-eviction", "TOL-13", func(r recording) matcher {
			return judge.Undisturbed(r.pod("spared"))
		}, "goes, and nobody asked for it",
	},

	// Coverage.
	{
		"takes-no-schedule-for-no-matter", "COV-01", func(r recording) matcher {
			d := r.daemonSet("agent")
			return judge.NeverElsewhere(d.UID, r.nodes(d))
		}, "where it does not belong: taint node-role.kubernetes.io/control-plane:NoSchedule",
	},
	{
		"does-not-look-at-selector-and-affinity", "COV-02", func(r recording) matcher {
			d := r.daemonSet("chosen")
			return judge.NeverElsewhere(d.UID, r.nodes(d))
		}, "where it does not belong: nodeSelector asks for kubernetes.io/hostname=",
	},
	{
		"names-pods-without-a-hyphen", "COV-19", func(r recording) matcher {
			return judge.EveryPod(r.daemonSet("agent").UID, "is named after it", judge.NotNamedAfter("agent"))
		}, `has the generateName "agent", not "agent-"`,
	},
	{
		"does-not-block-the-deletion-of-the-owner", "COV-21", func(r recording) matcher {
			d := r.daemonSet("agent")
			return judge.EveryPod(d.UID, "refers to it as its one owner", judge.NotOwned(d))
		}, "blockOwnerDeletion false",
	},
	{
		"adds-its-aim-to-the-affinity-of-the-template", "COV-23", func(r recording) matcher {
			d := r.daemonSet("agent")
			return judge.EveryPod(d.UID, "is aimed at its node", judge.NotAimed(d.Spec.Template.Spec, r.nodes(d)))
		}, "not that of one node",
	},
	{
		"binds-its-pods-itself", "COV-24", func(r recording) matcher {
			return judge.FirstSeen(r.daemonSet("agent").UID, "is bound to no node", judge.Bound)
		}, "is bound to node",
	},
	{
		"takes-every-pod-that-its-selector-matches", "COV-36", func(r recording) matcher {
			return judge.ControlledBy(r.pod("stray"), r.daemonSet("agent").UID)
		}, "Pod stray: Pending",
	},
	{
		"leaves-failed-pods", "COV-35", func(r recording) matcher {
			return judge.ReplacesFailed(r.daemonSet("giant").UID)
		}, "1 Pods failed; on 0 nodes one was deleted",
	},

	// Updates.
	{
		"takes-one-node-more-than-the-budget", "UPD-04", func(r recording) matcher {
			return r.rollout("agent").UnavailableAtMost(1)
		}, "on 2 nodes the update has taken the available Pod",
	},
	{
		"does-not-wait-for-the-old-pod-to-end", "UPD-04", func(r recording) matcher {
			return judge.AtMostOneUnfinished(r.daemonSet("agent").UID)
		}, "has the Pods",
	},
	{
		"deletes-the-old-pod-before-the-new-one-is-available", "UPD-07", func(r recording) matcher {
			return r.rollout("agent").AvailableThroughout()
		}, "on 1 nodes the update has taken the available Pod",
	},
	{
		"surges-on-one-node-more", "UPD-07", func(r recording) matcher {
			return r.rollout("agent").SurgeAtMost(1)
		}, "on 2 nodes there is a second Pod",
	},
	{
		"does-not-raise-the-revision-of-a-rollback", "UPD-10", func(r recording) matcher {
			return judge.RevisionsAre(r.daemonSet("agent").UID, 2, 3)
		}, "it has [1 2]",
	},
	{
		"removes-the-newest-revisions-first", "UPD-16", func(r recording) matcher {
			return judge.RevisionsAre(r.daemonSet("agent").UID, 3, 4, 5)
		}, "it has [",
	},

	// Nodes and drains.
	{
		"no-schedule-evicts", "NODE-02", func(r recording) matcher {
			return judge.KeptReady(r.pod("before"))
		}, "terminating",
	},
	{
		"nodes-join-without-the-taint-not-ready", "NODE-01", func(r recording) matcher {
			joined := r.firstSeen(history.Node, r.named("make simulated node "))
			return judge.BornWith(joined.GetUID(), corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule})
		}, "it is created NotReady",
	},
	{
		"takes-no-notice-of-leases", "NODE-04", func(r recording) matcher {
			return judge.Unreachable(r.named("silence node "))
		}, "it has Ready=True",
	},
	{
		"drain-deletes-the-pods-that-it-ignores", "DRN-04", func(r recording) matcher {
			return judge.NoneLeavesBut(r.daemonSet("agent").UID)
		}, "goes, and nobody asked for it",
	},

	// Init containers.
	{
		"starts-the-next-init-container-beside-the-first", "INI-01", func(r recording) matcher {
			return judge.InitInOrder(r.pod("ordered"))
		}, "has started second although first has not succeeded",
	},
	{
		"says-initialized-too-early", "INI-03", func(r recording) matcher {
			return judge.PendingWhileInitializing(r.pod("initializing"))
		}, "has condition Initialized while it initializes",
	},
	{
		"app-does-not-wait-for-init", "INI-02", func(r recording) matcher {
			return judge.AppWaitsForInit(r.pod("waiting"))
		}, "has started app although prepare has not succeeded",
	},
	{
		"takes-a-failed-init-container-for-done", "INI-07", func(r recording) matcher {
			return judge.Attempts(r.pod("flaky"), "flaky", 7, 7, 0)
		}, "does not report the end of attempt 3",
	},
	{
		"does-not-back-off", "INI-08", func(r recording) matcher {
			return judge.BacksOff(r.pod("failing"), "fails", 9*time.Second, 19*time.Second)
		}, "starts attempt 3 only",
	},

	// Sidecars.
	{
		"does-not-wait-for-the-startup-probe-of-a-sidecar", "SID-02", func(r recording) matcher {
			return judge.SidecarsFirst(r.pod("probed"))
		}, "has started next although sidecar proxy has not",
	},
	{
		"readiness-leaves-out-sidecars", "SID-03", func(r recording) matcher {
			return judge.ReadyOnlyWith(r.pod("probed"), "proxy")
		}, "is Ready without proxy",
	},

	// Termination.
	{
		"every-pod-gets-the-default-grace-period", "TERM-01", func(r recording) matcher {
			return judge.GraceGranted(r.pod("agent"), 77)
		}, "is given 30 seconds",
	},
	{
		"kills-at-once", "TERM-02", func(r recording) matcher {
			return judge.LastsAfterDeletion(r.pod("stubborn"), "app", 8*time.Second)
		}, "reports its end after 4",
	},
	{
		"does-not-run-pre-stop", "TERM-03", func(r recording) matcher {
			return judge.Reported(r.pod("handled"), "app", "handler begins", "handler ends", "asked to end")
		}, `leaves the message "asked to end" by app`,
	},
	{
		"pre-stop-has-a-grace-period-of-its-own", "TERM-03-in-time", func(r recording) matcher {
			return judge.EndsBefore(r.pod("handled"), r.pod("later"), "app")
		}, "Pod later has ended, and Pod handled has not",
	},
	{
		"deleted-pods-end-in-no-phase", "TERM-05", func(r recording) matcher {
			return judge.RemovedIn(r.pod("good"), corev1.PodSucceeded)
		}, "is removed as",
	},
}

func TestRecordedMutantsAreFoundOut(t *testing.T) {
	for _, r := range recorded {
		t.Run(r.mutant, func(t *testing.T) {
			bad := load(t, "bad", r.mutant)
			breaks(t, r.judge(bad), bad.History, r.says)
			good := load(t, "good", r.good)
			holds(t, r.judge(good), good.History)
		})
	}
}

func TestRecordingsAreUsedAndSmall(t *testing.T) {
	var used []string
	for _, r := range recorded {
		used = append(used, nameOf("bad", r.mutant), nameOf("good", r.good))
	}
	files, err := filepath.Glob(nameOf("*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.Contains(used, file) {
			t.Errorf("no judge reads %s", file)
		}
		if info, err := os.Stat(file); err != nil || info.Size() > largest {
			t.Errorf("%s has more than %d bytes (%v)", file, largest, err)
		}
	}
}

// recording is a history that tells the parameters of its judge.
type recording struct {
	*testing.T
	*history.History
}

func nameOf(kind, name string) string { return filepath.Join(recordings, kind, name+".jsonl") }

func load(t *testing.T, kind, name string) recording {
	t.Helper()
	file, err := os.Open(nameOf(kind, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	h, err := history.Read(file)
	if err != nil {
		t.Fatalf("%s: %v", file.Name(), err)
	}
	return recording{t, h}
}

func (r recording) daemonSet(name string) *appsv1.DaemonSet {
	return r.firstSeen(history.DaemonSet, name).(*appsv1.DaemonSet)
}

func (r recording) pod(name string) *corev1.Pod {
	return r.firstSeen(history.Pod, name).(*corev1.Pod)
}

func (r recording) firstSeen(kind history.Kind, name string) metav1.Object {
	for _, change := range r.Changes() {
		if change.Kind == kind && change.Object.GetName() == name {
			return change.Object
		}
	}
	r.Fatalf("the recording has no %s %s", kind, name)
	return nil
}

// mark returns the first action of the spec that begins so.
func (r recording) mark(begins string) string {
	for _, mark := range r.Marks() {
		if strings.HasPrefix(mark.Text, begins) {
			return mark.Text
		}
	}
	r.Fatalf("the recording has no mark %q", begins)
	return ""
}

// named returns what the first action that begins so ends with.
func (r recording) named(begins string) string { return strings.TrimPrefix(r.mark(begins), begins) }

// nodes divides the nodes as they were when the DaemonSet came; all of them are on
// the roster.
func (r recording) nodes(daemonSet *appsv1.DaemonSet) judge.Nodes {
	for change, state := range r.States() {
		if change.UID() != daemonSet.UID {
			continue
		}
		roster := map[string]types.UID{}
		for _, node := range state.Nodes() {
			roster[node.Name] = node.UID
		}
		return judge.EligibleNodes(daemonSet, state.Nodes(), roster)
	}
	return judge.Nodes{}
}

func (r recording) rollout(name string) judge.Rollout {
	d := r.daemonSet(name)
	return judge.RolloutOf(d, r.nodes(d))
}

package audit

// Kind names what keeps a node from being covered, or why it looks as if it was
// not.
type Kind string

// Faults: what somebody has to mend.
const (
	NodeGone          Kind = "node-gone"
	NodeReplaced      Kind = "node-replaced"
	NodeNotReady      Kind = "node-not-ready"
	NodeUnfit         Kind = "node-unfit"
	NodeName          Kind = "node-name"
	Selector          Kind = "selector"
	Affinity          Kind = "affinity"
	Taint             Kind = "taint"
	AdmissionRejected Kind = "admission-rejected"
	QuotaExceeded     Kind = "quota"
	NoPod             Kind = "no-pod"
	Unschedulable     Kind = "unschedulable"
	PodFailed         Kind = "pod-failed"
	ImagePull         Kind = "image-pull"
	InitFailing       Kind = "init-failing"
	CrashLoop         Kind = "crash-loop"
	NotStarted        Kind = "not-started"
	NotReady          Kind = "not-ready"
	Overdue           Kind = "terminating-overdue"
	Duplicate         Kind = "duplicate"
	OffRoster         Kind = "off-roster"
)

// Legal states: what passes by itself, and is a fault only if it does not.
const (
	Surge       Kind = "surge"
	Terminating Kind = "terminating"
	Starting    Kind = "starting"
	Joining     Kind = "joining"
	Leaving     Kind = "leaving"
)

// Cause is why a node or a Pod is among the findings.
type Cause struct {
	Kind Kind   `json:"cause"`
	Node string `json:"node,omitempty"`
	Pod  string `json:"pod,omitempty"`
	// Legal says that the state is one that Kubernetes passes through when all is
	// well. It is among the findings all the same.
	Legal bool `json:"legal"`
	// Summary says in a line what is the matter. It names neither node nor Pod,
	// so that nodes with the same trouble can be told together.
	Summary  string   `json:"summary"`
	Evidence []string `json:"evidence,omitempty"`
	// Next is the next step for whoever has to mend it.
	Next string `json:"next"`
}

func (c Cause) on(node string) Cause {
	c.Node = node
	return c
}

// seen adds evidence.
func (c Cause) seen(evidence ...string) Cause {
	c.Evidence = append(c.Evidence[:len(c.Evidence):len(c.Evidence)], evidence...)
	return c
}

// legal turns a cause into a legal state.
func (c Cause) legal(kind Kind, next string) Cause {
	c.Kind, c.Legal, c.Next = kind, true, next
	return c
}

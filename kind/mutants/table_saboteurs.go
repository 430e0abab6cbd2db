package mutants

// What an admission policy of somebody else does to a promise.
var saboteurMutants = []area{
	{name: "automatic tolerations", component: Admission, mutants: []Mutant{
		{
			Name: "puts-toleration-seconds-back",
			Saboteur: &Saboteur{
				Resource:  "pods",
				Condition: `has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == "DaemonSet")`,
				// An index is needed for the path, and tolerations may be absent.
				Patch: `object.spec.?tolerations.orValue([]).transformList(i, t,
				t.?effect.orValue("") == "NoExecute" && t.?key.orValue("") in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"],
				JSONPatch{op: "add", path: "/spec/tolerations/" + string(i) + "/tolerationSeconds", value: 300})`,
				Probe: daemonSetPod,
				Shows: toleratesForSeconds,
			},
			Expect: []string{"TOL-05"},
			// The automatic tolerations, to the letter, include that they are unlimited.
			MayFollow: []string{"TOL-01"},
		},
	}},
}

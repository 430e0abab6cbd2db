package mutants

// unbroken says of the requirements that no mutant breaks why there is none.
var unbroken = map[string]string{
	"COV-38": "The API has no such path; no small mistake adds one.",
	"TOL-18": "No release keeps it: it is waived, and cannot turn red.",
	"TOL-19": "It judges the DaemonSets that the cluster has, as they are; COV-01 is the same promise for one that the run makes.",
	"TOL-23": "No release keeps it: it is waived, and cannot turn red.",
	"UPD-18": "kubectl's code that is asked is part of rollcall itself.",
}

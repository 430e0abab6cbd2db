package requirement

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/version"
)

func TestADeviationEndsWithItsLastRelease(t *testing.T) {
	known := Deviation{ID: "KD-1", Seen: "It lags.", Since: "1.33", Until: "1.37", Link: "https://example.com"}
	for server, want := range map[string]bool{"v1.32.9": false, "v1.33.0": true, "v1.37.2": true, "v1.38.0": false} {
		if got := known.AppliesTo(version.MustParseGeneric(server)); got != want {
			t.Errorf("%s: %v", server, got)
		}
	}
}

func TestADeviationWithoutAnEndIsAFault(t *testing.T) {
	for name, faulty := range map[string]Deviation{
		"no end":      {ID: "KD-1", Seen: "It lags.", Link: "https://example.com"},
		"no link":     {ID: "KD-1", Seen: "It lags.", Until: "1.37"},
		"nothing":     {},
		"bad version": {ID: "KD-1", Seen: "It lags.", Until: "soon", Link: "https://example.com"},
	} {
		if faulty.validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

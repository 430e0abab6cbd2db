package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSONRoundTrip(t *testing.T) {
	for _, r := range []*ConformanceReport{everyVerdict(), allGreen(), {APIVersion: APIVersion, Kind: Kind}} {
		if diff := cmp.Diff(r, reread(t, r)); diff != "" {
			t.Errorf("a report changes when it is written and read (- before, + after):\n%s", diff)
		}
	}
}

func TestReadRejects(t *testing.T) {
	var good bytes.Buffer
	if err := WriteJSON(&good, allGreen()); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ input, want string }{
		"nothing":      {"", "empty"},
		"garbage":      {"passed!", "not JSON"},
		"half a file":  {good.String()[:good.Len()/2], "not JSON"},
		"a tail":       {good.String() + "{}", "not JSON"},
		"a list":       {"[]", "not JSON"},
		"other kind":   {`{"apiVersion":"v1","kind":"Pod"}`, `kind is "Pod"`},
		"no kind":      {`{}`, `kind is ""`},
		"other API":    {strings.Replace(good.String(), APIVersion, "rollcall.dev/v9", 1), `apiVersion is "rollcall.dev/v9"`},
		"wrong fields": {strings.Replace(good.String(), `"results": [`, `"results": 3, "x": [`, 1), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.input))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("want an error with %q, got %v", c.want, err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %v", err)
			}
		})
	}
}

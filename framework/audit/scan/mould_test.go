package scan

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const first = `{"a": "one", "b": {"c": "", "n": 1, "t": true}, "d": ["two", "three"]}`

// cast reads an object as an audit reads a Pod: it takes the member a and passes
// over all others.
func cast(t *testing.T, text string) *Mould {
	t.Helper()
	mould, s := &Mould{}, New([]byte(text))
	var a []byte
	err := s.Cast(mould, func() error {
		return s.Object(func(key []byte) (err error) {
			if string(key) == "a" {
				a, err = s.Text()
				return err
			}
			return s.Skip()
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if number := mould.Number(a); number != 0 {
		t.Errorf("%q is the string %d of the mould", a, number)
	}
	return mould
}

func TestFitsWhatDiffersInStringsOnly(t *testing.T) {
	mould := cast(t, first)
	for text, want := range map[string][]string{
		first: nil,
		`{"a": "ones", "b": {"c": "", "n": 1, "t": true}, "d": ["two", "three"]}`:                {"ones taken"},
		`{"a": "on", "b": {"c": "x", "n": 1, "t": true}, "d": ["two", "three"]}`:                 {"on taken", "x"},
		`{"a": "", "b": {"c": "a long one, with {\": \"", "n": 1, "t": true}, "d": ["", ""]}`:    nil,
		`{"a": "öne", "b": {"c": "", "n": 1, "t": true}, "d": ["a long one, with {}[],:", "t"]}`: {"öne taken", "a long one, with {}[],:", "t"},
	} {
		var got []string
		s := New([]byte(text + " "))
		fits := s.Fits(mould, func(_ int, taken bool, text []byte) bool {
			said := string(text)
			if taken {
				said += " taken"
			}
			got = append(got, said)
			return true
		})
		if escaped := strings.Contains(text, `\`); fits == escaped {
			t.Errorf("%s: fits %t", text, fits)
		} else if diff := cmp.Diff(want, got); fits && diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if fits && s.End() != nil {
			t.Errorf("%s: it did not read all of it", text)
		}
	}
}

func TestFitsNothingElse(t *testing.T) {
	mould := cast(t, first)
	for _, text := range []string{
		`{"a": "one", "b": {"c": "", "n": 2, "t": true}, "d": ["two", "three"]}`,
		`{"a": "one", "b": {"c": "", "n": 11, "t": true}, "d": ["two", "three"]}`,
		`{"a": "one", "b": {"c": "", "n": 1, "t": null}, "d": ["two", "three"]}`,
		`{"a": "one", "a": {"c": "", "n": 1, "t": true}, "d": ["two", "three"]}`,
		`{"a": null, "b": {"c": "", "n": 1, "t": true}, "d": ["two", "three"]}`,
		`{"a": "one", "b": {"c": "", "n": 1, "t": true}, "d": ["two", "three", "four"]}`,
		`{"a": "one", "b": {"c": "", "n": 1, "t": true}, "d": ["two"]}`,
		`{"a": "o\"ne", "b": {"c": "", "n": 1, "t": true}, "d": ["two", "three"]}`,
		"{\"a\": \"o\tne\", \"b\": {\"c\": \"\", \"n\": 1, \"t\": true}, \"d\": [\"two\", \"three\"]}",
		`{"a": "one", "b": {"c": "`, `{"a": "one", "b": `, `{`, ``, `{}`, `"one"`,
	} {
		s := New([]byte(text))
		if s.Fits(mould, func(int, bool, []byte) bool { return true }) {
			t.Errorf("%s fits", text)
		}
		if s.pos != 0 {
			t.Errorf("%s: it moved to %d", text, s.pos)
		}
	}
	if New([]byte(first)).Fits(&Mould{}, nil) {
		t.Error("an empty mould fits")
	}
	other := strings.Replace(first, "two", "too", 1)
	if New([]byte(other)).Fits(mould, func(int, bool, []byte) bool { return false }) {
		t.Error("it fits although a string may not differ")
	}
}

// Whatever is done to a Pod, one that fits is read just as it is by a scan.
func TestFitsOnlyWhatAScanReads(t *testing.T) {
	pod, err := os.ReadFile("../testdata/bench/pod.json")
	if err != nil {
		t.Fatal(err)
	}
	mould, s := &Mould{}, New(pod)
	if err := s.Cast(mould, s.Skip); err != nil {
		t.Fatal(err)
	}
	random, fitted := rand.New(rand.NewPCG(1, 2)), 0
	for range 20000 {
		text := slices.Clone(pod)
		for range 1 + random.IntN(3) {
			at := random.IntN(len(text))
			switch letter := `"\{}[],: ax0` + "\n\t"; random.IntN(3) {
			case 0:
				text[at] = letter[random.IntN(len(letter))]
			case 1:
				text = slices.Insert(text, at, letter[random.IntN(len(letter))])
			default:
				text = slices.Delete(text, at, min(len(text), at+1+random.IntN(4)))
			}
		}
		fast, slow := New(text), New(text)
		if !fast.Fits(mould, func(int, bool, []byte) bool { return true }) {
			continue
		}
		fitted++
		if err := slow.Skip(); err != nil || slow.pos != fast.pos {
			t.Fatalf("it fits up to byte %d, and a scan ends at %d with %v:\n%s", fast.pos, slow.pos, err, text)
		}
	}
	if fitted < 1000 {
		t.Errorf("only %d of the changed Pods fitted", fitted)
	}
}

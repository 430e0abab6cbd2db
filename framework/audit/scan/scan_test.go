package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func skip(text string) error {
	s := New([]byte(text))
	if err := s.Skip(); err != nil {
		return err
	}
	return s.End()
}

func TestSkip(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `true`, `false`, `0`, `-1.5e+7`, `"a"`, `"\"\\\u00e9"`,
		`{"a": {"a": [1, {"a": "}"}]}, "b": ""}`, " [ 1 ,\n\t2 ]\r\n", `{"a":1,"A":1}`,
	} {
		if err := skip(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		``:                       "ends where it should go on with a value",
		`{`:                      "ends where it should go on with a key",
		`{"a":1,}`:               "no a value",
		`[1,]`:                   "no a value",
		`[1 2]`:                  "no a comma or ]",
		`{"a" 1}`:                "no a colon",
		`{a:1}`:                  "no a key",
		`[1] 2`:                  "no the end",
		`01`:                     "no a value",
		`tru`:                    "no a value",
		"\"a\n\"":                "no the end of a string",
		`"a`:                     "the end of a string",
		`{"a":1,"b":2,"a":3}`:    "duplicate JSON key \"a\"",
		`[{"a":{"b":1,"b":2}}]`:  "duplicate JSON key \"b\"",
		`{"a":1,"\u0061":2}`:     "duplicate JSON key \"a\"",
		manyKeys(100, "99"):      "duplicate JSON key \"99\"",
		manyKeys(100, "0"):       "duplicate JSON key \"0\"",
		strings.Repeat("[", 1e5): "nested too deep",
	} {
		if err := skip(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
	if err := skip(manyKeys(100, "100")); err != nil {
		t.Error(err)
	}
}

// manyKeys is an object with n different keys and one more.
func manyKeys(n int, more string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `"%d":1,`, i)
	}
	return "{" + text.String() + `"` + more + `":1}`
}

func TestPeekAndRaw(t *testing.T) {
	s := New([]byte(` {"a": {"kind": "no"}, "kind": "yes", "n": 12, "b": true} `))
	if kind, err := s.Peek("kind"); string(kind) != "yes" || err != nil {
		t.Errorf("peeked %q, %v", kind, err)
	}
	raw, err := s.Raw()
	if err != nil || raw[0] != '{' || raw[len(raw)-1] != '}' || s.End() != nil {
		t.Errorf("raw %q, %v", raw, err)
	}
	s = New(raw)
	values := map[string]any{}
	err = s.Object(func(key []byte) (err error) {
		switch name := string(key); name {
		case "n":
			values[name], err = s.Int()
		case "b":
			values[name], err = s.True()
		default:
			_, err = s.Text()
		}
		return err
	})
	if err != nil || values["n"] != int64(12) || values["b"] != true {
		t.Errorf("%v, %v", values, err)
	}
}

// names collects the names of items.
func names(s *Scanner, of Document, into *[]string) error {
	text, err := s.Peek("name")
	if err != nil {
		return err
	}
	*into = append(*into, of.Kind+string(text))
	return s.Skip()
}

func read(text string, size int) (string, error) {
	parts, err := readBlocks(strings.NewReader(text), size, names)
	var all []string
	for _, part := range parts {
		all = append(all, *part...)
	}
	return strings.Join(all, " "), err
}

func indented(t *testing.T, n int) string {
	t.Helper()
	var items []map[string]any
	for i := range n {
		items = append(items, map[string]any{"name": fmt.Sprint(i), "nested": []any{map[string]any{"name": "x"}, "}\n    {"}})
	}
	text, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "items": items, "kind": "List"}, "", "    ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

func TestReadCutsLargeFiles(t *testing.T) {
	text := indented(t, 50)
	want, err := read(text, len(text)+1)
	if err != nil || !strings.HasSuffix(want, "List49") {
		t.Fatalf("%s, %v", want, err)
	}
	want = strings.ReplaceAll(want, "List", "")
	for size := 40; size < len(text); size += 37 {
		got, err := read(text, size)
		if got = strings.ReplaceAll(got, "List", ""); got != want || err != nil {
			t.Fatalf("blocks of %d bytes: %s, %v", size, got, err)
		}
	}
}

func TestReadSeesWrongCuts(t *testing.T) {
	// No line is indented, so every object of an array begins like an item.
	var lines []string
	for line := range strings.Lines(indented(t, 50)) {
		lines = append(lines, strings.TrimLeft(line, " "))
	}
	flat := strings.Join(lines, "")
	want, _ := read(flat, len(flat)+1)
	for size := 40; size < len(flat); size += 37 {
		if got, err := read(flat, size); strings.ReplaceAll(got, "List", "") != strings.ReplaceAll(want, "List", "") || err != nil {
			t.Fatalf("blocks of %d bytes: %s, %v", size, got, err)
		}
	}
}

func TestReadRefusesWhatIsWrong(t *testing.T) {
	good := indented(t, 50)
	for name, text := range map[string]string{
		"cut off":                  good[:len(good)-200],
		"more behind it":           good + "{}",
		"twice the same key":       strings.Replace(good, `"name": "30"`, `"name": "30", "name": "31"`, 1),
		"kind before and after":    strings.Replace(good, `"apiVersion"`, `"kind": "List", "apiVersion"`, 1),
		"a comma too many":         strings.Replace(good, "    ],\n    \"kind\"", "    ,],\n    \"kind\"", 1),
		"a list that is no object": "[" + good + "]",
	} {
		for _, size := range []int{300, len(text) + 1} {
			if got, err := read(text, size); err == nil {
				t.Errorf("%s, in blocks of %d: read %s", name, size, got)
			}
		}
	}
}

func TestReadOneObjectAndOtherForms(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind": "Pod", "name": "a"}`:                                "Poda",
		`{"kind": "PodList", "items": [{"name": "a"},{"name": "b"}]}`: "PodLista PodListb",
		`{"items": [], "kind": "List"}`:                               "",
	} {
		if got, err := read(text, 1000); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	compact := `{"items":[` + strings.Repeat(`{"name":"a"},`, 50) + `{"name":"b"}]}`
	if got, err := read(compact, 100); !strings.HasSuffix(got, "a b") || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// What encoding/json calls valid, the scanner reads, and the reverse, but for
// keys that come twice.
func FuzzSkip(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"\u00e9\\",null,{"b":true}]}`, "[\n        {}\n]", `"`, `{"a":1,"a":2}`, `-`, `00`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.ContainsRune(text, '\\') && !json.Valid(text) {
			return // escapes are checked where they matter: in keys and in what is kept
		}
		err := skip(string(text))
		if valid := json.Valid(text); valid != (err == nil) && !errors.Is(err, ErrDuplicateKey) && !slices.Contains([]byte{0}, firstByte(text)) {
			t.Errorf("valid %v, scanner says %v: %q", valid, err, text)
		}
	})
}

func firstByte(text []byte) byte {
	if len(text) == 0 {
		return ' '
	}
	return text[0]
}

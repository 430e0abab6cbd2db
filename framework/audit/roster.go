package audit

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/audit/scan"
	"rollcall.dev/rollcall/framework/exit"
)

// Roster is the nodes that are meant to be covered: their names, and the UID by
// which each is told from another machine that took its name later.
type Roster map[string]types.UID

// ReadRoster reads a roster from JSON: one object that maps names to UIDs.
// Anything else is an exit.UsageError.
func ReadRoster(from io.Reader) (Roster, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return nil, exit.Usagef("the roster cannot be read: %w", err)
	}
	roster := Roster{}
	s := scan.New(data)
	err = s.Object(func(key []byte) error {
		uid, err := s.Text()
		if err == nil && (len(key) == 0 || len(uid) == 0) {
			err = errors.New("use a nonempty map of node names to UIDs")
		}
		roster[string(key)] = types.UID(uid)
		return err
	})
	if err == nil {
		err = s.End()
	}
	if err == nil && len(roster) == 0 {
		err = errors.New("it is empty; use a nonempty map of node names to UIDs")
	}
	if err != nil {
		return nil, exit.Usagef("the roster is refused: %w", err)
	}
	return roster, nil
}

// Write writes a roster as ReadRoster reads it, sorted by name.
func (r Roster) Write(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

// Names returns the names of the nodes, sorted.
func (r Roster) Names() []string { return slices.Sorted(maps.Keys(r)) }

func (r Roster) has(name string) bool {
	_, ok := r[name]
	return ok
}

package scan

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
)

// ErrDuplicateKey is the refusal of an object that names a key twice.
var ErrDuplicateKey = errors.New("duplicate JSON key")

// deepest is how deep values may be nested, as in encoding/json.
const deepest = 10000

// Scanner walks one JSON text from left to right. Each method reads the value
// at its position and leaves it behind that value.
type Scanner struct {
	data  []byte
	pos   int
	depth int
	// keys holds those of every object that is open, one object after the other.
	keys [][]byte
	// mould takes down the values that are read; nil if nobody asked for it.
	mould *Mould
}

// New returns a Scanner at the beginning of a text.
func New(data []byte) *Scanner { return &Scanner{data: data} }

// Object reads an object. member is called for each key and must read its value;
// nil skips them. The key is valid until the text changes.
func (s *Scanner) Object(member func(key []byte) error) error {
	if err := s.open('{'); err != nil {
		return err
	}
	first := len(s.keys)
	wide := map[string]bool(nil)
	for s.next() != '}' {
		key, err := s.key()
		if err != nil {
			return err
		}
		if wide, err = s.remember(key, first, wide); err != nil {
			return err
		}
		if member == nil {
			err = s.Skip()
		} else {
			err = member(key)
		}
		if err != nil {
			return err
		}
		if err := s.separator('}'); err != nil {
			return err
		}
	}
	s.keys = s.keys[:first]
	return s.close()
}

// Array reads an array. element is called for each element and must read it; nil
// skips them.
func (s *Scanner) Array(element func() error) error {
	if err := s.open('['); err != nil {
		return err
	}
	for s.next() != ']' {
		var err error
		if element == nil {
			err = s.Skip()
		} else {
			err = element()
		}
		if err != nil {
			return err
		}
		if err := s.separator(']'); err != nil {
			return err
		}
	}
	return s.close()
}

// Skip reads any value.
func (s *Scanner) Skip() error {
	switch c := s.next(); c {
	case '{':
		return s.Object(nil)
	case '[':
		return s.Array(nil)
	case '"':
		_, err := s.value(false)
		return err
	default:
		return s.scalar(c)
	}
}

// Raw reads any value and returns its text.
func (s *Scanner) Raw() ([]byte, error) {
	start := s.Mark()
	err := s.Skip()
	return s.Since(start), err
}

// Text reads any value and returns it if it is a string, and nil if not.
func (s *Scanner) Text() ([]byte, error) {
	if s.next() != '"' {
		return nil, s.Skip()
	}
	return s.value(true)
}

// value reads a string that is no key, and that the reader takes or passes over.
func (s *Scanner) value(taken bool) ([]byte, error) {
	start := s.pos + 1
	text, err := s.quoted()
	if s.mould != nil {
		s.mould.values = append(s.mould.values, value{start: start, end: s.pos - 1, taken: taken})
	}
	return text, err
}

// True reads any value and reports whether it is the literal true.
func (s *Scanner) True() (bool, error) {
	raw, err := s.Raw()
	return string(raw) == "true", err
}

// Int reads any value and returns it if it is a whole number, and 0 if not.
func (s *Scanner) Int() (int64, error) {
	raw, err := s.Raw()
	if err != nil {
		return 0, err
	}
	n := int64(0)
	for _, c := range raw {
		if c < '0' || c > '9' {
			return 0, nil
		}
		n = n*10 + int64(c-'0')
	}
	return n, nil
}

// Peek returns the text of a member of the object at the position, and does not
// move. It is nil where there is no such member, or it is no string.
func (s *Scanner) Peek(name string) ([]byte, error) {
	found := errors.New("found")
	ahead := Scanner{data: s.data, pos: s.pos, depth: s.depth}
	if ahead.next() != '{' {
		return nil, nil
	}
	var text []byte
	err := ahead.Object(func(key []byte) (err error) {
		if string(key) != name {
			return ahead.Skip()
		}
		if text, err = ahead.Text(); err != nil {
			return err
		}
		return found
	})
	if err == found {
		err = nil
	}
	return text, err
}

// IsObject reports whether the value at the position is an object.
func (s *Scanner) IsObject() bool { return s.next() == '{' }

// IsArray reports whether the value at the position is an array.
func (s *Scanner) IsArray() bool { return s.next() == '[' }

// Mark returns the position of the next value.
func (s *Scanner) Mark() int {
	s.next()
	return s.pos
}

// Since returns the text from a mark to the position.
func (s *Scanner) Since(mark int) []byte { return s.data[mark:s.pos] }

// End fails unless nothing is left.
func (s *Scanner) End() error {
	if s.next() != 0 || s.pos < len(s.data) {
		return s.unexpected("the end")
	}
	return nil
}

func (s *Scanner) open(bracket byte) error {
	if s.next() != bracket {
		return s.unexpected(string(bracket))
	}
	if s.depth++; s.depth > deepest {
		return fmt.Errorf("the values at byte %d are nested too deep", s.pos)
	}
	s.pos++
	return nil
}

func (s *Scanner) close() error {
	s.depth--
	s.pos++
	return nil
}

// separator reads the comma after a value, unless the bracket comes next.
func (s *Scanner) separator(bracket byte) error {
	switch s.next() {
	case ',':
		s.pos++
		if s.next() == bracket {
			return s.unexpected("a value")
		}
		return nil
	case bracket:
		return nil
	default:
		return s.unexpected("a comma or " + string(bracket))
	}
}

// key reads a key and the colon after it.
func (s *Scanner) key() ([]byte, error) {
	if s.next() != '"' {
		return nil, s.unexpected("a key")
	}
	key, err := s.quoted()
	if err != nil {
		return nil, err
	}
	if s.next() != ':' {
		return nil, s.unexpected("a colon")
	}
	s.pos++
	return key, nil
}

// narrow is up to how many keys an object's keys are compared one by one.
const narrow = 48

// remember notes a key of the object whose keys start at first, and refuses one
// that it has already. Objects of many keys are rare, and get a set.
func (s *Scanner) remember(key []byte, first int, wide map[string]bool) (map[string]bool, error) {
	known := s.keys[first:]
	if wide == nil && len(known) >= narrow {
		wide = make(map[string]bool, 4*narrow)
		for _, other := range known {
			wide[string(other)] = true
		}
	}
	duplicate := wide[string(key)]
	if wide == nil {
		for _, other := range known {
			if len(other) == len(key) && bytes.Equal(other, key) {
				duplicate = true
			}
		}
	} else {
		wide[string(key)] = true
	}
	if duplicate {
		return wide, fmt.Errorf("%w %q at byte %d", ErrDuplicateKey, key, s.pos)
	}
	if wide == nil {
		s.keys = append(s.keys, key)
	}
	return wide, nil
}

// quoted reads a string. Only one with an escape in it is copied.
func (s *Scanner) quoted() ([]byte, error) {
	start := s.pos
	escaped := false
	i := start + 1
	for {
		for ; i+8 <= len(s.data); i += 8 {
			if found := special(binary.LittleEndian.Uint64(s.data[i:])); found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
		}
		if i >= len(s.data) {
			break
		}
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			if escaped {
				return unescape(s.data[start:s.pos])
			}
			return s.data[start+1 : i], nil
		case c == '\\':
			escaped = true
			i += 2
		case c < ' ':
			s.pos = i
			return nil, s.unexpected("the end of a string")
		default:
			i++
		}
	}
	s.pos = len(s.data)
	return nil, s.unexpected("the end of a string")
}

// special marks, by its highest bit, the first of eight bytes that matters within
// a string: a quote, a backslash, or a control character. It looks at all of them
// at once; marks above the first one may be wrong, and 0 means that there is none.
func special(word uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^(ones*'"'), word^(ones*'\\')
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (word-ones*' ')&^word) & tops
}

func unescape(quoted []byte) ([]byte, error) {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// scalar reads a number or a literal.
func (s *Scanner) scalar(first byte) error {
	start := s.pos
	for s.pos < len(s.data) && partOfScalar[s.data[s.pos]] {
		s.pos++
	}
	word := s.data[start:s.pos]
	switch {
	case first >= '0' && first <= '9' && digits(word):
		return nil
	case len(word) > 0 && json.Valid(word):
		return nil
	default:
		s.pos = start
		return s.unexpected("a value")
	}
}

func digits(word []byte) bool {
	for _, c := range word {
		if c < '0' || c > '9' {
			return false
		}
	}
	return word[0] != '0' || len(word) == 1
}

var partOfScalar = func() (set [256]bool) {
	for _, c := range []byte("0123456789+-.eEtrufalsn") {
		set[c] = true
	}
	return set
}()

// blanks is eight spaces, which is what deep lines of kubectl begin with.
const blanks = 0x2020202020202020

// next moves to the next byte that is no white space and returns it, 0 at the
// end.
func (s *Scanner) next() byte {
	if s.pos+1 < len(s.data) {
		switch c := s.data[s.pos]; {
		case c > ' ':
			return c
		case c == ' ' && s.data[s.pos+1] > ' ': // as behind a colon
			s.pos++
			return s.data[s.pos]
		}
	}
	return s.skipBlanks()
}

func (s *Scanner) skipBlanks() byte {
	data, pos := s.data, s.pos
	for pos < len(data) {
		switch c := data[pos]; c {
		case '\n':
			// The rest of the indentation, eight bytes at a time.
			for pos++; pos+8 <= len(data); pos += 8 {
				if other := binary.LittleEndian.Uint64(data[pos:]) ^ blanks; other != 0 {
					pos += bits.TrailingZeros64(other) / 8
					break
				}
			}
		case ' ', '\t', '\r':
			pos++
		default:
			s.pos = pos
			return c
		}
	}
	s.pos = pos
	return 0
}

func (s *Scanner) unexpected(want string) error {
	if s.pos >= len(s.data) {
		return fmt.Errorf("the JSON text ends where it should go on with %s", want)
	}
	return fmt.Errorf("no %s but %q at byte %d of the JSON text", want, s.data[s.pos], s.pos)
}

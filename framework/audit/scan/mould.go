package scan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Mould is an object that was read, with the places of its strings. Objects that
// come out of the same mould have the same keys in the same order, the same
// numbers and the same literals, and differ in nothing but strings. The Pods of a
// DaemonSet do, and there are hundreds of thousands of them: comparing one with
// the last costs a fraction of reading it, and refuses no less.
type Mould struct {
	text   []byte
	values []value
}

// value is the place of a string between its quotes.
type value struct {
	start, end int
	// taken tells whether the reader of the object took it or passed over it.
	taken bool
	// plain tells whether it is a string as it stands.
	plain bool
}

// Cast reads an object with a function and takes it down in a Mould, in place of
// what that held.
func (s *Scanner) Cast(into *Mould, read func() error) error {
	start := s.Mark()
	into.text, into.values = nil, into.values[:0]
	s.mould = into
	err := read()
	s.mould = nil
	if err != nil {
		return err
	}
	into.text = s.data[start:s.pos]
	for i := range into.values {
		v := &into.values[i]
		v.plain = plain(s.data[v.start:v.end])
		v.start, v.end = v.start-start, v.end-start
	}
	return nil
}

// Number returns the number of a string that was taken, as Text returned it; -1
// if it is not there or had to be copied because of an escape.
func (m *Mould) Number(text []byte) int {
	for i, value := range m.values {
		if len(text) > 0 && &text[0] == &m.text[value.start] {
			return i
		}
	}
	return -1
}

// Fits reads the object at the position if it comes out of a Mould, and else does
// not move. differs is called for each string that is another one than in the
// Mould, with its number and whether the reader took it; it reports whether that
// may be.
func (s *Scanner) Fits(mould *Mould, differs func(number int, taken bool, text []byte) bool) bool {
	if len(mould.text) == 0 {
		return false
	}
	pos, rest := s.Mark(), mould.text
	for number := 0; ; {
		same := alike(rest, s.data[pos:])
		pos, rest = pos+same, rest[same:]
		if len(rest) == 0 {
			s.pos = pos
			return true
		}
		at := len(mould.text) - len(rest)
		for number < len(mould.values) && mould.values[number].end < at {
			number++
		}
		if number == len(mould.values) || mould.values[number].start > at {
			return false // something else than a string
		}
		// Up to here both are the same, so the string began as many bytes ago.
		is := mould.values[number]
		end := pos + bytes.IndexByte(s.data[pos:], '"')
		if end < pos || !is.plain || !plain(s.data[pos:end]) {
			return false
		}
		if !differs(number, is.taken, s.data[pos-(at-is.start):end]) {
			return false
		}
		pos, rest = end, mould.text[is.end:]
	}
}

// alike returns how many bytes two texts have in common at their beginning.
func alike(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if other := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// plain reports whether a text is a string as it stands: nothing in it is escaped
// or ought to be.
func plain(text []byte) bool {
	for _, c := range text {
		if c == '\\' || c < ' ' {
			return false
		}
	}
	return true
}

package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
)

// block is how much of a file is read at a time.
const block = 4 << 20

// Document is what a file holds beside its items.
type Document struct {
	// Kind is the kind of the list, empty if the file holds a single object or
	// the kind comes after more than a block of items.
	Kind string
	// Single says that the file is one object and no list.
	Single bool
}

// Read reads a file that holds one object or a list of them and calls item for
// each, in the order of the file, with a Scanner in front of it; item must read
// it. Large files are cut into parts which are read side by side: each part has
// a T of its own, and those are returned in order.
//
// A cut is made where a line begins as the first item did. JSON has no line
// ends within strings, and each part has to begin with an item and end behind
// one, so that the whole is read right or the cut is seen to be wrong; then the
// file is read once more as one part.
func Read[T any](file io.ReadSeeker, item func(s *Scanner, of Document, into *T) error) ([]*T, error) {
	return readBlocks(file, block, item)
}

func readBlocks[T any](file io.ReadSeeker, size int, item func(*Scanner, Document, *T) error) ([]*T, error) {
	head := make([]byte, size)
	n, err := io.ReadFull(file, head)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return whole(head[:n], item)
	case err != nil:
		return nil, err
	}
	if cut, ok := newCutter(head); ok {
		cut.size = size
		parts, err := readParts(file, head, cut, item)
		if !errors.Is(err, errCut) {
			return parts, err
		}
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return whole(data, item)
}

// whole reads a text in one go.
func whole[T any](data []byte, item func(*Scanner, Document, *T) error) ([]*T, error) {
	of, err := look(data)
	if err != nil {
		return nil, err
	}
	into := new(T)
	s := New(data)
	if of.Single {
		err = item(s, of, into)
	} else {
		err = s.Object(func(key []byte) error {
			if string(key) != "items" {
				return s.Skip()
			}
			return s.Array(func() error { return item(s, of, into) })
		})
	}
	if err == nil {
		err = s.End()
	}
	return []*T{into}, err
}

// look finds out what a text is before it is read.
func look(data []byte) (Document, error) {
	of := Document{Single: true}
	s := New(data)
	err := s.Object(func(key []byte) error {
		switch string(key) {
		case "items":
			of.Single = false
			return s.Skip()
		case "kind":
			kind, err := s.Text()
			of.Kind = string(kind)
			return err
		default:
			return s.Skip()
		}
	})
	return of, err
}

// errCut says that a cut did not fall between two items.
var errCut = errors.New("a part of the file does not begin and end with an item")

// cutter knows where a list can be cut.
type cutter struct {
	of Document
	// first is where the first item begins, mark what comes before every item:
	// the end of a line and the indentation.
	first int
	mark  []byte
	// keys are those of the list that come before the items, and "items".
	keys []string
	// size is how much is read at a time.
	size int
}

// newCutter looks for the first item of a list at its head.
func newCutter(head []byte) (cutter, bool) {
	cut := cutter{}
	s := New(head)
	found := errors.New("found")
	err := s.Object(func(key []byte) error {
		cut.keys = append(cut.keys, string(key))
		switch string(key) {
		case "kind":
			kind, err := s.Text()
			cut.of.Kind = string(kind)
			return err
		case "items":
			if err := s.open('['); err != nil || !s.IsObject() {
				return errCut
			}
			cut.first = s.pos
			return found
		default:
			return s.Skip()
		}
	})
	if err != found {
		return cut, false
	}
	line := bytes.LastIndexByte(head[:cut.first], '\n')
	if line < 0 {
		return cut, false
	}
	cut.mark = append(bytes.Clone(head[line:cut.first]), '{')
	return cut, true
}

// part is a stretch of a file that begins with an item.
type part[T any] struct {
	data []byte
	last bool
	into *T
}

// readParts reads a list whose head is known.
func readParts[T any](file io.Reader, head []byte, cut cutter, item func(*Scanner, Document, *T) error) ([]*T, error) {
	var (
		results []*T
		failure failure
		workers sync.WaitGroup
	)
	parts := make(chan part[T])
	spare := make(chan []byte, runtime.GOMAXPROCS(0)+2)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for p := range parts {
				failure.note(p.read(cut, item))
				select {
				case spare <- p.data[:0]:
				default:
				}
			}
		})
	}
	err := cut.feed(file, head, spare, func(data []byte, last bool) bool {
		into := new(T)
		results = append(results, into)
		parts <- part[T]{data, last, into}
		return failure.get() == nil
	})
	close(parts)
	workers.Wait()
	if err == nil {
		err = failure.get()
	}
	return results, err
}

// feed cuts what it reads and hands the pieces on until that fails.
func (c cutter) feed(file io.Reader, head []byte, spare <-chan []byte, hand func(data []byte, last bool) bool) error {
	data := head[c.first:]
	for {
		at := bytes.LastIndex(data, c.mark)
		next := c.buffer(spare)
		if at > 0 {
			next = append(next, data[at+len(c.mark)-1:]...)
			if !hand(data[:at], false) {
				return nil
			}
		} else {
			next = append(next, data...)
		}
		n, err := c.fill(file, &next)
		if err != nil {
			return err
		}
		data = next
		if n < c.size {
			hand(data, true)
			return nil
		}
	}
}

func (c cutter) buffer(spare <-chan []byte) []byte {
	select {
	case used := <-spare:
		return used
	default:
		return make([]byte, 0, c.size+c.size/4)
	}
}

// fill appends at most one block to a buffer.
func (c cutter) fill(file io.Reader, buffer *[]byte) (int, error) {
	have := len(*buffer)
	*buffer = slices.Grow(*buffer, c.size)
	n, err := io.ReadFull(file, (*buffer)[have:have+c.size])
	*buffer = (*buffer)[:have+n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

// read reads the items of a part. Every part but the last ends with the comma
// behind an item, the last one with the rest of the list.
func (p part[T]) read(cut cutter, item func(*Scanner, Document, *T) error) error {
	s := New(p.data)
	for {
		if !s.IsObject() {
			return errCut
		}
		if err := item(s, cut.of, p.into); err != nil {
			return p.doubt(s, err)
		}
		switch {
		case s.next() == ',':
			s.pos++
			if !p.last && s.next() == 0 {
				return nil
			}
		case p.last && s.next() == ']':
			return p.rest(s, cut.keys)
		default:
			return errCut
		}
	}
}

// doubt tells an error in the text from one that a wrong cut explains: the part
// before a wrong cut ends within an item.
func (p part[T]) doubt(s *Scanner, err error) error {
	if !p.last && s.pos >= len(s.data) {
		return errCut
	}
	return err
}

// rest reads what follows the items of the last part; known are the keys that
// came before it.
func (p part[T]) rest(s *Scanner, known []string) error {
	s.pos++
	if s.next() != ',' {
		if s.next() != '}' {
			return s.unexpected("the end of the list")
		}
		s.pos++
		return s.End()
	}
	s.pos++
	rest := New(append([]byte{'{'}, s.data[s.pos:]...))
	err := rest.Object(func(key []byte) error {
		if slices.Contains(known, string(key)) {
			return fmt.Errorf("%w %q", ErrDuplicateKey, key)
		}
		return rest.Skip()
	})
	if err != nil {
		return err
	}
	return rest.End()
}

// failure keeps the first error that anybody notes.
type failure struct {
	mutex sync.Mutex
	err   error
}

func (f *failure) note(err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	// A wrong cut is a guess gone wrong, and the guess is taken back for all.
	if f.err == nil || errors.Is(err, errCut) {
		f.err = err
	}
}

func (f *failure) get() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.err
}

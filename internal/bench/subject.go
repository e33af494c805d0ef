package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/input"
	"simrun/internal/result"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Subject is a kernel with what proves it right: test vectors, or the interpreter on random
// inputs where it has none. It is safe for concurrent use.
type Subject struct {
	Name   string
	Kernel *ir.Kernel
	Public map[string]int64 // values of public parameters

	entry ciphers.Entry
	cases []ciphers.Case

	mu   sync.Mutex
	keys map[int]map[string][]byte // slice width, key -> key parameter in memory form
}

// NewSubject takes a kernel of the catalogue or of a user's file with all its vectors.
func NewSubject(e ciphers.Entry) (*Subject, error) {
	s := &Subject{Name: e.Name, Kernel: e.Kernel, entry: e, keys: map[int]map[string][]byte{}}
	if len(e.Vectors) == 0 {
		return s, nil
	}
	cases, skipped, err := e.Cases()
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, ciphers.NoCases(e.Name, skipped)
	}
	s.cases = cases
	return s, nil
}

// schedule reads the stored schedule that lies beside the kernel file: for the CPU, or for the one it inherits. nil if
// there is none.
func (s *Subject) schedule(cpu *costmodel.CPU) (*compile.Schedule, error) {
	if s.entry.FS == nil {
		return nil, nil
	}
	for _, c := range append([]string{cpu.Name}, cpu.Inherited...) {
		name := path.Join(path.Dir(s.entry.File), compile.ScheduleFile(s.Name, c))
		data, err := input.ReadFS(s.entry.FS, name, input.MaxText)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var sched *compile.Schedule
		if err == nil {
			if sched, err = compile.ParseSchedule(data); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w; delete it or run simrun tune again", err)
		}
		return sched, nil
	}
	return nil, nil
}

// Cases is the number of single-block vectors; 0 means that the interpreter judges.
func (s *Subject) Cases() int { return len(s.cases) }

// Verified is how a result of this subject has been checked.
func (s *Subject) Verified() result.Verified {
	if len(s.cases) > 0 {
		return result.Vectors
	}
	return result.Interpreter
}

// expand returns the kernel's key parameter in memory form for a key of the vectors, by the
// interpreter. The first call expands all of them.
func (s *Subject) expand(sliceBits int, key []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys[sliceBits] == nil {
		if err := s.expandCases(sliceBits); err != nil {
			return nil, err
		}
	}
	return s.keys[sliceBits][string(key)], nil
}

func (s *Subject) expandCases(sliceBits int) error {
	list := make([][]byte, len(s.cases))
	for i, c := range s.cases {
		list[i] = c.Key
	}
	expanded, err := s.entry.ExpandKeys(sliceBits, list)
	if err != nil {
		return err
	}
	s.keys[sliceBits] = expanded
	return nil
}

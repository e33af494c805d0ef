package profile

import (
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// reader fills a debug from DWARF.
type reader struct {
	data  *dwarf.Data
	order binary.ByteOrder
	bytes int    // size of .debug_info
	lines []byte // .debug_line
	debug *debug

	files     []*dwarf.LineFile // of the unit
	lineBytes uint64            // length of all line tables read
	entries   int
	fields    int      // of entries
	items     int      // see maxItems
	open      []*scope // from the unit inwards; nil for an entry that is no function
}

// count notes n more items.
func (r *reader) count(n int) error {
	if r.items += n; r.items > maxItems {
		return fmt.Errorf("more than %d lines, files and functions", maxItems)
	}
	return nil
}

// units reads all entries: line tables of units, functions, inlined functions.
func (r *reader) units() error {
	entries := r.data.Reader()
	for {
		e, err := entries.Next()
		if err != nil || e == nil {
			return err
		}
		// An entry takes at least a byte, but at the end of a damaged unit debug/dwarf gives empty
		// ones for ever.
		if r.entries++; r.entries > r.bytes {
			return errors.New("a unit does not end")
		}
		if r.fields += len(e.Field); r.fields > maxFields {
			return fmt.Errorf("more than %d attributes", maxFields)
		}
		if e.Tag == 0 {
			if len(r.open) > 0 {
				r.open = r.open[:len(r.open)-1]
			}
			continue
		}
		s, err := r.entry(e)
		if err != nil {
			return err
		}
		if e.Children {
			r.open = append(r.open, s)
		}
		if err := r.count(1); err != nil {
			return err
		}
	}
}

// entry reads one entry; s is the function that entries inside it belong to.
func (r *reader) entry(e *dwarf.Entry) (s *scope, err error) {
	switch e.Tag {
	case dwarf.TagCompileUnit:
		r.open = r.open[:0]
		return nil, r.unit(e)
	case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
		return r.function(e)
	}
	return r.enclosing(), nil
}

func (r *reader) enclosing() *scope {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1]
}

// unit reads the line table of a unit.
func (r *reader) unit(e *dwarf.Entry) error {
	r.files = nil
	offset, ok := e.Val(dwarf.AttrStmtList).(int64)
	if !ok || offset < 0 || offset > int64(len(r.lines)) {
		return nil
	}
	// Units that all point to one large table would be read again and again.
	size, _ := unitLength(r.lines[offset:], r.order)
	if r.lineBytes += min(size, uint64(len(r.lines))); r.lineBytes > 2*uint64(len(r.lines)) {
		return errors.New("line tables overlap")
	}
	if err := checkLineHeader(r.lines[offset:], r.order); err != nil {
		return err
	}
	table, err := r.data.LineReader(e)
	if err != nil || table == nil {
		return err
	}
	var row dwarf.LineEntry
	for {
		if err := table.Next(&row); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if err := r.count(1); err != nil {
			return err
		}
		r.debug.row(&row)
	}
	r.debug.endSequence()
	r.files = table.Files()
	return r.count(len(r.files))
}

// file is the name of a file number of the unit.
func (r *reader) file(e *dwarf.Entry, attr dwarf.Attr) string {
	n, ok := e.Val(attr).(int64)
	if !ok || n < 0 || n >= int64(len(r.files)) || r.files[n] == nil {
		return ""
	}
	return r.files[n].Name
}

func number(e *dwarf.Entry, attr dwarf.Attr) int {
	n, _ := e.Val(attr).(int64)
	return int(n)
}

// function reads a function: its name, and its code if it has any. The name of a copy, inlined or
// not, stands with its origin.
func (r *reader) function(e *dwarf.Entry) (*scope, error) {
	s := &scope{
		entry:    e.Offset,
		callFile: r.file(e, dwarf.AttrCallFile), callLine: number(e, dwarf.AttrCallLine),
	}
	names := decl{line: number(e, dwarf.AttrDeclLine)}
	names.name, _ = e.Val(dwarf.AttrName).(string)
	for _, attr := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if o, ok := e.Val(attr).(dwarf.Offset); ok {
			names.origin = o
		}
	}
	r.debug.decls[e.Offset] = names
	ranges, err := r.data.Ranges(e)
	if err != nil {
		return nil, err
	}
	if err := r.count(len(ranges)); err != nil {
		return nil, err
	}
	for _, x := range ranges {
		s.spans = append(s.spans, span{x[0], x[1]})
	}
	outer := r.enclosing()
	switch {
	case e.Tag == dwarf.TagSubprogram:
		r.debug.functions = append(r.debug.functions, s)
	case outer != nil:
		outer.inlined = append(outer.inlined, s)
	}
	return s, nil
}

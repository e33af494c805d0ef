package compile

import "simrun/isa"

// codeAlign is the alignment of a kernel: a multiple of every fetch word and cache line.
const codeAlign = 64

// finish puts prologue, code, epilogue and data into a block.
func (s *state) finish() *isa.Block {
	b := &isa.Block{Name: Symbol(s.kernel.Name), Align: codeAlign}
	t := s.target
	frame := isa.AlignUp(s.frame, 8)
	abi := t.Arch.ABI()
	s.heads = map[string]bool{}
	s.saved = s.used & abi.CalleeSaved.With(abi.Link)
	at := s.kernel.Pos
	add := func(ins []isa.Inst) {
		for _, in := range ins {
			b.Items = append(b.Items, isa.Item{Inst: in, File: at.File, Line: at.Line})
		}
	}
	add(t.Entry(s.saved, frame))
	for i := range s.code {
		m := &s.code[i]
		if m.Kind == KindLabel {
			if m.Loop != nil {
				s.heads[m.Note] = true
			}
			b.Items = append(b.Items, isa.Item{Label: m.Note})
			continue
		}
		b.Items = append(b.Items, isa.Item{Inst: m.Inst, Note: m.Note, File: m.Pos.File, Line: m.Pos.Line})
	}
	add(t.Exit(s.saved, frame))
	b.Items = append(b.Items, s.proc.Data...)
	return b
}

package compile

import "simrun/programs/ir"

// group is a stretch of straight-line code and where its copies start. All copies have the same instructions in the
// same order and from the same lines of the text.
type group struct {
	length int
	starts []int
}

const (
	gram     = 24  // instructions that must agree for two stretches to count as copies
	maxGroup = 400 // longest stretch
)

// likeness of an instruction: equal for copies. Registers do not count.
type likeness struct {
	form int
	pos  ir.Pos
	imm  int64
}

func likenessOf(m *MInst) likeness {
	l := likeness{m.Form.Num, m.Pos, 0}
	for i := range m.Form.Ops {
		if a := m.Args[i]; !isVirtual(a) && !m.Form.Ops[i].Addr && m.Form.Flags == 0 {
			l.imm = l.imm*31 + a
		}
	}
	return l
}

// findGroups splits the movable code into stretches, longest sets of copies first; what recurs nowhere becomes
// groups of one.
func (s *searcher) findGroups() {
	n := len(s.p.Code)
	taken := make([]bool, n)
	sig := make([]likeness, n)
	for i := range s.p.Code {
		if taken[i] = !movable(&s.p.Code[i]); !taken[i] {
			sig[i] = likenessOf(&s.p.Code[i])
		}
	}
	for i := 0; i+gram <= n; i++ {
		if !taken[i] {
			s.copiesOf(i, sig, taken)
		}
	}
	for i := 0; i < n; {
		j := i
		for j < n && !taken[j] && j-i < maxGroup {
			j++
		}
		if j-i > 1 {
			s.groups = append(s.groups, group{j - i, []int{i}})
		}
		i = max(j, i+1)
	}
	for _, g := range s.groups {
		s.weight += g.length
	}
}

// copiesOf makes a group of the stretch at i, if it recurs behind.
func (s *searcher) copiesOf(i int, sig []likeness, taken []bool) {
	starts := []int{i}
	length := maxGroup
	for j := i + gram; j+gram <= len(sig); j++ {
		k := 0
		for k < length && j+k < len(sig) && !taken[i+k] && !taken[j+k] && sig[i+k] == sig[j+k] {
			k++
		}
		if k < gram || (len(starts) > 1 && k < length*3/4) {
			continue
		}
		length = min(k, length, j-starts[len(starts)-1])
		starts = append(starts, j)
		j += length - 1
	}
	if len(starts) == 1 {
		return
	}
	for _, at := range starts {
		for k := range length {
			taken[at+k] = true
		}
	}
	s.groups = append(s.groups, group{length, starts})
}

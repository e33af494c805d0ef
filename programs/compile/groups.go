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

// signatures are the likenesses of the code, and where it may not be moved.
func signatures(code []MInst) (sig []likeness, fixed []bool) {
	sig, fixed = make([]likeness, len(code)), make([]bool, len(code))
	for i := range code {
		if fixed[i] = !movable(&code[i]); !fixed[i] {
			sig[i] = likenessOf(&code[i])
		}
	}
	return sig, fixed
}

// findGroups finds the stretches that recur.
func findGroups(code []MInst) []group {
	sig, taken := signatures(code)
	var groups []group
	for i := 0; i+gram <= len(code); i++ {
		if taken[i] {
			continue
		}
		if g := copiesOf(i, sig, taken); len(g.starts) > 1 {
			groups = append(groups, g)
		}
	}
	return groups
}

// copiesOf makes a group of the stretch at i, if it recurs behind.
func copiesOf(i int, sig []likeness, taken []bool) group {
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
		return group{}
	}
	for _, at := range starts {
		for k := range length {
			taken[at+k] = true
		}
	}
	return group{length, starts}
}

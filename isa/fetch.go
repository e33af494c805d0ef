package isa

// longest bounds the bytes that Decode is shown: no instruction set here has a longer instruction.
const longest = 16

// DecodeAt decodes the instruction at pc of mem and returns its length in bytes. The region may end
// behind it.
func DecodeAt(a Arch, mem *Memory, pc uint64) (in Inst, n int, err error) {
	r := mem.Find(pc, 1)
	if r == nil {
		return Inst{}, 0, mem.FaultAt(pc, 1, X)
	}
	code := r.Data[pc-r.Base:]
	return a.Decode(code[:min(len(code), longest)], pc)
}

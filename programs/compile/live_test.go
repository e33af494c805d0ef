package compile

import (
	"testing"

	"simrun/isa"
)

// Rows of a machine with registers 0 to 3, flags in 4 and a link register 5.
var (
	testAdd = &isa.Form{ID: "add", Ops: []isa.Operand{{Kind: isa.KindReg, Role: isa.Write}, {Kind: isa.KindReg, Role: isa.Read}}}
	testSub = &isa.Form{ID: "subs", Ops: testAdd.Ops, Writes: isa.Set(4)}
	testIf  = &isa.Form{ID: "bne", Flags: isa.Branch | isa.Cond, Ops: []isa.Operand{{Kind: isa.KindLabel}}, Reads: isa.Set(4)}
	testRet = &isa.Form{ID: "ret", Flags: isa.Branch | isa.Return, Reads: isa.Set(5)}
	testB   = &isa.Form{ID: "b", Flags: isa.Branch, Ops: []isa.Operand{{Kind: isa.KindLabel}}}
	testLdm = &isa.Form{ID: "ldm", Flags: isa.Load, Ops: []isa.Operand{{Kind: isa.KindReg, Role: isa.Read}, {Kind: isa.KindList}}}
)

func testItem(f *isa.Form, sym string, args ...int64) isa.Item {
	in := isa.Inst{Form: f, Sym: sym}
	copy(in.Args[:], args)
	return isa.Item{Inst: in}
}

// TestLiveBehind: flags live from their writer to their reader only, round loops and over branches too.
func TestLiveBehind(t *testing.T) {
	const flags = isa.RegSet(1 << 4)
	for _, c := range []struct {
		name  string
		items []isa.Item
		want  []bool // flags are live behind the item
	}{
		{"straight", []isa.Item{testItem(testAdd, "", 0, 1), testItem(testRet, "")}, []bool{false, false}},
		{"loop", []isa.Item{
			{Label: "top"}, testItem(testAdd, "", 0, 1), testItem(testSub, "", 2, 2), testItem(testAdd, "", 1, 0), testItem(testIf, "top"), testItem(testRet, ""),
		}, []bool{false, false, true, true, false, false}},
		{"flags read round the loop", []isa.Item{
			testItem(testSub, "", 2, 2), {Label: "top"}, testItem(testIf, "out"), testItem(testSub, "", 2, 2), testItem(testB, "top"), {Label: "out"}, testItem(testRet, ""),
		}, []bool{true, false, false, true, true, false, false}},
		{"read at the target only", []isa.Item{
			testItem(testSub, "", 2, 2), testItem(testB, "there"), testItem(testAdd, "", 0, 0), testItem(testRet, ""), {Label: "there"}, testItem(testIf, "there"), testItem(testRet, ""),
		}, []bool{true, true, false, false, false, true, false}},
	} {
		live := liveBehind(c.items, isa.Set(5))
		for i, want := range c.want {
			if c.items[i].Inst.Form != nil && live[i]&flags != 0 != want {
				t.Errorf("%s: behind item %d flags are live: %v, want %v", c.name, i, !want, want)
			}
		}
	}
}

// TestLiveLists: a register list is read by stores and written by loads.
func TestLiveLists(t *testing.T) {
	items := []isa.Item{testItem(testAdd, "", 0, 0), testItem(testLdm, "", 0, 0b110), testItem(testAdd, "", 0, 1), testItem(testRet, "")}
	live := liveBehind(items, isa.Set(0, 5))
	if want := isa.Set(0, 5); live[0] != want {
		t.Errorf("in front of the load %b is live, want %b", live[0], want)
	}
	if want := isa.Set(1, 5); live[1] != want {
		t.Errorf("behind the load %b is live, want %b", live[1], want)
	}
}

package profile

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/isa/t32"
)

// program assembles text at org and returns its image and a memory that holds it.
func program(t testing.TB, arch isa.Arch, text string) (*isa.Image, *isa.Memory) {
	t.Helper()
	const org = 0x1000
	blocks, err := arch.Parse("calls.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := arch.Assemble(blocks, org)
	if err != nil {
		t.Fatal(err)
	}
	im.Source = "calls.s"
	mem := &isa.Memory{}
	if err := mem.Add(&isa.Region{Name: "code", Base: org, Data: im.Segments[0].Data, Perm: isa.R | isa.X}); err != nil {
		t.Fatal(err)
	}
	return im, mem
}

// outer calls inner twice; every address below is that of one instruction.
const (
	thumbCalls = `
	.syntax unified
	.thumb
	.text
	.global outer
	.type outer, %function
outer:
	push	{r4, lr}
	bl	inner
	bl	inner
	pop	{r4, pc}
	.size outer, . - outer
	.global inner
	.type inner, %function
inner:
	nop
	bx	lr
	.size inner, . - inner
`
	riscvCalls = `
	.text
	.global outer
	.type outer, @function
outer:
	mv	t0, ra
	jal	ra, inner
	jal	ra, inner
	jalr	zero, 0(t0)
	.size outer, . - outer
	.global inner
	.type inner, @function
inner:
	nop
	jalr	zero, 0(ra)
	.size inner, . - inner
`
)

// feed gives the profile one record of one cycle for each address.
func feed(p *Profile, pcs ...uint64) {
	for i, pc := range pcs {
		x := costmodel.Timed{PC: pc, Start: uint64(i), Slots: 1}
		x.Causes[costmodel.Issue] = 1
		p.Timed(x)
	}
}

// steps lists the addresses of the instructions of an image, in order.
func steps(t testing.TB, arch isa.Arch, im *isa.Image) []uint64 {
	t.Helper()
	var list []uint64
	code := im.Segments[0]
	for pc := code.Addr; pc < code.Addr+uint64(len(code.Data)); {
		_, n, err := arch.Decode(code.Data[pc-code.Addr:], pc)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pc)
		pc += uint64(n)
	}
	return list
}

func TestCallsAndReturns(t *testing.T) {
	for _, tc := range []struct {
		arch isa.Arch
		text string
	}{{t32.New(), thumbCalls}, {rv32.New(), riscvCalls}} {
		t.Run(tc.arch.Name(), func(t *testing.T) {
			im, mem := program(t, tc.arch, tc.text)
			s := steps(t, tc.arch, im)
			p := New(tc.arch, mem)
			for range 2 {
				p.Restart()
				feed(p, s[0], s[1], s[4], s[5], s[2], s[4], s[5], s[3])
			}
			src := NewSource(im)
			var got []Entry
			for _, e := range p.Functions(src) {
				got = append(got, Entry{Func: e.Func, Own: costmodel.Totals{Slots: e.Own.Slots}, Cumulative: e.Cumulative})
			}
			want := []Entry{
				{Func: "outer", Own: costmodel.Totals{Slots: 8}, Cumulative: 16},
				{Func: "inner", Own: costmodel.Totals{Slots: 8}, Cumulative: 8},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if n := len(p.calls.tree); n != 3 {
				t.Errorf("%d call paths, want 3: none, and one for each call", n)
			}
			if got, want := p.CodeBytes(), len(im.Segments[0].Data); got != want {
				t.Errorf("%d bytes of code executed, want %d", got, want)
			}
			lines := p.Lines(src)
			if len(lines) != 6 || lines[0].Place() != "calls.s:"+lineOf(im, s[4]) {
				t.Errorf("lines %+v", lines)
			}
		})
	}
}

func lineOf(im *isa.Image, pc uint64) string {
	for _, l := range im.Lines {
		if l.Addr == pc {
			return strconv.Itoa(l.Line)
		}
	}
	return "none"
}

// TestInterruptedCall enters a handler between instructions: the path of the interrupted function
// is taken up again behind it.
func TestInterruptedCall(t *testing.T) {
	arch := t32.New()
	im, mem := program(t, arch, thumbCalls+`
	.global handler
	.type handler, %function
handler:
	bx	lr
	.size handler, . - handler
`)
	s := steps(t, arch, im)
	p := New(arch, mem)
	handler := s[6]
	feed(p, s[0], s[1], s[4], handler, s[5], handler, s[2], s[4], s[5], s[3])
	for _, e := range p.Functions(NewSource(im)) {
		want := map[string]uint64{"outer": 10, "inner": 4, "handler": 2}[e.Func]
		if e.Cumulative != want {
			t.Errorf("%s: %d cycles with calls, want %d", e.Func, e.Cumulative, want)
		}
	}
	if p.calls.path != 0 || len(p.calls.frames) != 0 {
		t.Errorf("%d calls are open at the end", len(p.calls.frames))
	}
}

// TestCallsBalance makes random calls and returns: a path is never longer than the calls that are
// open, and none is left at the end.
func TestCallsBalance(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := newCalls()
		var open []uint64
		for range rapid.IntRange(0, 400).Draw(r, "steps") {
			if len(open) > 0 && rapid.IntRange(0, 3).Draw(r, "return") == 0 {
				c.pop(open[len(open)-1])
				open = open[:len(open)-1]
			} else {
				site := uint64(2 * rapid.IntRange(1, 5).Draw(r, "site"))
				c.push(site, site+1)
				open = append(open, site+1)
			}
			sites := c.sites(c.path)
			if len(sites) > len(open) || !c.cut && len(sites) != len(open) {
				r.Fatalf("path of %d calls, %d are open", len(sites), len(open))
			}
			if !c.cut && len(open) > 0 && sites[0]+1 != open[len(open)-1] {
				r.Fatalf("innermost call at %d returns to %d", sites[0], open[len(open)-1])
			}
		}
		for i := len(open) - 1; i >= 0; i-- {
			c.pop(open[i])
		}
		if c.path != 0 || len(c.frames) != 0 {
			r.Fatalf("path %d with %d frames after the last return", c.path, len(c.frames))
		}
	})
}

func TestCallsAreBounded(t *testing.T) {
	c := newCalls()
	for i := range uint64(2 * maxFrames) {
		c.push(i, i+1)
	}
	if len(c.tree) > maxPaths || len(c.sites(c.path)) > maxDepth || len(c.frames) > maxFrames || !c.cut {
		t.Errorf("%d paths, depth %d, %d frames, cut %v", len(c.tree), len(c.sites(c.path)), len(c.frames), c.cut)
	}
	c.pop(1)
	for i := range uint64(2 * maxPaths) {
		c.push(i, i+1)
		c.pop(i + 1)
	}
	if len(c.tree) > maxPaths || c.path != 0 {
		t.Errorf("%d paths, at path %d", len(c.tree), c.path)
	}
}

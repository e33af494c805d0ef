package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"time"

	"simrun/internal/result"
	"simrun/isa"
	"simrun/programs/native"
	"simrun/programs/targets"
)

// hostISAs maps Go's names of this computer's instruction set to ours.
var hostISAs = map[string]string{"amd64": "x86", "arm64": "a64"}

// HostISA is the instruction set that this computer runs natively. It is native.ErrUnsupported if there is none, or if
// nothing is compiled for it.
func HostISA() (string, error) { return hostISA(runtime.GOARCH) }

func hostISA(goarch string) (string, error) {
	name, ok := hostISAs[goarch]
	if !ok {
		return "", native.ErrUnsupported
	}
	if _, err := targets.For(name); err != nil {
		return "", noTarget{err}
	}
	return name, nil
}

// noTarget is the native.ErrUnsupported of a computer that could run code if there were any for it.
type noTarget struct{ error }

func (e noTarget) Error() string { return "nothing runs natively on this computer: " + e.error.Error() }

func (e noTarget) Is(err error) bool { return err == native.ErrUnsupported }

// nativeProgram is a program on this computer. Its context block stands at the start of ctx,
// the buffers behind it.
type nativeProgram struct {
	code    *native.Code
	ctx     *native.Context
	buffers map[string]span
}

// span is a range of bytes of a context.
type span struct{ at, n int }

// mapNative puts the program into this computer's memory.
func mapNative(p *Program, public map[string]int64) (*nativeProgram, error) {
	if p.Context == nil {
		return nil, fmt.Errorf("%s code takes no context block: it cannot run natively", p.Arch.Name())
	}
	symbol, ok := p.Image.Lookup(p.Block.Name)
	if !ok {
		return nil, fmt.Errorf("no symbol %s in the image", p.Block.Name)
	}
	code, err := native.MapImage(p.Image, symbol.Addr)
	if err != nil {
		return nil, err
	}
	n := &nativeProgram{code: code, buffers: map[string]span{}}
	if err := n.place(p, public); err != nil {
		code.Close()
		return nil, err
	}
	return n, nil
}

// place lays out the buffers and fills the fields of the context block.
func (n *nativeProgram) place(p *Program, public map[string]int64) error {
	end := isa.AlignUp(p.Context.Size, bufferAlign)
	for _, param := range p.Params {
		if param.Mem != nil {
			size := p.bufferBytes(param.Mem)
			n.buffers[param.Name] = span{end, size}
			end = isa.AlignUp(end+size, bufferAlign)
		}
	}
	n.ctx = native.NewContext(end)
	for _, f := range p.Context.Fields {
		if b, ok := n.buffers[f.Name]; ok {
			if err := n.ctx.PutAddr(f.Offset, b.at); err != nil {
				return err
			}
			continue
		}
		v, err := publicValue(f.Name, public)
		if err != nil {
			return err
		}
		binary.NativeEndian.PutUint64(n.ctx.Bytes()[f.Offset:], v)
	}
	return nil
}

func (n *nativeProgram) set(name string, data []byte) error {
	b, ok := n.buffers[name]
	if !ok || len(data) > b.n {
		return fmt.Errorf("parameter %s: %d bytes for a buffer of %d", name, len(data), b.n)
	}
	copy(n.ctx.Bytes()[b.at:], data)
	return nil
}

func (n *nativeProgram) get(name string) ([]byte, error) {
	b, ok := n.buffers[name]
	if !ok {
		return nil, fmt.Errorf("no parameter %s", name)
	}
	return append([]byte(nil), n.ctx.Bytes()[b.at:][:b.n]...), nil
}

func (n *nativeProgram) call() error { return n.code.Call(n.ctx) }

// placeAgain puts a checked program at a fresh place, with the same contents of its buffers, and
// demands that a call does the same there.
func (n *nativeProgram) placeAgain(p *Program, public map[string]int64) (*native.Code, *native.Context, error) {
	fresh, err := mapNative(p, public)
	if err != nil {
		return nil, nil, err
	}
	if err := n.callBoth(fresh); err != nil {
		fresh.code.Close()
		return nil, nil, err
	}
	return fresh.code, fresh.ctx, nil
}

// callBoth gives fresh the contents of n's buffers, calls both and compares the buffers.
func (n *nativeProgram) callBoth(fresh *nativeProgram) error {
	for name, b := range n.buffers {
		if err := fresh.set(name, n.ctx.Bytes()[b.at:][:b.n]); err != nil {
			return err
		}
	}
	if err := errors.Join(n.call(), fresh.call()); err != nil {
		return err
	}
	for name, b := range n.buffers {
		if !bytes.Equal(n.ctx.Bytes()[b.at:][:b.n], fresh.ctx.Bytes()[b.at:][:b.n]) {
			return fmt.Errorf("parameter %s: another result at another place in memory", name)
		}
	}
	return nil
}

// MeasureAll measures on this computer one cell of each kernel, that of [HostCPU], after the same
// check as on the simulator, and puts the figures into rows. limit bounds the time of all. It
// returns native.ErrUnsupported where this computer can run none of them by nature.
func MeasureAll(ctx context.Context, cells []Cell, programs []*Program, rows []result.Row, limit time.Duration, progress Progress) error {
	isa, err := HostISA()
	if err != nil {
		return err
	}
	processor := hostProcessor()
	var open measured
	defer open.close()
	for _, i := range measurable(cells, isa, processor) {
		if err := open.add(i, cells[i], programs[i]); err != nil {
			return fmt.Errorf("%s on this computer: %w", cells[i].Subject.Name, err)
		}
	}
	if len(open.fns) == 0 {
		return nil
	}
	m, err := native.NewMeasurer()
	if err != nil {
		return err
	}
	defer m.Close()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for k, r := range m.MeasureAll(ctx, open.fns, progress) {
		if r.Err != nil {
			return fmt.Errorf("%s on this computer: %w", r.Name, r.Err)
		}
		i := open.rows[k]
		rows[i].Measured = figure(r, int(rows[i].Bytes))
		if err := judge(&rows[i], cells[i].CPU, processor); err != nil {
			return err
		}
	}
	return nil
}

// measured is the list of programs to measure, mapped and checked.
type measured struct {
	rows     []int
	programs []*nativeProgram
	fns      []native.Fn
}

func (l *measured) add(row int, c Cell, p *Program) error {
	n, err := mapNative(p, c.Subject.Public)
	if err != nil {
		return err
	}
	l.programs = append(l.programs, n)
	if _, err := c.Subject.check(p, n); err != nil {
		return err
	}
	l.rows = append(l.rows, row)
	l.fns = append(l.fns, native.Fn{Name: c.Subject.Name, Place: func() (*native.Code, *native.Context, error) {
		return n.placeAgain(p, c.Subject.Public)
	}})
	return nil
}

func (l *measured) close() {
	for _, n := range l.programs {
		n.code.Close()
	}
}

// figure turns a measurement of a call on so many bytes into cycles per byte.
func figure(r native.Result, size int) *result.Measured {
	m := &result.Measured{
		CyclesPerByte: result.Figure(r.CyclesPerCall / float64(size)),
		Low:           result.Figure(r.Low / float64(size)),
		High:          result.Figure(r.High / float64(size)),
		Host:          r.Host,
		Calls:         r.N, Windows: r.Windows, Acceptance: r.Acceptance, ChainMHz: r.ChainMHz,
	}
	if r.Contended {
		m.Note = "contended, no figure"
	}
	return m
}

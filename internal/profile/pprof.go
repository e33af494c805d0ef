package profile

import (
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"simrun/costmodel"
)

// WritePprof writes the profile in the form of pprof, gzip-compressed. The values of a sample are
// cycles, instructions, and cycles by each cause that occurred; with them stands its call path.
// binary names the program, comments stand in the profile for people. The same profile gives the
// same bytes.
func (p *Profile) WritePprof(w io.Writer, src *Source, binary string, comments []string) error {
	unit := "cycles"
	if w := p.total.Width; w > 1 {
		unit = fmt.Sprintf("cycles/%d", w)
	}
	out := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cycles", Unit: unit}, {Type: "instructions", Unit: "count"}},
		PeriodType: &profile.ValueType{Type: "cycles", Unit: unit},
		Period:     1,
		Comments:   comments,
	}
	var causes []costmodel.Cause
	for c, n := range p.total.By {
		if n != 0 {
			causes = append(causes, costmodel.Cause(c))
			out.SampleType = append(out.SampleType, &profile.ValueType{Type: costmodel.Causes[c], Unit: unit})
		}
	}
	out.DefaultSampleType = "cycles"
	l := p.newLocations(out, src, binary)
	for _, at := range p.places() {
		t := p.samples[at]
		s := &profile.Sample{Value: []int64{int64(t.Slots), int64(t.Instructions)}, Location: []*profile.Location{l.at(at.pc)}}
		for _, c := range causes {
			s.Value = append(s.Value, int64(t.By[c]))
		}
		for _, site := range p.calls.sites(at.path) {
			s.Location = append(s.Location, l.at(site))
		}
		out.Sample = append(out.Sample, s)
	}
	if err := out.CheckValid(); err != nil {
		return err
	}
	return out.Write(w)
}

// locations numbers the locations and functions of a pprof profile in the order of their use.
type locations struct {
	out   *profile.Profile
	src   *Source
	known map[uint64]*profile.Location
	funcs map[Frame]*profile.Function // Line is 0
}

func (p *Profile) newLocations(out *profile.Profile, src *Source, binary string) *locations {
	m := &profile.Mapping{ID: 1, File: binary, HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}
	if list := p.addresses(); len(list) > 0 {
		last := list[len(list)-1]
		m.Start, m.Limit = list[0], max(p.points[last].next, last+1)
	}
	out.Mapping = []*profile.Mapping{m}
	return &locations{out, src, map[uint64]*profile.Location{}, map[Frame]*profile.Function{}}
}

func (l *locations) at(pc uint64) *profile.Location {
	if loc := l.known[pc]; loc != nil {
		return loc
	}
	loc := &profile.Location{ID: uint64(len(l.out.Location) + 1), Mapping: l.out.Mapping[0], Address: pc}
	for _, f := range l.src.Frames(pc) {
		loc.Line = append(loc.Line, profile.Line{Function: l.function(f), Line: int64(f.Line)})
	}
	l.known[pc] = loc
	l.out.Location = append(l.out.Location, loc)
	return loc
}

func (l *locations) function(f Frame) *profile.Function {
	f.Line = 0
	if fn := l.funcs[f]; fn != nil {
		return fn
	}
	fn := &profile.Function{
		ID: uint64(len(l.out.Function) + 1), Name: f.Func, SystemName: f.Func,
		Filename: f.File, StartLine: int64(f.Start),
	}
	l.funcs[f] = fn
	l.out.Function = append(l.out.Function, fn)
	return fn
}

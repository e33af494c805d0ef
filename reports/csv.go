package reports

import (
	"encoding/csv"
	"io"
	"strconv"

	"simrun/internal/result"
)

// csvColumns are the columns of the CSV form, in order. Numbers that a row does not have are empty.
var csvColumns = []struct {
	name string
	cell func(*result.Row) string
}{
	{"kernel", func(r *result.Row) string { return r.Kernel }},
	{"cpu", func(r *result.Row) string { return r.CPU }},
	{"isa", func(r *result.Row) string { return r.ISA }},
	{"verified", func(r *result.Row) string { return string(r.Verified) }},
	{"blocks", func(r *result.Row) string { return whole(r.Blocks) }},
	{"bytes", func(r *result.Row) string { return whole(r.Bytes) }},
	{"cycles", func(r *result.Row) string { return number(r.Cycles, 3) }},
	{"cold_cycles", func(r *result.Row) string { return number(r.ColdCycles, 3) }},
	{"cycles_per_byte", func(r *result.Row) string { return number(r.CyclesPerByte, 3) }},
	{"instructions", func(r *result.Row) string { return number(r.Instructions, 3) }},
	{"ipc", func(r *result.Row) string { return number(r.IPC, 3) }},
	{"code_bytes", func(r *result.Row) string { return whole(r.CodeBytes) }},
	{"form", func(r *result.Row) string { return string(r.Form) }},
	{"stack_bytes", func(r *result.Row) string { return strconv.Itoa(r.StackBytes) }},
	{"small_code_bytes", smallText(func(s *result.Small) string { return whole(s.CodeBytes) })},
	{"small_cycles", smallText(func(s *result.Small) string { return number(s.Cycles, 3) })},
	{"small_cycles_per_byte", smallText(func(s *result.Small) string { return number(s.CyclesPerByte, 3) })},
	{"record_cycles_per_byte", func(r *result.Row) string { return number(recordPerByte(r), 3) }},
	{"ratio_to_record", func(r *result.Row) string { return number(Ratio(r), 3) }},
	{"measured_cycles_per_byte", measuredPart(func(m *result.Measured) result.Figure { return m.CyclesPerByte })},
	{"measured_low", measuredPart(func(m *result.Measured) result.Figure { return m.Low })},
	{"measured_high", measuredPart(func(m *result.Measured) result.Figure { return m.High })},
	{"measured_host", measuredText(func(m *result.Measured) string { return m.Host })},
	{"measured_note", measuredText(func(m *result.Measured) string { return m.Note })},
	{"measured_model", measuredText(func(m *result.Measured) string { return string(m.Model) })},
	{"measured_model_cycles_per_byte", measuredPart(func(m *result.Measured) result.Figure { return m.ModelCyclesPerByte })},
	{"measured_error_percent", measuredText(func(m *result.Measured) string {
		if m.ErrorPercent == nil {
			return ""
		}
		return strconv.FormatFloat(*m.ErrorPercent, 'f', 3, 64)
	})},
}

func measuredText(part func(*result.Measured) string) func(*result.Row) string {
	return func(r *result.Row) string {
		if r.Measured == nil {
			return ""
		}
		return part(r.Measured)
	}
}

func smallText(part func(*result.Small) string) func(*result.Row) string {
	return func(r *result.Row) string {
		if r.Small == nil {
			return ""
		}
		return part(r.Small)
	}
}

func measuredPart(part func(*result.Measured) result.Figure) func(*result.Row) string {
	return measuredText(func(m *result.Measured) string { return number(part(m), 3) })
}

// number prints v with so many decimals; 0 stands for "no figure" and prints as nothing.
func number[T ~float64](v T, decimals int) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(v), 'f', decimals, 64)
}

// whole prints a count that may be unknown.
func whole(c result.Count) string {
	if c == 0 {
		return ""
	}
	return strconv.Itoa(int(c))
}

// CSV writes one line per row under a line of column names.
func CSV(w io.Writer, rows []result.Row) error {
	out := csv.NewWriter(w)
	line := make([]string, len(csvColumns))
	for i, c := range csvColumns {
		line[i] = c.name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for r := range rows {
		for i, c := range csvColumns {
			line[i] = c.cell(&rows[r])
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

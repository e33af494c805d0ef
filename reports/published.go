package reports

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"simrun/internal/result"
)

//go:embed published.csv
var publishedCSV []byte

// publishedHeader is the first line of published.csv. A record is the best published figure
// of that kernel's representation on that CPU; window says what the authors counted.
var publishedHeader = []string{"kernel", "cpu", "value", "unit", "record", "window", "source"}

type key struct{ kernel, cpu string }

var published = sync.OnceValues(func() (map[key][]result.Published, error) {
	return readPublished(publishedCSV)
})

func readPublished(data []byte) (map[key][]result.Published, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = len(publishedHeader)
	head, err := r.Read()
	if err != nil || !slices.Equal(head, publishedHeader) {
		return nil, fmt.Errorf("published.csv:1: the columns must be %v", publishedHeader)
	}
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("published.csv: %w", err)
	}
	figures := map[key][]result.Published{}
	for i, f := range lines {
		value, err := strconv.ParseFloat(f[2], 64)
		if err != nil || value <= 0 {
			return nil, fmt.Errorf("published.csv:%d: value %q is no positive number", i+2, f[2])
		}
		if _, known := units[f[3]]; !known {
			return nil, fmt.Errorf("published.csv:%d: unit %q is none of c/B, cycles/block, cycles", i+2, f[3])
		}
		record, err := strconv.ParseBool(f[4])
		if err != nil {
			return nil, fmt.Errorf("published.csv:%d: record %q is neither true nor false", i+2, f[4])
		}
		k := key{f[0], f[1]}
		figures[k] = append(figures[k], result.Published{
			Value: value, Unit: f[3], Record: record, Source: f[6] + " (" + f[5] + ")",
		})
	}
	return figures, nil
}

// Attach puts the published figures of each row's kernel and CPU beside it.
func Attach(rows []result.Row) error {
	figures, err := published()
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Published = append([]result.Published{}, figures[key{rows[i].Kernel, rows[i].CPU}]...)
	}
	return nil
}

// units turns a figure into cycles per byte of message for a call of so many blocks and bytes.
var units = map[string]func(value float64, blocks, bytes int) float64{
	"c/B":          func(v float64, _, _ int) float64 { return v },
	"cycles/block": func(v float64, blocks, bytes int) float64 { return v * float64(blocks) / float64(bytes) },
	"cycles":       func(v float64, _, bytes int) float64 { return v / float64(bytes) },
}

// PerByte is a published figure in cycles per byte, for the blocks and bytes of row.
func PerByte(p result.Published, row *result.Row) float64 {
	convert, known := units[p.Unit]
	if !known || row.Bytes == 0 {
		return 0
	}
	return convert(p.Value, int(row.Blocks), int(row.Bytes))
}

// Record is the figure to beat of a row, if one is published.
func Record(row *result.Row) (result.Published, bool) {
	for _, p := range row.Published {
		if p.Record {
			return p, true
		}
	}
	return result.Published{}, false
}

package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"simrun/internal/input"
	"simrun/internal/result"
)

// Read reads the rows of a JSON file as `simrun table` or `simrun run` writes it: {"rows": [..]}, or one row. No
// two rows are of the same kernel and CPU. Errors are one line that begins with name.
func Read(name string, data []byte) ([]result.Row, error) {
	var file struct {
		result.Row
		Rows *[]result.Row `json:"rows"`
	}
	d := json.NewDecoder(bytes.NewReader(input.NoBOM(data)))
	err := d.Decode(&file)
	if err != nil {
		err = input.JSONError(err)
	} else if _, more := d.Token(); !errors.Is(more, io.EOF) {
		err = errors.New("there is more behind the results")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: no results in JSON: %w; write them with --format json", name, err)
	}
	if file.Schema != result.Schema {
		return nil, fmt.Errorf("%s: results of schema %d, this program reads %d; write them with --format json", name, file.Schema, result.Schema)
	}
	rows := []result.Row{file.Row}
	if file.Rows != nil {
		rows = *file.Rows
	}
	if err := checkRows(rows); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

func checkRows(rows []result.Row) error {
	if len(rows) == 0 {
		return errors.New("there is no row in it")
	}
	seen := map[id]bool{}
	for i := range rows {
		r := &rows[i]
		switch k := idOf(r); {
		case r.Kernel == "" || r.CPU == "":
			return fmt.Errorf("row %d has no kernel or no cpu", i+1)
		case seen[k]:
			return fmt.Errorf("row %d: %s stands in it twice", i+1, k)
		case r.Cycles < 0 || r.Instructions < 0:
			return fmt.Errorf("row %d: %s has less than no cycles or instructions", i+1, k)
		default:
			seen[k] = true
		}
	}
	return nil
}

// id is what a row is of.
type id struct{ kernel, cpu string }

func idOf(r *result.Row) id { return id{r.Kernel, r.CPU} }

// String is fit for a line of text, whatever the file has for names.
func (k id) String() string { return input.Printable(k.kernel) + " on " + input.Printable(k.cpu) }

package rv32

import (
	"errors"

	"simrun/isa"
)

// Parse is filled by the next commit.
func (Arch) Parse(file, text string) ([]*isa.Block, error) {
	return nil, errors.New(file + ": assembler text is not read yet")
}

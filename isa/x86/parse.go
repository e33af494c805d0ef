package x86

import (
	"errors"

	"simrun/isa"
)

func (*arch) Parse(file, text string) ([]*isa.Block, error) {
	return nil, errors.New("parse")
}

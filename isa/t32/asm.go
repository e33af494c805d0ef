package t32

import (
	"errors"

	"simrun/isa"
)

// Print gives one instruction in unified syntax.
func (Arch) Print(in isa.Inst) string { return in.Form.ID }

// Parse reads unified syntax.
func (Arch) Parse(file, text string) ([]*isa.Block, error) { return nil, errors.New("t32: no parser") }

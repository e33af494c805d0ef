package x86

import "simrun/isa"

type arch struct{}

var theArch = &arch{}

// New returns the instruction set.
func New() isa.Arch { return theArch }

// Name is "x86".
func (*arch) Name() string { return "x86" }

// Triple is empty: the host's own as and objdump.
func (*arch) Triple() string { return "" }

// Forms lists the table.
func (*arch) Forms() []*isa.Form { return forms }

// Form finds a row by its ID.
func (*arch) Form(id string) *isa.Form {
	if r := byID[id]; r != nil {
		return &r.Form
	}
	return nil
}

// Classes lists the timing classes.
func (*arch) Classes() []string { return classes }

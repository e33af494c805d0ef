package ir

// Kernel is a checked kernel or keys function, ready for Eval.
type Kernel struct {
	Name  string  // "aes128/fixsliced"; of a keys function "aes128/fixsliced:keys"
	Leaky bool    // table look-ups by secret index are allowed
	Slice bool    // uses S: Eval needs the width of the target's widest word
	Keys  *Kernel // the keys function that makes its key parameter, nil if none
	Pos   Pos

	file *File
	decl *kernelDecl
}

// Param is a parameter of a kernel, in the order of the text. A keys function has two:
// "in" its argument and "out" its result.
type Param struct {
	Name   string
	Mem    *Mem // nil for a public scalar
	Public bool
}

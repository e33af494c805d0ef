package compile

// orderCode is the place of the schedule search. At -O1 it keeps the order of the text, which the
// authors of the kernels chose.
func orderCode(*Proc) {}

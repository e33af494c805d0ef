// Package prove proves that emitted machine code computes the same function as the text of its kernel. Both are
// run on symbolic bits, one bit at a time a node of one graph: the text by ir.Eval, the code by the terms of its
// instruction set. Nodes that look equal on random inputs are proven equal in small windows, by truth table or
// by elimination over GF(2), and become one node; an output bit is proven when both sides end in the same one.
package prove

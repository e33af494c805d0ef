// Package layout finds where the bits of a message sit inside a kernel, by
// evaluating the kernel over linear forms of bits. It knows no machine and no cipher.
package layout

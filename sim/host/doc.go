// Package host is what lies outside a simulated program: console, files, clock and exit, and the ways
// to ask for them: semihosting, Linux system calls and HTIF. It must not know any
// instruction set (it is given numbers and words) nor how time is counted.
package host

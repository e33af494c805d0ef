// Package inorder holds the pipelines of single-issue in-order cores: Cortex-M3/M4 and the
// Rocket core of SiFive's E31. A pipeline listens to retired runs and turns them into
// cycles by cause; every number comes from the CPU file. It must know no values, no
// instruction set beyond timing classes and register sets, and no machine.
package inorder

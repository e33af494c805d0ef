package ooo

import "simrun/costmodel"

// numbers are the parameters of a CPU file as the core wants them.
type numbers struct {
	predecode, lengthChange       uint64 // instructions, cycles
	queueBlocks                   uint64
	microDecoders, decoderUops    uint64
	uopQueue                      uint64
	loopInstructions, loopBlocks  uint64
	rename                        int
	readPorts, readPortsIndex     int
	limitReads                    bool
	stackSync                     bool
	partialMerge, partialFlags    uint64
	rob, loadBuffer, storeBuffer  uint64
	inTurn                        bool
	issueDelay, releaseDelay      uint64
	oneResult                     uint64 // all ones if a port delivers one result in a cycle, else 0
	retire                        uint64
	mispredict                    uint64
	forward, forwardFail          uint64
	forwardWithin                 uint64
	aliasShift                    uint // by which differences of addresses are cut; 0 if they are not
	passAfter                     uint8
	passMask                      uint64
	lineCrossLoad, lineCrossStore uint64
	lineMask                      uint64
	l2                            uint64
	width                         uint64   // slots of a cycle
	entries                       [8]uint8 // by scheduler
}

func newNumbers(cpu *costmodel.CPU) numbers {
	u := func(name string) uint64 { return uint64(cpu.Param(name)) }
	yes := func(name string) bool { return cpu.Param(name) != 0 }
	n := numbers{
		predecode: u("predecode"), lengthChange: u("length_change"),
		queueBlocks:   u("fetch_queue") / u("fetch_bytes"),
		microDecoders: u("decoders"), decoderUops: u("decoder_uops"), uopQueue: u("uop_queue"),
		loopInstructions: u("loop_instructions"), loopBlocks: u("loop_blocks"),
		rename: cpu.Param("rename"), width: u("rename"),
		readPorts: cpu.Param("read_ports"), readPortsIndex: cpu.Param("read_ports_index"), limitReads: yes("read_ports"),
		stackSync: yes("stack_sync"), partialMerge: u("partial_merge"), partialFlags: u("partial_flags"),
		rob: u("rob"), loadBuffer: u("load_buffer"), storeBuffer: u("store_buffer"),
		inTurn: yes("bind"), issueDelay: u("issue_delay"), releaseDelay: u("release_delay"),
		retire: u("retire"), mispredict: u("mispredict"),
		forward: u("forward"), forwardFail: u("forward_fail"), forwardWithin: u("forward_within"),
		passAfter: uint8(cpu.Param("pass_after")), passMask: u("pass_entries") - 1,
		lineCrossLoad: u("line_cross_load"), lineCrossStore: u("line_cross_store"),
		lineMask: u("line") - 1, l2: u("l2"),
	}
	n.entries[noScheduler] = 255
	if alias := cpu.Param("alias"); alias != 0 {
		n.aliasShift = 64 - log2(alias)
	}
	if yes("write_back") {
		n.oneResult = ^uint64(0)
	}
	for i, s := range schedulers(cpu) {
		n.entries[i] = uint8(s.Entries)
	}
	return n
}

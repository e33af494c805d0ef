package native

import (
	"bufio"
	"io"
	"runtime"
	"strconv"
	"strings"
)

// Host is a processor by the names it gives itself. What is not known is empty.
type Host struct {
	Name          string // "AMD EPYC"
	Vendor        string // of an x86 processor: "AuthenticAMD"
	Family, Model int    // of an x86 processor
	Part          string // of an Arm processor: "implementer 0x41 part 0xd0c"
}

// String is the name, with family and model because the name alone says little.
func (h Host) String() string {
	switch {
	case h.Name != "" && h.Vendor != "":
		return h.Name + " (family " + strconv.Itoa(h.Family) + " model " + strconv.Itoa(h.Model) + ")"
	case h.Name != "":
		return h.Name
	case h.Part != "":
		return runtime.GOARCH + " " + h.Part
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

// readCPUInfo reads the first processor of Linux's /proc/cpuinfo.
func readCPUInfo(r io.Reader) Host {
	fields := map[string]string{}
	for sc := bufio.NewScanner(r); sc.Scan(); {
		key, value, ok := strings.Cut(sc.Text(), ":")
		if !ok {
			break // the end of the first processor
		}
		fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	h := Host{Name: fields["model name"]}
	family, badFamily := strconv.Atoi(fields["cpu family"])
	model, badModel := strconv.Atoi(fields["model"])
	if badFamily == nil && badModel == nil {
		h.Vendor, h.Family, h.Model = fields["vendor_id"], family, model
	}
	if part := fields["CPU part"]; part != "" {
		h.Part = "implementer " + fields["CPU implementer"] + " part " + part
	}
	return h
}

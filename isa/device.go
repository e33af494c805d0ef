package isa

import "fmt"

// Device is hardware behind memory addresses: it answers the loads and stores that no [Region] holds.
//
// A core executes an access to a device as the first step of a run, so that everything before it has
// been reported and a device may read the [Clock]. After a store it ends Run with StopDevice, so
// that the machine may look before the program goes on.
type Device struct {
	Name string
	Base uint64
	Size uint64 // bytes
	// Load returns the size bytes (1, 2 or 4) at offset off, Store takes them. A nil function, or
	// an error, which says what is wrong with the access, faults.
	Load  func(off uint64, size int) (uint32, error)
	Store func(off uint64, size int, v uint32) error
}

// AddDevice maps a device.
func (m *Memory) AddDevice(d *Device) error {
	for _, o := range m.devices {
		if d.Base < o.Base+o.Size && o.Base < d.Base+d.Size {
			return fmt.Errorf("device %s at %#x overlaps %s at %#x", d.Name, d.Base, o.Name, o.Base)
		}
	}
	m.devices = append(m.devices, d)
	return nil
}

// DeviceAt returns the device that holds n bytes at addr, or nil. Regions come first.
func (m *Memory) DeviceAt(addr, n uint64) *Device {
	if len(m.devices) == 0 || m.Find(addr, n) != nil {
		return nil
	}
	for _, d := range m.devices {
		if off := addr - d.Base; off < d.Size && n <= d.Size-off {
			return d
		}
	}
	return nil
}

// Read loads from the device at an address of the memory.
func (d *Device) Read(addr uint64, size int) (uint32, *Fault) {
	if d.Load == nil {
		return 0, &Fault{addr, size, R, "not readable (" + d.Name + ")"}
	}
	v, err := d.Load(addr-d.Base, size)
	if err != nil {
		return 0, &Fault{addr, size, R, d.Name + ": " + err.Error()}
	}
	return v, nil
}

// Write stores to the device at an address of the memory.
func (d *Device) Write(addr uint64, size int, v uint32) *Fault {
	if d.Store == nil {
		return &Fault{addr, size, W, "not writable (" + d.Name + ")"}
	}
	if err := d.Store(addr-d.Base, size, v); err != nil {
		return &Fault{addr, size, W, d.Name + ": " + err.Error()}
	}
	return nil
}

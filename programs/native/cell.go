package native

import "slices"

// cell is a kernel on its way to a figure.
type cell struct {
	fn  Fn
	n   int // calls of the shorter batch; 0 = not known yet
	err error

	codes  []*Code  // of all placements, mapped until the end so that each one is at a fresh place
	series []series // good ones, one a placement
	placed int      // placements, good or not

	tried int       // windows of all placements
	mhz   []float64 // core clock in the accepted windows
}

// series is what one placement gave.
type series struct {
	median, low, high float64 // cycles per call
	windows           int
	nominal           [2]float64 // of the canaries when it began
}

// newSeries makes a series of the cycles per call of accepted windows.
func newSeries(cycles []float64, nominal [2]float64) series {
	s := series{windows: len(cycles), nominal: nominal}
	s.median, s.low, s.high = interval(cycles)
	return s
}

// narrow is the gate of a series.
func (s series) narrow() bool { return s.high-s.low <= widthLimit*s.median }

// full says that so many windows are enough: the usual number if they agree, more if they do not.
func full(cycles []float64) bool {
	n := len(cycles)
	return n >= mostWindows || n > 0 && n%wantWindows == 0 && newSeries(cycles, [2]float64{}).narrow()
}

// keep adds the series of a placement if it passes the gate.
func (c *cell) keep(cycles []float64, nominal [2]float64) {
	if !full(cycles) {
		return
	}
	if s := newSeries(cycles, nominal); s.narrow() {
		c.series = append(c.series, s)
	}
}

// dropOlder forgets the series taken against a nominal time that proved too slow.
func (c *cell) dropOlder(nominal [2]float64) {
	c.series = slices.DeleteFunc(c.series, func(s series) bool {
		for i, now := range nominal {
			if now < improvedBy*s.nominal[i] {
				return true
			}
		}
		return false
	})
}

// done returns how many of the placements wanted the cell has; all of them if it needs no more.
func (c *cell) done() int {
	if c.err != nil || c.placed >= maxPlacements {
		return wantPlacements
	}
	n := min(len(c.series), wantPlacements)
	if n == wantPlacements && c.agreed() == nil {
		n--
	}
	return n
}

// agreed returns the fastest wantSeries series whose medians lie near together, nil if there are
// none: what disturbs a placement as a whole slows it down, and a single fast one may be an error.
func (c *cell) agreed() []series {
	s := sortedByMedian(c.series)
	for i := 0; i+wantSeries <= len(s); i++ {
		group := s[i : i+wantSeries]
		if group[wantSeries-1].median <= (1+spreadLimit)*group[0].median {
			return group
		}
	}
	return nil
}

// result makes the row of a cell.
func (m *Measurer) result(c *cell) Result {
	r := Result{Name: c.fn.Name, N: c.n, Host: m.host, Err: c.err, Placements: len(c.series)}
	if c.tried > 0 {
		r.Acceptance = float64(len(c.mhz)) / float64(c.tried)
	}
	if len(c.mhz) > 0 {
		r.ChainMHz, _, _ = interval(c.mhz)
	}
	if c.err != nil {
		return r
	}
	group := c.agreed()
	if group == nil || len(c.series) < leastPlacements || !m.trusted() {
		r.Contended = true
		return r
	}
	r.CyclesPerCall = group[wantSeries/2].median
	r.Low, r.High = group[0].low, group[0].high
	for _, s := range group {
		r.Low, r.High = min(r.Low, s.low), max(r.High, s.high)
		r.Windows += s.windows
	}
	return r
}

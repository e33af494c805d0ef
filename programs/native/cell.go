package native

import (
	"slices"
	"time"
)

// cell is a kernel on its way to a figure.
type cell struct {
	fn  Fn
	n   int // 0 = not prepared yet
	err error

	canaries []*reference

	now    []float64 // cycles per call of the accepted windows of the running series
	began  []float64 // nominal cycles of the canaries at its start
	spent  time.Duration
	series []series // closed and good
	runs   int      // series closed, good or not

	tried int       // windows of all series
	mhz   []float64 // core clock in the accepted windows
}

// series is a closed series that passed its gate.
type series struct {
	median, low, high float64
	windows           int
	nominal           []float64 // of the canaries when it began
}

// begin starts a series.
func (c *cell) begin() {
	c.began = make([]float64, len(c.canaries))
	for i, r := range c.canaries {
		c.began[i] = r.best
	}
}

// full says that the running series has enough windows: the usual number if they agree, more if
// they do not.
func (c *cell) full() bool {
	n := len(c.now)
	return n >= mostWindows || n > 0 && n%wantWindows == 0 && c.sum().narrow()
}

// sum makes a series of the windows so far.
func (c *cell) sum() series {
	s := series{windows: len(c.now), nominal: c.began}
	s.median, s.low, s.high = interval(c.now)
	return s
}

// narrow is the gate of a series.
func (s series) narrow() bool { return s.high-s.low <= widthLimit*s.median }

// close ends the running series; it is kept if it passes the gate.
func (c *cell) close() {
	if c.full() {
		if s := c.sum(); s.narrow() {
			c.series = append(c.series, s)
		}
	}
	c.now, c.spent = c.now[:0], 0
	c.runs++
}

// dropOlder forgets the series taken against a nominal time that proved too slow.
func (c *cell) dropOlder() {
	c.series = slices.DeleteFunc(c.series, func(s series) bool {
		for i, r := range c.canaries {
			if r.best < improvedBy*s.nominal[i] {
				return true
			}
		}
		return false
	})
}

// finished says that the cell has a figure, cannot have one, or has had its chances.
func (c *cell) finished() bool {
	return c.err != nil || c.runs >= maxSeries || c.agreed() != nil
}

// agreed returns the middle one of the fastest wantSeries series whose medians lie near together,
// nil if there are none. Fastest, because what disturbs a series as a whole slows it down.
func (c *cell) agreed() *series {
	s := sortedByMedian(c.series)
	for i := 0; i+wantSeries <= len(s); i++ {
		group := s[i : i+wantSeries]
		mid := group[wantSeries/2]
		if group[wantSeries-1].median-group[0].median <= spreadLimit*mid.median {
			return &mid
		}
	}
	return nil
}

// result makes the row of a cell.
func (m *Measurer) result(c *cell) Result {
	r := Result{Name: c.fn.Name, N: c.n, Host: m.host, Err: c.err}
	if c.tried > 0 {
		r.Acceptance = float64(len(c.mhz)) / float64(c.tried)
		for _, s := range c.series {
			r.Windows += s.windows
		}
	}
	if len(c.mhz) > 0 {
		r.ChainMHz, _, _ = interval(c.mhz)
	}
	if c.err != nil {
		return r
	}
	s := c.agreed()
	if s == nil || !m.trusted() {
		r.Contended = true
		return r
	}
	r.CyclesPerCall, r.Low, r.High = s.median, s.low, s.high
	return r
}

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
	nominal           []float64 // of the canaries when it began
}

// begin starts a series.
func (c *cell) begin() {
	c.began = make([]float64, len(c.canaries))
	for i, r := range c.canaries {
		c.began[i] = r.best
	}
}

// close ends the running series; it is kept if it is full and its interval is narrow.
func (c *cell) close() {
	if len(c.now) == wantWindows {
		s := series{nominal: c.began}
		s.median, s.low, s.high = interval(c.now)
		if s.high-s.low <= widthLimit*s.median {
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

// agreed returns the middle one of the wantSeries series whose medians lie nearest together, if
// that is near enough; else nil.
func (c *cell) agreed() *series {
	s := sortedByMedian(c.series)
	var best *series
	spread := spreadLimit
	for i := 0; i+wantSeries <= len(s); i++ {
		first, mid, last := s[i], s[i+wantSeries/2], s[i+wantSeries-1]
		if w := (last.median - first.median) / mid.median; w <= spread {
			best, spread = &mid, w
		}
	}
	return best
}

// result makes the row of a cell.
func (m *Measurer) result(c *cell) Result {
	r := Result{Name: c.fn.Name, N: c.n, Host: m.host, Err: c.err}
	if c.tried > 0 {
		r.Acceptance = float64(len(c.mhz)) / float64(c.tried)
		r.Windows = wantWindows * len(c.series)
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

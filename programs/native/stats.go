package native

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
)

// interval returns the median of values and its 95 % interval by order statistics: the values of
// the ranks n/2 -+ 0.98 sqrt n. It sorts a copy.
func interval(values []float64) (median, low, high float64) {
	v := slices.Clone(values)
	sort.Float64s(v)
	n := float64(len(v))
	d := 0.98 * math.Sqrt(n)
	rank := func(r float64) float64 { return v[min(max(int(r), 0), len(v)-1)] }
	return stat.Quantile(0.5, stat.LinInterp, v, nil), rank(math.Floor(n/2 - d)), rank(math.Ceil(n/2 + d))
}

// percentile returns the value below which the share p of the values lies. It sorts values.
func percentile(p float64, values []float64) float64 {
	sort.Float64s(values)
	return stat.Quantile(p, stat.Empirical, values, nil)
}

func sortedByMedian(s []series) []series {
	s = slices.Clone(s)
	sort.SliceStable(s, func(i, j int) bool { return s[i].median < s[j].median })
	return s
}

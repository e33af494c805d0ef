package costmodel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Pair is a predicted and a published figure of the same thing, in the same unit.
type Pair struct{ Predicted, Published float64 }

// ErrorStats are relative errors |predicted - published| / published; 0.01 is 1 %.
type ErrorStats struct {
	N    int
	Mean float64 // mean of the absolute errors
	Max  float64 // largest absolute error
	Bias float64 // mean of the signed errors: positive = predicted too high
}

// Errors sums up how well predictions agree. Pairs without a published figure are left out.
func Errors(pairs []Pair) ErrorStats {
	var signed, abs []float64
	for _, p := range pairs {
		if p.Published > 0 {
			e := (p.Predicted - p.Published) / p.Published
			signed, abs = append(signed, e), append(abs, math.Abs(e))
		}
	}
	if len(abs) == 0 {
		return ErrorStats{}
	}
	return ErrorStats{len(abs), stat.Mean(abs, nil), floats.Max(abs), stat.Mean(signed, nil)}
}

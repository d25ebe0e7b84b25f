// Package gazebo plans a simulator's pace: what a world file (SDFormat) asks
// for, what must change for a wanted real time factor, and to which rate the
// step of the simulator gates a controller.
//
// Steps and factors are decimals in the file and exact rationals here; files
// are edited by byte offsets, so that all the rest stays as it is. How gz-sim
// uses the values is known from its source, releases 8 (Harmonic) to 10
// (Jetty), how Gazebo Classic does from its physics tutorial. Nothing here
// talks to a simulator.
package gazebo

import "math/big"

// What the SDFormat specification says of a world that does not say it.
var (
	defaultStep    = big.NewRat(1, 1000) // seconds
	defaultRTF     = big.NewRat(1, 1)
	defaultGravity = [3]*big.Rat{new(big.Rat), new(big.Rat), big.NewRat(-98, 10)} // m/s²
)

// asFastAsPossible is the target factor below which gz-sim does not wait
// between steps: 1e-9.
var asFastAsPossible = big.NewRat(1, 1_000_000_000)

// unpaced reports whether a target factor makes gz-sim run as fast as it can.
func unpaced(rtf *big.Rat) bool { return rtf.Cmp(asFastAsPossible) < 0 }

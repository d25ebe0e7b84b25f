package rosmsg

import "github.com/takt-rt/takt/cdr"

// A Transform is what takt reads of a geometry_msgs/TransformStamped: which
// frames it relates, and when.
type Transform struct {
	Stamp         int64  // nanoseconds
	Parent, Child []byte // names of the frames; part of the message
}

// leastTransform is the fewest bytes that a TransformStamped takes: its stamp,
// the lengths of two empty strings, translation 3 and rotation 4 float64.
const leastTransform = 8 + 2*4 + 7*8

// EachTransform calls f for every transform of a tf2_msgs/TFMessage, in order.
// What it hands over is valid during the call only. It does not allocate. When
// a message ends early the error, a *cdr.Error, comes after the transforms
// that were whole.
//
// Layout: a sequence of
//
//	stamp 8 | frame_id string | child_frame_id string | translation 3 x 8 | rotation 4 x 8
func EachTransform(msg []byte, f func(t Transform)) error {
	r := cdr.NewReader(msg)
	for range r.Len(leastTransform) {
		t := Transform{Stamp: readTime(&r), Parent: r.String(), Child: r.String()}
		r.Align(8)
		r.Skip(7*8, "transform")
		if r.Err() != nil {
			break
		}
		f(t)
	}
	return r.Err()
}

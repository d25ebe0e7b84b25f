package synth

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// Each of these functions returns a new serialized message in little-endian
// CDR, its encapsulation header included.

// Clock returns a rosgraph_msgs/Clock.
func Clock(t clock.Sim) []byte {
	var a cdr.Appender
	appendTime(&a, int64(t))
	return a.Message()
}

// String returns a std_msgs/String.
func String(s string) []byte {
	var a cdr.Appender
	a.String(s)
	return a.Message()
}

// Imu returns a sensor_msgs/Imu at rest.
func Imu(stamp timeline.Stamp, frame string) []byte {
	var a cdr.Appender
	appendHeader(&a, stamp, frame)
	vectors := make([]float64, 4+9+3+9+3+9)
	vectors[3] = 1                     // orientation w
	vectors[4+9+3+9+2] = 9.81          // linear acceleration z, m/s²
	appendFloat64s(&a, vectors, false) // fixed arrays have no length
	return a.Message()
}

// JointState returns a sensor_msgs/JointState of n joints at zero.
func JointState(stamp timeline.Stamp, frame string, n int) []byte {
	var a cdr.Appender
	appendHeader(&a, stamp, frame)
	a.Uint32(uint32(n))
	for i := range n {
		a.String("joint_" + strconv.Itoa(i))
	}
	for range 3 { // position, velocity, effort
		appendFloat64s(&a, make([]float64, n), true)
	}
	return a.Message()
}

// LaserScan returns a sensor_msgs/LaserScan of n ranges of 1 m and no intensities.
func LaserScan(stamp timeline.Stamp, n int) []byte {
	var a cdr.Appender
	appendHeader(&a, stamp, "laser")
	for _, v := range []float32{-math.Pi, math.Pi, 2 * math.Pi / float32(n), 0, 0.1, 0.1, 30} {
		a.Uint32(math.Float32bits(v))
	}
	a.Uint32(uint32(n))
	for range n {
		a.Uint32(math.Float32bits(1))
	}
	a.Uint32(0)
	return a.Message()
}

// Image returns a sensor_msgs/Image of one row of 8-bit grey pixels.
func Image(stamp timeline.Stamp, pixels []byte) []byte {
	var a cdr.Appender
	appendHeader(&a, stamp, "camera")
	a.Uint32(1) // height
	a.Uint32(uint32(len(pixels)))
	a.String("mono8")
	a.Uint8(0) // little endian
	a.Uint32(uint32(len(pixels)))
	a.Uint32(uint32(len(pixels)))
	return append(a.Message(), pixels...)
}

// A Transform is one transform of a tf2_msgs/TFMessage: the identity.
type Transform struct {
	Stamp         timeline.Stamp
	Parent, Child string
}

// TF returns a tf2_msgs/TFMessage.
func TF(transforms ...Transform) []byte {
	var a cdr.Appender
	a.Uint32(uint32(len(transforms)))
	for _, t := range transforms {
		appendHeader(&a, t.Stamp, t.Parent)
		a.String(t.Child)
		appendFloat64s(&a, []float64{0, 0, 0, 0, 0, 0, 1}, false)
	}
	return a.Message()
}

// Restamp overwrites the time in a message that begins with one: Clock, and
// all messages that begin with a header.
func Restamp(msg []byte, stamp timeline.Stamp) {
	restamp(msg[cdr.HeaderLen:], stamp)
}

// RestampTF overwrites the stamp of the first transform of a TFMessage.
func RestampTF(msg []byte, stamp timeline.Stamp) {
	restamp(msg[cdr.HeaderLen+4:], stamp)
}

func restamp(at []byte, stamp timeline.Stamp) {
	sec, nanosec := split(int64(stamp))
	binary.LittleEndian.PutUint32(at, uint32(sec))
	binary.LittleEndian.PutUint32(at[4:], nanosec)
}

func appendHeader(a *cdr.Appender, stamp timeline.Stamp, frame string) {
	appendTime(a, int64(stamp))
	a.String(frame)
}

func appendTime(a *cdr.Appender, ns int64) {
	sec, nanosec := split(ns)
	a.Int32(sec)
	a.Uint32(nanosec)
}

// split returns the two fields of a builtin_interfaces/Time, of which the
// nanoseconds are never negative.
func split(ns int64) (sec int32, nanosec uint32) {
	t := time.Unix(0, ns)
	return int32(t.Unix()), uint32(t.Nanosecond())
}

func appendFloat64s(a *cdr.Appender, values []float64, length bool) {
	if length {
		a.Uint32(uint32(len(values)))
	}
	for _, v := range values {
		a.Float64(v)
	}
}

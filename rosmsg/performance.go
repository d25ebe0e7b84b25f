package rosmsg

import "github.com/takt-rt/takt/cdr"

// ReadPerformanceRTF reads the real time factor that Gazebo Classic reports of
// itself in a gazebo_msgs/PerformanceMetrics. It does not allocate.
//
// Layout: stamp 8 | frame_id string | real_time_factor 8 | sensors
func ReadPerformanceRTF(msg []byte) (float64, error) {
	r := cdr.NewReader(msg)
	readTime(&r)
	r.String()
	rtf := r.Float64()
	return rtf, r.Err()
}

package synth

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

// The bytes are those of messages that ROS 2 nodes published, cut where the
// measured values begin.
func TestPayloadsAreThoseOfROS(t *testing.T) {
	tests := []struct {
		name string
		got  []byte
		want string // a prefix
		len  int    // of the whole message
	}{
		{"clock", Clock(93_000_000), "000100000000000040118b05", 12},
		{"imu", Imu(100e9, "abitobot/base_footprint/imu_sensor"),
			"00010000640000000000000023000000" + hex.EncodeToString([]byte("abitobot/base_footprint/imu_sensor\x00")) + "00", 348},
		{"tf", TF(Transform{202_000_000, "odom", "base_footprint"}),
			"00010000010000000000000080460a0c050000006f646f6d000000000f000000626173655f666f6f747072696e74000000000000", 108},
		{"negative time", Clock(-1), "00010000ffffffffffc99a3b", 12},
		{"string", String("ab"), "0001000003000000616200", 11},
		{"image", Image(1e9, []byte{7, 8}), "000100000100000000000000" + "07000000" + hex.EncodeToString([]byte("camera\x00")) + "00" +
			"01000000" + "02000000" + "06000000" + hex.EncodeToString([]byte("mono8\x00")) + "00" + "00" + "02000000" + "02000000" + "0708", 54},
	}
	for _, test := range tests {
		want, err := hex.DecodeString(test.want)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(test.got, want) || len(test.got) != test.len {
			t.Errorf("%s: %x (%d bytes)\nwant %x... (%d bytes)", test.name, test.got, len(test.got), want, test.len)
		}
	}
}

// Two wheels: 4 header | 8 stamp | 4+10 frame, 2 pad | 4 count | 4+8, 4+8 names |
// three times: 4 count, 16 values, the first aligned to 8.
func TestJointStateAndLaserScanLengths(t *testing.T) {
	if got, want := len(JointState(0, "base_link", 2)), 4+8+14+2+4+24+(4+16)+(4+4+16)+(4+4+16); got != want {
		t.Errorf("joint state: %d bytes, want %d", got, want)
	}
	// 4 header | 8 stamp | 4+6 frame, 2 pad | 7 floats | 4 count, 2000 ranges | 4 count
	if got, want := len(LaserScan(0, 2000)), 4+8+12+28+4+8000+4; got != want {
		t.Errorf("laser scan: %d bytes, want %d", got, want)
	}
}

func TestRestamp(t *testing.T) {
	const old, now timeline.Stamp = 1e9, 1_750_000_000_123_456_789
	tests := []struct {
		name      string
		restamp   func([]byte, timeline.Stamp)
		got, want []byte
	}{
		{"imu", Restamp, Imu(old, "imu"), Imu(now, "imu")},
		{"tf", RestampTF, TF(Transform{old, "a", "b"}), TF(Transform{now, "a", "b"})},
	}
	for _, test := range tests {
		test.restamp(test.got, now)
		if !bytes.Equal(test.got, test.want) {
			t.Errorf("%s: %x, want %x", test.name, test.got, test.want)
		}
	}
}

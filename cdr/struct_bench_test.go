package cdr

import "testing"

// BenchmarkUnmarshal puts structs beside the same members read by hand with a
// Reader, into memory that is there.
func BenchmarkUnmarshal(b *testing.B) {
	for _, c := range []struct {
		name string
		v    any
		hand func(msg []byte) error // nil for no comparison
	}{
		{"clock", &clockMsg{stamp{1, 2}}, readClock},
		{"imu", &imu{}, readImu},
		{"jointState", newJointState(), nil},
		{"scan1000", &struct {
			Header header
			Ranges []float32
		}{Ranges: make([]float32, 1000)}, readScan},
		{"image6MB", &image{Data: make([]byte, 6<<20)}, nil},
	} {
		msg, err := Append(nil, LittleEndian, c.v)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("by=struct/type="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(msg)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Unmarshal(msg, c.v); err != nil {
					b.Fatal(err)
				}
			}
		})
		if c.hand == nil {
			continue
		}
		b.Run("by=hand/type="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(msg)))
			for b.Loop() {
				if err := c.hand(msg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func readClock(msg []byte) error {
	r := NewReader(msg)
	r.Int32()
	r.Uint32()
	return r.Err()
}

func readImu(msg []byte) error {
	r := NewReader(msg)
	r.Int32()
	r.Uint32()
	r.String()
	for range 4 + 9 + 3 + 9 + 3 + 9 {
		r.Float64()
	}
	return r.Err()
}

func readScan(msg []byte) error {
	r := NewReader(msg)
	r.Int32()
	r.Uint32()
	r.String()
	for range r.Len(4) {
		r.Float32()
	}
	return r.Err()
}

func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name string
		v    any
	}{
		{"clock", &clockMsg{stamp{1, 2}}},
		{"imu", &imu{}},
		{"jointState", newJointState()},
		{"image6MB", &image{Data: make([]byte, 6<<20)}},
	} {
		b.Run("by=struct/type="+c.name, func(b *testing.B) {
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				msg, err := Append(buf[:0], LittleEndian, c.v)
				if err != nil {
					b.Fatal(err)
				}
				buf = msg
			}
			b.SetBytes(int64(len(buf)))
		})
	}
	b.Run("by=hand/type=clock", func(b *testing.B) {
		var a Appender
		for b.Loop() {
			a.Reset()
			a.Int32(1)
			a.Uint32(2)
		}
	})
}

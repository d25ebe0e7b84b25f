package cdr

import (
	"testing"

	"pgregory.net/rapid"
)

var structEncapsulations = []Encapsulation{
	BigEndian, LittleEndian, BigEndian2, LittleEndian2, DelimitedBigEndian, DelimitedLittleEndian,
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(structEncapsulations).Draw(t, "encapsulation")
		wantRoundTrip(t, e, drawEverything(t), drawEverything(t))
	})
}

// Every message cut short is refused: no member can be missing.
func TestWhatIsCutIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(structEncapsulations[:2]).Draw(t, "encapsulation")
		msg, err := Append(nil, e, drawEverything(t))
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(0, len(msg)-1).Draw(t, "left")
		if err := Unmarshal(msg[:n], new(everything)); err == nil {
			t.Fatalf("%d of %d bytes were read", n, len(msg))
		}
	})
}

func drawEverything(t *rapid.T) *everything {
	draw := func(n int) int { return rapid.IntRange(0, n).Draw(t, "n") }
	v := &everything{
		Flag:   rapid.Bool().Draw(t, "Flag"),
		I8:     rapid.Int8().Draw(t, "I8"),
		I16:    rapid.Int16().Draw(t, "I16"),
		U8:     rapid.Uint8().Draw(t, "U8"),
		I32:    rapid.Int32().Draw(t, "I32"),
		U16:    rapid.Uint16().Draw(t, "U16"),
		F32:    rapid.Float32().Draw(t, "F32"),
		I64:    rapid.Int64().Draw(t, "I64"),
		U32:    rapid.Uint32().Draw(t, "U32"),
		F64:    rapid.Float64().Draw(t, "F64"),
		U64:    rapid.Uint64().Draw(t, "U64"),
		Name:   rapid.String().Draw(t, "Name"),
		Short:  rapid.StringN(0, 5, 5).Draw(t, "Short"),
		Bytes:  rapid.SliceOf(rapid.Byte()).Draw(t, "Bytes"),
		Flags:  rapid.SliceOf(rapid.Bool()).Draw(t, "Flags"),
		Halves: rapid.SliceOfN(rapid.Int16(), 0, 3).Draw(t, "Halves"),
		Reals:  rapid.SliceOf(rapid.Float64()).Draw(t, "Reals"),
		Names:  rapid.SliceOf(rapid.String()).Draw(t, "Names"),
		Gids:   make([]gid, draw(3)),
		Clouds: make([]pointField, draw(3)),
		Deep:   make([]struct{ Rows [][]uint16 }, draw(2)),
	}
	v.Gid[draw(15)] = 1
	v.Grid[draw(1)][draw(2)] = v.I32
	v.Words[draw(1)][draw(1)] = v.Name
	v.Stamps[draw(1)].Nanosec = v.U32
	for i := range v.Clouds {
		v.Clouds[i] = pointField{v.Short, uint32(i), v.U8, v.U32}
	}
	for i := range v.Deep {
		v.Deep[i].Rows = rapid.SliceOfN(rapid.SliceOfN(rapid.Uint16(), 0, 4), 0, 3).Draw(t, "Rows")
	}
	return v
}

// fullValue has something in every member.
func fullValue() *everything {
	return &everything{
		Flag: true, I8: -1, I16: -2, U8: 3, I32: -4, U16: 5, F32: 0.5, I64: -6, U32: 7, F64: -0.25, U64: 8,
		Name: "name", Short: "short", Bytes: []byte{1, 2, 3}, Flags: []bool{true}, Halves: []int16{1, 2},
		Reals: []float64{1}, Names: []string{"a", ""}, Gid: gid{1}, Gids: []gid{{2}}, Grid: [2][3]int32{{1}, {2}},
		Words: [2][2]string{{"w"}}, Stamps: [2]stamp{{1, 2}, {3, 4}}, Clouds: []pointField{{"x", 0, 7, 1}},
		Deep: []struct{ Rows [][]uint16 }{{[][]uint16{{1}, {2, 3}}}},
	}
}

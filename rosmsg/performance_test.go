package rosmsg

import (
	"slices"
	"testing"

	"github.com/takt-rt/takt/cdr"
)

func TestReadPerformanceRTF(t *testing.T) {
	var got []float64
	for _, r := range readRecorded(t) {
		if r.Topic == "/performance_metrics" {
			rtf, err := ReadPerformanceRTF(r.msg(t))
			if err != nil {
				t.Error(err)
			}
			got = append(got, rtf)
		}
	}
	if !slices.Equal(got, []float64{0.271023343, 1.878548108}) { // decoded apart
		t.Errorf("got %v", got)
	}
	var a cdr.Appender
	a.Int32(1)
	a.Uint32(0)
	a.String("a frame of another length")
	a.Float64(0.5)
	if rtf, err := ReadPerformanceRTF(a.Message()); rtf != 0.5 || err != nil {
		t.Errorf("got %v, %v, want 0.5", rtf, err)
	}
	if _, err := ReadPerformanceRTF(a.Message()[:20]); err == nil {
		t.Error("a cut message was read")
	}
}

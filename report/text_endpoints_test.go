package report

import (
	"bytes"
	"strings"
	"testing"
)

// The words are as the figures of runGraph come out by hand.
func TestEndpointsInWords(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, graphReport(), TextOptions{Verbose: true, Width: 100}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"/lidar wants reliable, /driver offers best effort: they never connect",
		"let /driver offer reliable, or /lidar want best effort",
		"publisher /driver: best effort, volatile, keep last 5; 91 samples; sent at 50 Hz by its numbers; age by source timestamp mean 1 ms, max 1 ms; for takt alone 10 lost on the wire",
		"subscriber /navigation: reliable, volatile, keep last 10; 40 received; 1 lost on the wire",
		"subscriber takt: best effort, volatile, keep last 5",
		"1 topic subscribed to with no publisher: /cmd_vel",
		"takt's own reader missed 10 samples: 10 lost on the wire",
		// L = 0.2 ms at RTF 0.5 adds 0.1 ms to 0.5/(2 x 100 Hz) = 2.5 ms and to 0.5/(100 Hz) = 5 ms.
		"with it \"now\" is behind by 2.600 ms on average, under 5.100 ms undisturbed; raise the tick rate: up to 5000 Hz",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestLossesAreCompared(t *testing.T) {
	a, b := graphReport(), graphReport()
	for _, topic := range b.Topics {
		if topic.Name == "/odom" {
			topic.Losses.LostOnWire = 5
		}
	}
	for _, d := range Compare(a, b).Differences {
		if d.Subject == "topic /odom" && d.Figure == "losses.lost_on_wire" {
			if d.A != 1 || d.B != 5 {
				t.Errorf("%+v", d)
			}
			return
		}
	}
	t.Error("losses are not compared")
}

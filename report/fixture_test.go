package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// figuresOf reads figures of a real recording, worked out by a separate
// program from the bag itself: a TurtleBot3 in Gazebo Classic, whose simulator
// stalls for 1.018 s (startup) or 0.358 s (short) near the beginning.
func figuresOf(t testing.TB, name string) *analysis.Figures {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	f := &analysis.Figures{}
	if err := decoder.Decode(f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

func origin(name string) timeline.Origin {
	return timeline.Origin{Kind: "rosbag2-sqlite3", Path: "rosbag2/" + name}
}

// stall is a finding as an analysis makes it.
var stall = timeline.Finding{
	ID: "clock-stalled", Severity: timeline.Warning, Subject: "clock",
	Text:   "simulated time moved 76 ms in 1.018 s, 0.598 s after the start; RTF without this stretch is 0.9983",
	Remedy: "start recording when the simulator runs, or look for what blocks it at the start",
}

var truncated = timeline.Finding{
	ID: "source-truncated", Severity: timeline.Error, Subject: "walking_bag_0.db3",
	Text: "the file ends inside a page", Remedy: "copy it again",
}

// promises are contracts that the startup stall keeps, breaks and leaves open.
func promises() *model.System {
	return &model.System{
		File:  "takt.yaml",
		Clock: &model.ClockContract{Topic: "/clock", Line: 3, Kind: model.Hard, MinRTF: 0.95, Window: defaultWindow, MinWindowRTF: 0.5},
		Topics: []model.TopicContract{
			{Name: "/imu", Line: 8, Kind: model.Hard, Rate: 200, RateTolerance: 0.05, MaxInterval: ms(8), MaxAge: ms(50)},
			{Name: "/scan", Line: 12, Kind: model.Soft, Rate: 5, RateTolerance: 0.05, SimRate: true, MaxInterval: ms(204), Allowed: 0.05},
			{Name: "/camera/image_raw", Line: 16, Kind: model.Hard, Rate: 30, RateTolerance: 0.05},
			{Name: "/cmd_vel", Line: 20, Kind: model.Hard, MaxGap: ms(1000)},
		},
	}
}

func startup(t testing.TB, sys *model.System) *Report {
	f := figuresOf(t, "gz-startup-stall")
	for _, topic := range f.Topics {
		if topic.Name == "/scan" { // one interval of the recording, of 204.023 ms, is over 204 ms
			topic.OverInterval = &analysis.Over{LimitS: 0.204, Of: 139, Count: 1, FirstAtS: 19.241894494}
		}
	}
	return New(origin("gz-startup-stall"), timeline.Outcome{}, f, []timeline.Finding{stall}, sys)
}

// short is partial, though its recording is not, to have such a report too.
func short(t testing.TB, sys *model.System) *Report {
	outcome := timeline.Outcome{Partial: true, Findings: []timeline.Finding{truncated}}
	return New(origin("gz-short-stall"), outcome, figuresOf(t, "gz-short-stall"), nil, sys)
}

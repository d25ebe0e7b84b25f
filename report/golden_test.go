package report

import (
	"bytes"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/golden"
)

// The golden files guard the layout. That the figures in them are right, the
// other tests show.
func TestGolden(t *testing.T) {
	judged, unjudged := startup(t, promises()), startup(t, nil)
	partial := short(t, promises())
	loop, held := ofLoops(nil, injected(t)), ofLoops(loopPromises(), injected(t))
	loops, calm := clockBeside(ofLoops(nil, manyLoops(t)...)), clockBeside(ofLoops(nil, baseline()))
	for name, write := range map[string]func(*bytes.Buffer) error{
		"judged.txt":         func(b *bytes.Buffer) error { return Text(b, judged, TextOptions{}) },
		"judged-wide.txt":    func(b *bytes.Buffer) error { return Text(b, judged, TextOptions{Width: 160, Verbose: true}) },
		"judged-narrow.txt":  func(b *bytes.Buffer) error { return Text(b, judged, TextOptions{Width: 60}) },
		"judged-color.txt":   func(b *bytes.Buffer) error { return Text(b, judged, TextOptions{Color: true}) },
		"unjudged.txt":       func(b *bytes.Buffer) error { return Text(b, unjudged, TextOptions{}) },
		"partial.txt":        func(b *bytes.Buffer) error { return Text(b, partial, TextOptions{}) },
		"empty.txt":          func(b *bytes.Buffer) error { return Text(b, empty(nil), TextOptions{}) },
		"judged.json":        func(b *bytes.Buffer) error { return JSON(b, judged) },
		"empty.json":         func(b *bytes.Buffer) error { return JSON(b, empty(nil)) },
		"judged.junit.xml":   func(b *bytes.Buffer) error { return JUnit(b, judged) },
		"unjudged.junit.xml": func(b *bytes.Buffer) error { return JUnit(b, unjudged) },
		"graph.txt":          func(b *bytes.Buffer) error { return Text(b, graphReport(), TextOptions{}) },
		"graph-verbose.txt":  func(b *bytes.Buffer) error { return Text(b, graphReport(), TextOptions{Verbose: true, Width: 100}) },
		"live.txt":           func(b *bytes.Buffer) error { return Live(b, graphSnapshot(), LiveOptions{Height: 24}) },
		"live-wide.txt":      func(b *bytes.Buffer) error { return Live(b, graphSnapshot(), LiveOptions{Width: 160, Color: true}) },
		"live-narrow.txt":    func(b *bytes.Buffer) error { return Live(b, graphSnapshot(), LiveOptions{Width: 40, Height: 12}) },
		"live-lines.txt":     func(b *bytes.Buffer) error { return LiveLines(b, graphSnapshot(), nil) },
		"loop.txt":           func(b *bytes.Buffer) error { return Text(b, loop, TextOptions{}) },
		"loop-judged.txt":    func(b *bytes.Buffer) error { return Text(b, held, TextOptions{Verbose: true}) },
		"loop-narrow.txt":    func(b *bytes.Buffer) error { return Text(b, held, TextOptions{Width: 40}) },
		"loop-calm.txt":      func(b *bytes.Buffer) error { return Text(b, calm, TextOptions{}) },
		"loops.txt":          func(b *bytes.Buffer) error { return Text(b, loops, TextOptions{}) },
		"loops-wide.txt":     func(b *bytes.Buffer) error { return Text(b, loops, TextOptions{Width: 120, Verbose: true}) },
		"loop.json":          func(b *bytes.Buffer) error { return JSON(b, held) },
		"loop.junit.xml":     func(b *bytes.Buffer) error { return JUnit(b, held) },
		"comparison-loop.txt": func(b *bytes.Buffer) error {
			return Compare(ofLoops(nil, baseline()), ofLoops(nil, changed(injected(t), func(l *analysis.Loop) { l.TimerClock, l.Rule = "steady", baseline().Rule }))).Text(b, TextOptions{})
		},
		"comparison.txt": func(b *bytes.Buffer) error { return Compare(judged, partial).Text(b, TextOptions{}) },
		"comparison-all.txt": func(b *bytes.Buffer) error {
			return Compare(judged, partial).Text(b, TextOptions{Verbose: true, Width: 120})
		},
		"comparison-same.txt": func(b *bytes.Buffer) error { return Compare(judged, judged).Text(b, TextOptions{}) },
		"comparison.json":     func(b *bytes.Buffer) error { return Compare(judged, partial).JSON(b) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, name, b.Bytes())
		})
	}
}

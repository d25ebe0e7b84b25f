package report

import (
	"bytes"
	"testing"
)

// The golden files guard the layout. That the figures in them are right, the
// other tests show.
func TestGolden(t *testing.T) {
	judged, unjudged := startup(t, promises()), startup(t, nil)
	partial := short(t, promises())
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
		"comparison.txt":     func(b *bytes.Buffer) error { return Compare(judged, partial).Text(b, TextOptions{}) },
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
			golden(t, name, b.Bytes())
		})
	}
}

package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/takt-rt/takt/internal/golden"
)

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// everything is a page with each kind of block, in which every text is s.
func everything(s string) *Page {
	mark := Mark{Bad, s}
	series := &Series{
		Name: s, Length: 10, Bands: []Band{{Stretches: []Stretch{{1, 2, 0, 1}, {1, 3, 5, 6}}}},
		Lines: []Line{{s, []Point{{0, 1}, {10, 2}}}}, Limits: []Limit{{2.5, s, true}}, Worst: &Point{6, 3},
	}
	histogram := &Histogram{Name: s, Bins: []Bin{{1, 2, 10}, {2, 3, 1}}, Marks: []Limit{{1.5, s, false}}}
	schedule := &Schedule{
		Name: s, Due: s, Runs: s, Lost: s, Deadline: &Deadline{2, s},
		Work: []Work{{Label: s, Due: 0, Start: 1, End: 3, Late: true, Chosen: true}, {Label: s, Due: 2, Lost: true, LostAt: 2}},
	}
	lanes := &Lanes{Name: s, To: 10, Lanes: []Lane{{s, s, []Span{{0, 2, Waiting}, {2, 3, Running}, {3, 5, OffCPU}}}}}
	return &Page{
		Title: s, Kind: s, Heading: s, Verdict: &Verdict{mark, s}, Lead: s, Foot: s,
		Sections: []Section{{ID: "one", Title: s, Blocks: []Block{
			Text(s), Facts{{Name: s, Value: s, Mark: &mark}}, Findings{{Mark: mark, Subject: s, Text: s, Remedy: s, Link: "one"}},
			&Table{Caption: s, Columns: []Column{{Head: s}, {Group: s, Head: s, Number: true}, {Group: s, Head: s}}, Rows: [][]Cell{
				{{Text: s, Link: "one", Note: s}, {Mark: &mark}, {Drawing: &Series{Name: s, Spark: true, Length: 1, Bands: series.Bands}}},
			}},
			&Fold{ID: "two", Title: s, Note: s, Marks: []Mark{mark}, Blocks: []Block{Charts{
				{Title: s, Caption: s, Drawing: series}, {Title: s, Drawing: histogram}, {Title: s, Wide: true, Drawing: schedule}, {Title: s, Wide: true, Drawing: lanes},
			}}},
		}}},
	}
}

// The golden file guards the layout.
func TestGolden(t *testing.T) {
	got, _, _ := strings.Cut(written(t, everything("words")), "<style>")
	_, rest, _ := strings.Cut(written(t, everything("words")), "</style>")
	got += rest
	golden.Compare(t, "page.html", []byte(got))
}

func TestForeignTextStaysText(t *testing.T) {
	for _, foreign := range []string{
		`<script>x</script>`, `"><img src=x onerror=x>`, `</style><b>`, `</title></svg><b>`, "' onfocus='x", "&lt;b&gt;", "\x00\x1b[31m\u202e\xff",
	} {
		page := written(t, everything(foreign))
		for _, mark := range []string{"<", `"`, "'"} { // what elements and attributes are made of
			if n, plain := strings.Count(page, mark), strings.Count(written(t, everything("x")), mark); n != plain {
				t.Errorf("%q made %d times %s of %d", foreign, n, mark, plain)
			}
		}
		for _, r := range "\x00\x1b\u202e" {
			if strings.ContainsRune(page, r) {
				t.Errorf("%q came through", r)
			}
		}
	}
}

func TestNothingFromElsewhere(t *testing.T) {
	page := written(t, everything("words"))
	for _, word := range []string{"http://", "https://", "//", "<script", "<link", "<img", "url(", "@import"} {
		if strings.Contains(page, word) {
			t.Errorf("the page has %q", word)
		}
	}
}

func TestSamePageSameBytes(t *testing.T) {
	first, second := written(t, everything("words")), written(t, everything("words"))
	if first != second {
		t.Error("the same page came out twice in different bytes")
	}
}

// A page without anything is one all the same.
func TestEmpty(t *testing.T) {
	if page := written(t, &Page{}); !strings.Contains(page, "<main") {
		t.Errorf("an empty page is %q", page)
	}
	for _, d := range []Drawing{&Series{}, &Series{Log: true, Worst: &Point{}}, &Histogram{}, &Histogram{Bins: []Bin{{1, 1, 1}}}, &Schedule{}, &Schedule{Work: []Work{{}}}} {
		if s := string(draw(d)); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("%T: %s", d, s)
		}
	}
}

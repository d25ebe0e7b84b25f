// Package page writes self-contained HTML pages of figures, tables and charts:
// one file, without script, font or image from elsewhere, that can be sent on,
// printed and read in the dark.
//
// A Page is a plain value. All text in it is escaped, so names from foreign
// bytes may stand anywhere. The same Page always comes out as the same bytes.
// Nothing is told by colour alone: what has a Tone has a word or a shape too.
package page

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Page is a document.
type Page struct {
	Title    string // of the window, such as "takt report: my_bag"
	Kind     string // what it is, above the heading: "timing report"
	Heading  string
	Verdict  *Verdict
	Lead     string // what it is of, in a sentence
	Sections []Section
	Foot     string
}

// A Verdict is what a page comes to.
type Verdict struct {
	Mark
	Text string
}

// A Tone is how something is marked, beside its word.
type Tone string

// The tones.
const (
	Plain Tone = ""
	Good  Tone = "good"
	Bad   Tone = "bad"
	Doubt Tone = "doubt"
	Quiet Tone = "quiet"
)

// A Mark is a word that stands out by its tone, with a sign before it.
type Mark struct {
	Tone Tone
	Word string
}

// Sign returns the sign of the mark's tone.
func (m Mark) Sign() string {
	switch m.Tone {
	case Good:
		return "✓"
	case Bad:
		return "✗"
	case Doubt:
		return "!"
	}
	return "○"
}

// A Section is a part of a page with a heading of its own.
type Section struct {
	ID     string // unique in the page; letters, digits and hyphens
	Title  string
	Blocks []Block
}

// A Block is one of Text, Facts, Findings, Table, Charts and Fold.
type Block interface{ template() string }

// Text is a paragraph.
type Text string

// Facts are figures with their names.
type Facts []Fact

// A Fact is one of them.
type Fact struct {
	Name, Value string
	Mark        *Mark
}

// Long reports whether the value needs more room than most.
func (f Fact) Long() bool { return len(f.Value) > 64 }

// Findings are things that the reader must know.
type Findings []Finding

// A Finding is one of them.
type Finding struct {
	Mark                  Mark
	Subject, Text, Remedy string
	Link                  string // fragment of the page where more of the subject is; may be empty
}

// A Fold is a part that can be folded away, with a heading.
type Fold struct {
	ID     string
	Title  string
	Note   string // behind the title
	Marks  []Mark
	Open   bool
	Blocks []Block
}

// Charts are charts side by side where there is room.
type Charts []Chart

// A Chart is a drawing with what is said of it.
type Chart struct {
	Title   string
	Caption string // what the drawing's marks mean; may be empty
	Wide    bool   // takes the whole width
	Drawing Drawing
}

// A Drawing is one of Series, Histogram, Schedule and Lanes.
type Drawing interface {
	// draw draws it.
	draw(*svg)
	// name says in a sentence what is seen, for those who do not see it.
	name() string
}

func (Text) template() string     { return "text" }
func (Facts) template() string    { return "facts" }
func (Findings) template() string { return "findings" }
func (*Table) template() string   { return "table" }
func (Charts) template() string   { return "charts" }
func (*Fold) template() string    { return "fold" }

var (
	//go:embed page.html
	markup string
	//go:embed page.css
	styles string
)

// The templates call each other by way of show, which Write sets anew with its own copy.
var templates = template.Must(template.New("page").Funcs(template.FuncMap{
	"show":   func(Block) (template.HTML, error) { return "", nil },
	"draw":   draw,
	"styles": func() template.CSS { return template.CSS(styles) },
}).Parse(markup))

// Write writes a page.
func Write(w io.Writer, p *Page) error {
	t, err := templates.Clone()
	if err != nil {
		return err
	}
	t.Funcs(template.FuncMap{"show": func(b Block) (template.HTML, error) {
		var out bytes.Buffer
		err := t.ExecuteTemplate(&out, b.template(), b)
		return template.HTML(out.String()), err // escaped by the template it comes from
	}})
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "page", p); err != nil {
		return err
	}
	_, err = io.WriteString(w, strings.Map(harmless, out.String()))
	return err
}

// harmless replaces what cannot be seen, such as a mark that turns the
// direction of the text after it.
func harmless(r rune) rune {
	if r != '\n' && !unicode.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}

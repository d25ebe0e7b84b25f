package page_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The pages are looked at in a real browser: wide and narrow, light and dark,
// by keyboard and on paper.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	for name, write := range map[string]func(*testing.T, io.Writer) error{
		"10 topics":  reportOfTopics(10),
		"200 topics": reportOfTopics(200),
		"loop":       reportOfLoop,
		"frames":     planOfFrames,
	} {
		t.Run(name, func(t *testing.T) {
			p := b.open(t, write)
			for _, width := range []int64{1280, 390} {
				for _, scheme := range []string{"light", "dark"} {
					p.show(t, width, scheme)
					for _, problem := range p.problems(t) {
						t.Errorf("%d px wide, %s: %s", width, scheme, problem)
					}
				}
			}
			p.testKeyboard(t)
			p.testPaper(t)
			p.testQuiet(t)
		})
	}
}

// A browser is a headless one.
type browser struct{ ctx context.Context }

func startBrowser(t *testing.T) *browser {
	t.Helper()
	if !slices.ContainsFunc([]string{"chromium", "chromium-browser", "google-chrome", "chrome"}, installed) {
		t.Skip("there is no chromium to look at the pages with; apt-get install chromium")
	}
	var err error
	for range 5 { // it crashes at the start now and then, which says nothing about the pages
		// Containers often have neither user namespaces nor a graphics card.
		ctx, stop := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(chromedp.NoSandbox, chromedp.DisableGPU))
		// A browser ends with the context of its first call, so that has no deadline of its own.
		hung := time.AfterFunc(patience, stop)
		if err = chromedp.Do(ctx, chromedp.Navigate("about:blank")); err == nil && hung.Stop() {
			t.Cleanup(stop)
			return &browser{ctx}
		}
		stop()
	}
	t.Fatalf("starting chromium: %v", err)
	return nil
}

func installed(command string) bool {
	_, err := exec.LookPath(command)
	return err == nil
}

// A shown is a page in a tab of its own.
type shown struct {
	ctx context.Context
	url string

	mu    sync.Mutex
	noise []string // errors on the console, and what was asked of the network
}

func (b *browser) open(t *testing.T, write func(*testing.T, io.Writer) error) *shown {
	t.Helper()
	var out bytes.Buffer
	if err := write(t, &out); err != nil {
		t.Fatal(err)
	}
	if limit := 3 << 20; out.Len() > limit {
		t.Errorf("the page has %d bytes, over %d", out.Len(), limit)
	}
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, closeTab := chromedp.NewContext(b.ctx)
	t.Cleanup(closeTab)
	p := &shown{ctx: ctx, url: "file://" + filepath.ToSlash(name)}
	// The first call opens the tab, which ends with that call's context.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	p.enable(t)
	p.do(t, chromedp.Navigate(p.url))
	return p
}

// enable asks for the events that listen takes.
func (p *shown) enable(t *testing.T) {
	t.Helper()
	call(t, p, network.Enable, network.EnableParams{})
	call(t, p, log.Enable, cdp.Empty{})
}

func (p *shown) listen(event any) {
	note := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		note = "console: " + string(e.Type)
	case *runtime.EventExceptionThrown:
		note = "exception: " + e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		note = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if url, _, _ := strings.Cut(e.Request.URL, "#"); url != p.url {
			note = "network: " + e.Request.URL
		}
	}
	if note != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.noise = append(p.noise, note)
	}
}

// patience is how long the browser may take for one step before it hangs.
const patience = 2 * time.Minute

func (p *shown) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// call is for a protocol command what do is for a step.
func call[P, R any](t *testing.T, p *shown, command cdp.Command[P, R], params P) {
	t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	if _, err := chromedp.Call(ctx, command, params); err != nil {
		t.Fatal(err)
	}
}

// get is for a step with a result what do is for one without.
func get[T any](t *testing.T, p *shown, step chromedp.Action[T]) T {
	t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, patience)
	defer stop()
	v, err := chromedp.Run(ctx, step)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (p *shown) show(t *testing.T, width int64, scheme string) {
	t.Helper()
	p.do(t, chromedp.EmulateViewport(width, 900))
	p.media(t, "", scheme)
}

func (p *shown) media(t *testing.T, media, scheme string) {
	t.Helper()
	call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// problems are what is wrong with the page as it is shown.
func (p *shown) problems(t *testing.T) []string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("testdata", "problems.js"))
	if err != nil {
		t.Fatal(err)
	}
	return eval[[]string](t, p, string(script))
}

func eval[T any](t *testing.T, p *shown, script string) T {
	t.Helper()
	return get(t, p, chromedp.Evaluate[T](script))
}

// testKeyboard tabs into the page, and folds the last part open and shut.
func (p *shown) testKeyboard(t *testing.T) {
	t.Helper()
	p.do(t, chromedp.KeyEvent(kb.Tab))
	if got := eval[string](t, p, `document.activeElement.className`); got != "skip" {
		t.Errorf("the first stop of the keyboard is %q, want the skip link", got)
	}
	if !eval[bool](t, p, `document.activeElement.getBoundingClientRect().left >= 0 && getComputedStyle(document.activeElement).outlineStyle !== "none"`) {
		t.Error("the focused skip link cannot be seen")
	}
	const last = `[...document.querySelectorAll("details")].at(-1)`
	before := eval[bool](t, p, last+`.open`)
	p.do(t, chromedp.Evaluate[chromedp.Void](last+`.querySelector("summary").focus()`), chromedp.KeyEvent(kb.Enter))
	if eval[bool](t, p, last+`.open`) == before {
		t.Error("Enter on the heading of a part does not fold it")
	}
	p.do(t, chromedp.KeyEvent(kb.Enter))
	if eval[bool](t, p, last+`.open`) != before {
		t.Error("Enter again does not fold it back")
	}
}

// testPaper prints the page: what is folded away on the screen is there too,
// and black on white in the dark as well.
func (p *shown) testPaper(t *testing.T) {
	t.Helper()
	p.media(t, "print", "dark")
	if n := eval[int](t, p, `[...document.querySelectorAll("svg.plot")].filter(s => !(s.getBoundingClientRect().height > 20 && s.checkVisibility({contentVisibilityAuto: true}))).length`); n > 0 {
		t.Errorf("%d charts are missing on paper", n)
	}
	if got := eval[string](t, p, `getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s, want white", got)
	}
	p.media(t, "", "light")
	pdf := get(t, p, chromedp.PrintToPDF())
	charts := eval[int](t, p, `document.querySelectorAll("svg.plot").length`)
	if pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); pages < charts/12 || pages == 0 {
		t.Errorf("%d charts came out on %d pages of paper", charts, pages)
	}
}

func (p *shown) testQuiet(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.noise {
		t.Error(n)
	}
}

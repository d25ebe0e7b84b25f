package main

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/takt-rt/takt/report"
)

// A screen is a display in place, on a terminal.
type screen struct {
	program *tea.Program
	ended   chan struct{}
	err     error // once it has ended
}

func newScreen() *screen {
	return &screen{
		program: tea.NewProgram(&screenModel{color: textOptions(false).Color}, tea.WithoutSignalHandler()),
		ended:   make(chan struct{}),
	}
}

func (s *screen) begin(stop func()) {
	go func() {
		defer close(s.ended)
		_, s.err = s.program.Run()
		stop()
	}()
}

func (s *screen) turn(t liveTurn) { s.program.Send(t.snapshot()) }

func (s *screen) end() error {
	s.program.Quit()
	<-s.ended
	return s.err
}

// A screenModel is what the screen shows.
type screenModel struct {
	width, height int
	color         bool
	now           *report.Snapshot // nil: nothing yet
}

// Init has nothing to begin with.
func (m *screenModel) Init() tea.Cmd { return nil }

// Update takes a snapshot, a key or the size of the terminal.
func (m *screenModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case *report.Snapshot:
		m.now = msg
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "ctrl+c", "esc":
			return m, tea.Quit
		}
	}
	return m, nil
}

// View draws the snapshot.
func (m *screenModel) View() tea.View {
	v := tea.NewView(m.text())
	v.AltScreen = true
	return v
}

func (m *screenModel) text() string {
	const foot = "q ends with the report"
	if m.now == nil {
		return "listening\n" + foot
	}
	var b strings.Builder
	// A strings.Builder takes every write.
	_ = report.Live(&b, m.now, report.LiveOptions{Width: m.width, Height: m.height - 1, Color: m.color})
	return b.String() + foot
}

package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/replay"
	"github.com/takt-rt/takt/internal/source"
)

// showReplay replays a trace and writes what came out.
func showReplay(c *cobra.Command, m *measurement, name string, asJSON bool) error {
	p := newProgress(os.Stderr, name)
	defer p.end()
	src, err := source.Open(name, source.Options{Topics: m.wanted, Progress: p.update})
	if err != nil {
		return err
	}
	defer src.Close()
	r := replay.NewRecorder()
	if _, err := src.Run(c.Context(), r); err != nil {
		return err
	}
	res, err := replay.Replay(r, replay.Options{})
	if err != nil {
		return err
	}
	res.Path = name
	if !asJSON {
		return replay.Text(c.OutOrStdout(), res)
	}
	e := json.NewEncoder(c.OutOrStdout())
	e.SetIndent("", "  ")
	return e.Encode(res)
}

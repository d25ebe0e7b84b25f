package bench

import (
	"errors"
	"os"
	"strings"

	"github.com/takt-rt/takt/internal/synth"
)

// WriteFile writes the recording to a new file: a rosbag2 database if its name
// ends in .db3, else an MCAP file laid out as opt says.
func WriteFile(path string, c Config, opt synth.MCAPOptions) error {
	topics, err := Topics(c)
	if err != nil {
		return err
	}
	messages, err := Messages(c)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, ".db3") {
		return synth.WriteDB3(path, topics, messages)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(synth.WriteMCAP(f, topics, messages, opt), f.Close())
}

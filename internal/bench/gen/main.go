// Gen writes a recording for benchmarks.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/internal/bench"
	"github.com/takt-rt/takt/internal/synth"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("gen", flag.ExitOnError)
	config := bench.Config{Mix: bench.Robot, Size: 100e6}
	var opt synth.MCAPOptions
	flags.StringVar((*string)(&config.Mix), "mix", string(config.Mix), "small or robot")
	flags.Func("size", "payload, such as 2GB or 500MB (default 100MB)", func(s string) (err error) {
		config.Size, err = parseSize(s)
		return err
	})
	flags.IntVar(&config.Topics, "topics", 0, "topics (small, default 10) or cameras (robot, default 1)")
	flags.Uint64Var(&config.Seed, "seed", 0, "of the noise and the jitter")
	flags.StringVar((*string)(&opt.Compression), "compression", "", `of chunks: "", zstd or lz4`)
	flags.Func("chunk", "bytes of a chunk before compression, such as 4MB (default 768 KiB)", func(s string) (err error) {
		opt.ChunkSize, err = parseSize(s)
		return err
	})
	flags.BoolVar(&opt.CRC, "crc", false, "write checksums")
	out := flags.String("o", "", "the file to write, outside the repository: .mcap or .db3")
	flags.Parse(args) // exits on an error
	switch opt.Compression {
	case mcap.CompressionNone, mcap.CompressionLZ4, mcap.CompressionZSTD:
	default:
		return fmt.Errorf("-compression %q is unknown; write zstd or lz4", opt.Compression)
	}
	if *out == "" {
		return errors.New("no file to write; name one with -o")
	}
	return bench.WriteFile(*out, config, opt)
}

// parseSize reads a number of bytes with one of the units B, kB, MB and GB.
func parseSize(s string) (int64, error) {
	for unit, factor := range map[string]float64{"kB": 1e3, "MB": 1e6, "GB": 1e9} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			f, err := strconv.ParseFloat(number, 64)
			if err != nil || !(f > 0 && f < 1e9) {
				return 0, fmt.Errorf("no size: %q; write 500MB", s)
			}
			return int64(f * factor), nil
		}
	}
	return 0, fmt.Errorf("size %q has no unit; write kB, MB or GB", s)
}

//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// A ddsperf runs Cyclone DDS's own measuring program in pairs.
type ddsperf struct {
	o   options
	dir string
}

// cycloneOnLoopback is what takt does with Localhost: 127.0.0.1 and unicast.
// All else is Cyclone's default.
const cycloneOnLoopback = `<CycloneDDS><Domain>
<General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><AllowMulticast>false</AllowMulticast></General>
<Discovery><ParticipantIndex>auto</ParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery>
</Domain></CycloneDDS>`

func newDdsperf(o options) (*ddsperf, error) {
	if _, err := exec.LookPath("ddsperf"); err != nil {
		return nil, fmt.Errorf("the peer is missing: %w; apt-get install cyclonedds-tools", err)
	}
	dir, err := os.MkdirTemp("", "takt-wire")
	if err != nil {
		return nil, err
	}
	d := &ddsperf{o, dir}
	return d, os.WriteFile(d.config(), []byte(cycloneOnLoopback), 0o600)
}

func (d *ddsperf) config() string { return filepath.Join(d.dir, "cyclone.xml") }

func (d *ddsperf) close() { _ = os.RemoveAll(d.dir) }

var (
	pingLine = regexp.MustCompile(` 50% ([\d.]+)us .* 99% ([\d.]+)us .* cnt (\d+)`)
	subLine  = regexp.MustCompile(` total \d+ lost (\d+) .* rate ([\d.]+) kS/s`)
)

// roundTrip returns what a ping measured. ddsperf tells of half round trips.
func (d *ddsperf) roundTrip() (r roundTrip, err error) { return d.roundTripAt("inf") }

// roundTripAt does with pings at a rate; "inf" pings at once when answered.
func (d *ddsperf) roundTripAt(rate string) (r roundTrip, err error) {
	lines, err := d.measure(pingLine, []string{"pong"}, []string{"ping", rate, "size", "12"})
	if err != nil {
		return r, err
	}
	return pingFigures(lines), nil
}

func pingFigures(lines [][]string) (r roundTrip) {
	var medians, p99s []int64
	for _, l := range lines {
		medians = append(medians, int64(math.Round(2e3*number(l[1]))))
		p99s = append(p99s, int64(math.Round(2e3*number(l[2]))))
		r.Count += int(number(l[3]))
	}
	r.MedianNs, r.P99Ns = median(medians), median(p99s)
	return r
}

// throughput returns what a subscriber measured.
func (d *ddsperf) throughput() (t throughput, err error) {
	lines, err := d.measure(subLine, []string{"pub", "size", "1024"}, []string{"sub"})
	if err != nil {
		return t, err
	}
	return subFigures(lines), nil
}

func subFigures(lines [][]string) (t throughput) {
	var rates []int64
	for _, l := range lines {
		rates = append(rates, int64(1e3*number(l[2])))
		t.Lost = uint64(number(l[1]))
	}
	t.PerSecond = float64(median(rates))
	return t
}

// measure runs one ddsperf beside another and returns what a pattern finds in
// its lines, without the first: a second of warming up.
func (d *ddsperf) measure(pattern *regexp.Regexp, beside, role []string) ([][]string, error) {
	other := d.command(d.o.seconds+3, beside)
	if err := other.Start(); err != nil {
		return nil, err
	}
	defer func() { _ = other.Wait() }()               // its status says only that the other left
	out, _ := d.command(d.o.seconds+2, role).Output() // so does this one's
	lines := pattern.FindAllStringSubmatch(string(out), -1)
	if len(lines) < 2 {
		return nil, fmt.Errorf("ddsperf %q measured nothing; it said:\n%s", role, out)
	}
	return lines[1:], nil
}

func (d *ddsperf) command(seconds int, role []string) *exec.Cmd {
	c := exec.Command("ddsperf", append([]string{"-i", fmt.Sprint(d.o.domain), "-D", fmt.Sprint(seconds)}, role...)...)
	c.Env = append(os.Environ(), "CYCLONEDDS_URI=file://"+d.config())
	return c
}

// number is of digits, as the patterns found them.
func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// compare runs all measurements in turn, count times over, and prints medians.
func compare(o options, count int) error {
	if o.only == "harm" && o.takt == "" {
		return errors.New("wire: -only harm needs -takt, the command to measure")
	}
	peer, err := newDdsperf(o)
	if err != nil {
		return err
	}
	defer peer.close()
	var t table
	for range count {
		for _, m := range []struct {
			name    string
			measure func() error
		}{
			{"roundtrip", func() error { return t.roundTrips(o, peer) }},
			{"throughput", func() error { return t.throughputs(o, peer) }},
			{"watching", func() error { return t.watching(o) }},
			{"images", func() error { return t.images(o) }},
			{"crowd", func() error { return t.crowded(o) }},
			{"harm", func() error { return t.harm(o, peer) }},
		} {
			if o.only != "" && o.only != m.name {
				continue
			}
			if err := m.measure(); err != nil {
				return err
			}
		}
	}
	if len(t.names) == 0 {
		return fmt.Errorf("wire: there is no measurement -only %s", o.only)
	}
	t.print()
	return nil
}

// A table is figures by name, in the order in which they first came.
type table struct {
	names  []string
	values map[string][]float64
}

func (t *table) add(name string, value float64) {
	if t.values == nil {
		t.values = map[string][]float64{}
	}
	if !slices.Contains(t.names, name) {
		t.names = append(t.names, name)
	}
	t.values[name] = append(t.values[name], value)
}

func (t *table) print() {
	for _, n := range t.names {
		v := slices.Sorted(slices.Values(t.values[n]))
		fmt.Printf("%-50s %12.4g  (%.4g to %.4g)\n", n, v[len(v)/2], v[0], v[len(v)-1])
	}
}

func (t *table) roundTrips(o options, d *ddsperf) error {
	var r roundTrip
	if err := pair(o, &r, []string{"pong"}, []string{"ping"}); err != nil {
		return err
	}
	peer, err := d.roundTrip()
	if err != nil {
		return err
	}
	t.add("round trip, takt, median, µs", float64(r.MedianNs)/1e3)
	t.add("round trip, ddsperf, median, µs", float64(peer.MedianNs)/1e3)
	t.add("round trip, ratio of medians", float64(r.MedianNs)/float64(peer.MedianNs))
	t.add("round trip, takt, p99, µs", float64(r.P99Ns)/1e3)
	t.add("round trip, ddsperf, p99, µs", float64(peer.P99Ns)/1e3)
	t.add("round trip, ratio of p99", float64(r.P99Ns)/float64(peer.P99Ns))
	return nil
}

func (t *table) throughputs(o options, d *ddsperf) error {
	var together, single throughput
	if err := pair(o, &together, []string{"-size", "1024", "-batch", "14", "pub"}, []string{"sub"}); err != nil {
		return err
	}
	peer, err := d.throughput()
	if err != nil {
		return err
	}
	if err := pair(o, &single, []string{"-size", "1024", "-batch", "1", "pub"}, []string{"sub"}); err != nil {
		return err
	}
	t.add("1 KiB reliable, takt, 1000/s", together.PerSecond/1e3)
	t.add("1 KiB reliable, ddsperf, 1000/s", peer.PerSecond/1e3)
	t.add("1 KiB reliable, ratio", together.PerSecond/peer.PerSecond)
	t.add("1 KiB reliable, takt, lost", float64(together.Lost))
	t.add("1 KiB reliable, ddsperf, lost", float64(peer.Lost))
	t.add("1 KiB reliable one by one, takt, 1000/s", single.PerSecond/1e3)
	return nil
}

func (t *table) watching(o options) error {
	stop, err := start(o, "sensors")
	if err != nil {
		return err
	}
	defer stop()
	for _, role := range []string{"observer", "socket"} {
		var l load
		if err := finish(o, &l, role); err != nil {
			return err
		}
		t.add("10 topics at 100 Hz, "+role+", % of a core", l.CPUPercent)
		t.add("10 topics at 100 Hz, "+role+", samples/s", l.PerSecond)
	}
	if o.takt == "" {
		return nil
	}
	used, err := watch(o)
	t.add("10 topics at 100 Hz, takt watch, % of a core", used)
	return err
}

// watch returns what takt watch uses of a core, from its start to its report.
func watch(o options) (percent float64, err error) {
	c := exec.Command(o.takt, "watch", "--json", "--for", "20s")
	c.Env = append(os.Environ(), fmt.Sprint("ROS_DOMAIN_ID=", o.domain), "ROS_LOCALHOST_ONLY=1")
	begin := time.Now()
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("takt watch: %w", err)
	}
	used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return 100 * used.Seconds() / time.Since(begin).Seconds(), nil
}

func (t *table) images(o options) error {
	for _, way := range []string{"-reliable=false", "-reliable=true"} {
		var i images
		if err := pair(o, &i, []string{way, "camera"}, []string{way, "viewer"}); err != nil {
			return err
		}
		name := "6 MB at 30 Hz, " + way[1:] + ", "
		t.add(name+"whole images/s", i.PerSecond)
		t.add(name+"lost images", float64(i.Lost))
		t.add(name+"dropped datagrams", float64(i.Dropped))
		t.add(name+"latest, ms", float64(i.LatestNs)/1e6)
		t.add(name+"viewer, % of a core", 100*float64(i.CPUNs)/float64(o.duration()))
	}
	return nil
}

func (t *table) crowded(o options) error {
	var s survey
	if err := pair(o, &s, []string{"crowd"}, []string{"surveyor"}); err != nil {
		return err
	}
	t.add("100 participants, endpoints known", float64(s.Endpoints))
	t.add("100 participants, all known after, s", s.FoundS)
	t.add("100 participants, samples/s", s.PerSecond)
	t.add("100 participants, % of a core", s.CPUPercent)
	t.add("100 participants, resident, MiB", float64(s.RSSBytes)/(1<<20))
	t.add("100 participants, dropped datagrams", float64(s.Dropped))
	return nil
}

// pair runs a role beside another one, which is ended when the first is done.
func pair(o options, result any, beside, role []string) error {
	stop, err := start(o, beside...)
	if err != nil {
		return err
	}
	defer stop()
	return finish(o, result, role...)
}

// start starts a role of this program; stop ends it, and waits until its
// participant is forgotten.
func start(o options, role ...string) (stop func(), err error) {
	c, err := command(o, role)
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	return func() {
		time.Sleep(500 * time.Millisecond) // it may leave by itself, properly
		_ = c.Process.Kill()
		_ = c.Wait()
	}, nil
}

// finish runs a role of this program and reads what it measured.
func finish(o options, result any, role ...string) error {
	c, err := command(o, role)
	if err != nil {
		return err
	}
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("wire %q: %w", role, err)
	}
	return json.Unmarshal(out, result)
}

func command(o options, role []string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(self, append([]string{"-domain", fmt.Sprint(o.domain), "-seconds", fmt.Sprint(o.seconds)}, role...)...)
	c.Stderr = os.Stderr
	return c, nil
}

//go:build linux

package main

import "testing"

// What ddsperf of Cyclone DDS 0.10.2 prints. It says half of a round trip:
// there 30005 came in a second, so one took 33.3 µs, twice the mean.
const pingSaid = `[6755] participant vm:6756: new
[6755] 2.000  vm:6756 size 12 mean 16.543us min 10.169us 50% 14.892us 90% 17.473us 99% 43.988us max 1446.448us cnt 30005
[6755] 2.000  rss:7.5MB vcsw:29036 ivcsw:994 ddsperf:0%+1% recvUC:19%+28%
[6755] 3.000  vm:6756 size 12 mean 16.525us min 10.580us 50% 14.547us 90% 16.195us 99% 43.287us max 1807.026us cnt 30100
[6755] 4.000  vm:6756 size 12 mean 17.138us min 10.770us 50% 15.208us 90% 20.123us 99% 45.230us max 1941.697us cnt 29041
`

const subSaid = `[6778] participant vm:6756: gone
[6778] 2.001  size 1024 total 810215 lost 0 delta 430342 lost 0 rate 430.27 kS/s 3524.75 Mb/s (81.01 kS/s 663.61 Mb/s)
[6778] 3.000  size 1024 total 1238152 lost 3 delta 427937 lost 3 rate 428.35 kS/s 3509.08 Mb/s (123.94 kS/s 1015.28 Mb/s)
`

func TestFiguresOfDdsperf(t *testing.T) {
	ping := pingFigures(pingLine.FindAllStringSubmatch(pingSaid, -1))
	if want := (roundTrip{MedianNs: 29784, P99Ns: 87976, Count: 89146}); ping != want {
		t.Errorf("ping: %+v, want %+v", ping, want)
	}
	sub := subFigures(subLine.FindAllStringSubmatch(subSaid, -1))
	if want := (throughput{PerSecond: 430270, Lost: 3}); sub != want {
		t.Errorf("sub: %+v, want %+v", sub, want)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/schematest"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// A watching is a takt watch --json that runs in the background.
type watching struct {
	t           *testing.T
	stop        context.CancelFunc
	out, errors bytes.Buffer
	code        int
	running     sync.WaitGroup
}

// startWatch watches the domain of these tests, on loopback alone.
func startWatch(t *testing.T, args ...string) *watching {
	t.Helper()
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	ctx, stop := context.WithCancel(context.Background())
	w := &watching{t: t, stop: stop}
	args = append([]string{"watch", "--domain", "42"}, args...)
	w.running.Go(func() { w.code = run(ctx, args, &w.out, &w.errors) })
	t.Cleanup(w.end)
	return w
}

// end ends it as Ctrl-C does.
func (w *watching) end() {
	w.stop()
	w.running.Wait()
}

// report ends the watching and returns its last line, and the snapshots before.
func (w *watching) report() (*report.Report, []*report.Snapshot) {
	w.t.Helper()
	w.end()
	if w.code != 0 {
		w.t.Fatalf("exit code %d: %s", w.code, w.errors.String())
	}
	lines := strings.Split(strings.TrimSpace(w.out.String()), "\n")
	var snapshots []*report.Snapshot
	for _, l := range lines[:len(lines)-1] {
		var s report.Snapshot
		if err := json.Unmarshal([]byte(l), &s); err != nil {
			w.t.Fatal(err)
		}
		snapshots = append(snapshots, &s)
	}
	r, err := report.Read(strings.NewReader(lines[len(lines)-1]))
	if err != nil {
		w.t.Fatal(err)
	}
	return r, snapshots
}

// imu is the beginning of a sensor_msgs/msg/Imu with its stamp.
func imu(i int) []byte {
	b := make([]byte, 340)
	b[1] = 1 // little endian
	stamp := time.Now()
	for k := range 4 {
		b[4+k] = byte(stamp.Unix() >> (8 * k))
		b[8+k] = byte(stamp.Nanosecond() >> (8 * k))
	}
	b[100] = byte(i)
	return b
}

// Where there is only what takt does not read unasked, that is the reason given.
func TestWatchOfLargeTopicsOnlySaysSo(t *testing.T) {
	n := joinGraph(t, watchDomain, "camera")
	c, err := ros.MessageEndpoint("/camera", "sensor_msgs/msg/Image", ros.TypeHash{}, ros.SensorDataQoS())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.NewWriter(c); err != nil {
		t.Fatal(err)
	}
	w := startWatch(t, "--for", "1500ms")
	w.running.Wait()
	const want = "nothing was heard in domain 42:\n  /camera was not read, for the load: messages of sensor_msgs/msg/Image are usually large\n    -> name /camera to read it all the same\n"
	if w.code != 3 || !strings.Contains(w.errors.String(), want) {
		t.Errorf("exit code %d, does not say %q:\n%s", w.code, want, w.errors.String())
	}
}

// Numbers are exact: of 200 samples 7 are lost on their way, one by one and
// three in a row, and the writer is the witness.
func TestWatchCountsSamplesAndLosses(t *testing.T) {
	w := startWatch(t, "--json")
	p := newLossyPeer(t, "/imu", "sensor_msgs/msg/Imu")
	p.await()
	lost := map[int]bool{10: true, 50: true, 51: true, 52: true, 120: true, 150: true, 198: true}
	begin := time.Now()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	var took time.Duration
	for i := range 200 {
		<-ticker.C
		if i == 0 {
			begin = time.Now()
		}
		took = time.Since(begin)
		p.publish(imu(i), lost[i])
	}
	awaitUntil(t, "two turns", func() bool { return time.Since(begin) > 2500*time.Millisecond })
	r, snapshots := w.report()
	if len(r.Topics) != 1 || r.Topics[0].Name != "/imu" {
		t.Fatalf("%d topics, the first %+v", len(r.Topics), r.Topics[0])
	}
	topic := r.Topics[0]
	if topic.Count != 193 || topic.OwnLosses == nil || topic.OwnLosses.LostOnWire != 7 || topic.Losses != nil {
		t.Errorf("%d samples, lost by takt %+v, by the application %+v; want 193 and 7 lost on the wire, by takt", topic.Count, topic.OwnLosses, topic.Losses)
	}
	// 199 periods as the publisher timed them; to the rate what was lost matters not.
	want := 199 / took.Seconds()
	if got := topic.Writers[0].SentRateHz; got == nil || *got < want*0.98 || *got > want*1.02 {
		t.Errorf("sent at %v Hz by its numbers, want %.2f", got, want)
	}
	if s := topic.SizeBytes; s == nil || s.Max != 340 {
		t.Errorf("size %+v, want 340 bytes", s)
	}
	if a := topic.AgeS; a == nil || a.Clock != "wall" || a.Mean < 0 || a.Mean > 0.1 {
		t.Errorf("age %+v", a)
	}
	if len(snapshots) == 0 {
		t.Error("no lines before the report")
	}
	if l := r.Load; l == nil || l.ReceivedDatagrams < 193 || l.ReceivedBytes < 193*(340+28) || l.SentBytes == 0 {
		t.Errorf("load %+v", l)
	}
}

// What is written holds to the published schemas.
func TestWatchWritesWhatItsSchemasSay(t *testing.T) {
	w := startWatch(t, "--json")
	p := newLossyPeer(t, "/imu", "sensor_msgs/msg/Imu")
	p.await()
	for i := range 130 {
		p.publish(imu(i), false)
		time.Sleep(10 * time.Millisecond)
	}
	w.end()
	lines := bytes.Split(bytes.TrimSpace(w.out.Bytes()), []byte("\n"))
	if len(lines) < 2 {
		t.Fatalf("%d lines\n%s", len(lines), w.errors.String())
	}
	for i, l := range lines {
		file := "../../docs/watch.schema.json"
		if i == len(lines)-1 {
			file = "../../docs/report.schema.json"
		}
		schematest.Validate(t, schematest.Compile(t, file), l)
	}
}

func TestWatchInAnEmptyDomainSaysWhy(t *testing.T) {
	w := startWatch(t)
	begin := time.Now()
	w.running.Wait()
	if took := time.Since(begin); w.code != 3 || took < 5*time.Second {
		t.Errorf("exit code %d after %v, want 3 after 5 s", w.code, took)
	}
	for _, want := range []string{"nothing was heard in domain 42", "nobody answers in domain 42", "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST", "->"} {
		if !strings.Contains(w.errors.String(), want) {
			t.Errorf("does not say %q:\n%s", want, w.errors.String())
		}
	}
	if w.out.Len() > 0 {
		t.Errorf("it prints\n%s", w.out.String())
	}
}

// Who announces himself from another domain is told of before all guesses.
func TestWatchNamesTheDomainThatIsThere(t *testing.T) {
	stranger := rtps.NewParticipant(kernel.Now(), rtps.ParticipantConfig{
		Prefix: wire.GUIDPrefix{4, 5, 6}, Domain: 3,
		Announce: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:17910")}, // 7400 + 250 x 42 + 10
	})
	stranger.Tick(kernel.Now())
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	w := startWatch(t, "--for", "1500ms")
	for _, m := range stranger.Packets() {
		for range 10 {
			_, _ = socket.WriteToUDPAddrPort(m.Payload, m.To) // refused until takt is there
			time.Sleep(100 * time.Millisecond)
		}
	}
	w.running.Wait()
	const want = "nothing was heard in domain 42:\n  participants of other domains are here (3), and takt is in domain 42\n    -> set ROS_DOMAIN_ID to theirs\n"
	if w.code != 3 || !strings.Contains(w.errors.String(), want) {
		t.Errorf("exit code %d, does not say %q:\n%s", w.code, want, w.errors.String())
	}
}

// A participant that has nothing to say is no reason to wait for.
func TestWatchOfParticipantsWithoutDataSaysWhy(t *testing.T) {
	w := startWatch(t, "--for", "2s")
	newLossyPeer(t, "/imu", "sensor_msgs/msg/Imu").await()
	w.running.Wait()
	if w.code != 3 || !strings.Contains(w.errors.String(), "but no data has arrived") {
		t.Errorf("exit code %d:\n%s", w.code, w.errors.String())
	}
}

// A graph of two nodes that never connect, and half-speed simulated time.
func TestWatchTellsWhoNeverConnects(t *testing.T) {
	lidar, driver := joinGraph(t, watchDomain, "lidar"), joinGraph(t, watchDomain, "driver")
	if _, err := ros.Subscribe(lidar, "/scan", qos.DefaultWriter(), func(*ros.String, *rtps.Sample) {}); err != nil {
		t.Fatal(err)
	}
	bestEffort := qos.Policies{History: qos.KeepLast(1)}
	publishEvery(t, driver, "/scan", bestEffort, 20*time.Millisecond, func(int) *ros.String { return &ros.String{Data: "x"} })
	publishEvery(t, driver, "/clock", bestEffort, 10*time.Millisecond, halfSpeed)

	code, out := runTakt(t, "watch", "--for", "2500ms", "--verbose")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		// Lines while it runs.
		`(?m)^[12]\.\d{3} s warning: /scan: /lidar wants reliable, /driver offers best effort: they never connect -> `,
		`(?m)^[12]\.\d{3} s /scan: \d+ messages, 1 publishing, 1 subscribed, `,
		`(?m)^[12]\.\d{3} s clock: RTF 0\.[45]\d{3}.*, deadlines not measured`,
		// The report.
		`(?m)^domain 42 \(tap\): \d+ messages`,
		`(?m)^  publisher +/driver: best effort`,
		`(?m)^  subscriber +/lidar: reliable`,
		`(?m)^takt's own traffic, with headers: [\d.]+ kB/s sent, [\d.]+ kB/s received$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("does not say %s", want)
		}
	}
	if n := strings.Count(out, "warning: /scan: /lidar wants reliable"); n != 1 {
		t.Errorf("the mismatch is told %d times in the lines, want once", n)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// What is named is read and shown, and /clock with it; nothing else.
func TestWatchReadsWhatIsNamed(t *testing.T) {
	n := joinGraph(t, watchDomain, "driver")
	text := func(int) *ros.String { return &ros.String{Data: "x"} }
	for _, topic := range []string{"/front/scan", "/rear/scan", "/odom"} {
		publishEvery(t, n, topic, ros.DefaultQoS(), 20*time.Millisecond, text)
	}
	publishEvery(t, n, "/clock", ros.ClockQoS(), 10*time.Millisecond, halfSpeed)
	w := startWatch(t, "--json", "--for", "1500ms", "/*/scan")
	w.running.Wait()
	r, _ := w.report()
	var got []string
	for _, topic := range r.Topics {
		if topic.Count > 0 {
			got = append(got, topic.Name)
		}
	}
	if want := []string{"/clock", "/front/scan", "/rear/scan"}; !slices.Equal(got, want) || len(r.Topics) != len(want) {
		t.Errorf("read %q of %d, want %q", got, len(r.Topics), want)
	}
}

// Reliable readers of takt's are acknowledged to: the writer knows that takt
// has had everything.
func TestWatchEverySample(t *testing.T) {
	n := joinGraph(t, watchDomain, "driver")
	c, err := ros.TypedEndpoint[ros.String]("/all", qos.Policies{Reliability: qos.Reliable, History: qos.KeepAll()})
	if err != nil {
		t.Fatal(err)
	}
	writer, err := n.NewWriter(c)
	if err != nil {
		t.Fatal(err)
	}
	w := startWatch(t, "--json", "--every-sample")
	awaitUntil(t, "takt reads the topic", func() bool { return writer.Matched() > 0 })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	const count = 3000 // more than the writer keeps: it waits for takt
	for range count {
		if err := writer.Write(ctx, []byte{0, 1, 0, 0, 2, 0, 0, 0, 'x', 0, 0, 0}); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.WaitAcked(ctx); err != nil {
		t.Fatal(err)
	}
	r, _ := w.report()
	if topic := r.Topics[0]; topic.Count != count || topic.OwnLosses.Total() != 0 {
		t.Errorf("%d samples, %+v lost; want all of %d", topic.Count, topic.OwnLosses, count)
	}
}

// What brings most is left when the budget is spent, and that is said.
func TestWatchKeepsToItsBudget(t *testing.T) {
	n := joinGraph(t, watchDomain, "driver")
	big := ros.String{Data: strings.Repeat("x", 1000)}
	publishEvery(t, n, "/big", ros.DefaultQoS(), 5*time.Millisecond, func(int) *ros.String { return &big }) // 200 kB/s
	publishEvery(t, n, "/small", ros.DefaultQoS(), 20*time.Millisecond, func(int) *ros.String { return &ros.String{Data: "x"} })
	w := startWatch(t, "--json", "--for", "2500ms", "--budget", "50kB/s")
	w.running.Wait()
	r, _ := w.report()
	var left []string
	for _, f := range r.Verdict.Findings {
		if f.ID == "topic-left" {
			left = append(left, f.Subject)
		}
	}
	if !slices.Equal(left, []string{"/big"}) {
		t.Errorf("left %q, want /big alone", left)
	}
}

func TestWatchRefusesWhatCannotBe(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no such domain", []string{"--domain", "233"}, 2, "write 0 to 232"},
		{"a budget without a unit", []string{"--budget", "5"}, 2, "write one such as 5MB/s"},
		{"a time without a unit", []string{"--for", "10"}, 2, "write 10ms"},
		{"a pattern that is none", []string{"/camera/["}, 2, "not a pattern"},
		{"loopback and an interface", []string{"--interface", "eth9"}, 3, "eth9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := startWatch(t, c.args...)
			w.running.Wait()
			if w.code != c.code || !strings.Contains(w.errors.String(), c.says) {
				t.Errorf("exit code %d, want %d: %s", w.code, c.code, w.errors.String())
			}
		})
	}
}

package file

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// A kept is a timeline in memory: a sink that keeps what it is given.
type kept struct {
	Origins  []timeline.Origin
	Entities []timeline.Entity
	Batches  [][]timeline.Event
}

func (k *kept) Start(o timeline.Origin)    { k.Origins = append(k.Origins, o) }
func (k *kept) Describe(e timeline.Entity) { k.Entities = append(k.Entities, e) }
func (k *kept) Events(events []timeline.Event) {
	k.Batches = append(k.Batches, slices.Clone(events))
}

func (k *kept) writeTo(t fataler, out io.Writer, outcome timeline.Outcome) {
	w, err := NewWriter(out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(k.Origins[0])
	for _, e := range k.Entities {
		w.Describe(e)
	}
	for _, batch := range k.Batches {
		w.Events(batch)
	}
	if err := w.Close(outcome); err != nil {
		t.Fatal(err)
	}
}

type fataler interface{ Fatal(...any) }

var (
	testOrigin = timeline.Origin{Kind: "tap", Path: "domain 0", Base: timeline.Base{
		Clock: timeline.WallClock, Host: "robot", Boot: "b", MonoOffset: -5, MonoError: 3, MonoKnown: true}}
	testOutcome = timeline.Outcome{Findings: []timeline.Finding{{ID: "x", Severity: timeline.Info, Subject: "/imu", Text: "text", Remedy: "remedy"}}}
)

// testTimeline is four batches of three events.
func testTimeline() *kept {
	return &kept{
		Origins:  []timeline.Origin{testOrigin},
		Entities: []timeline.Entity{{ID: 1, Kind: timeline.ClockEntity, Name: "/clock", Publishers: 1}, {ID: 2, Kind: timeline.TopicEntity, Name: "/imu", Type: "sensor_msgs/msg/Imu", StampSource: "header.stamp"}},
		Batches:  slices.Collect(slices.Chunk(robotEvents(12), 3)),
	}
}

func read(file []byte) (k kept, o timeline.Outcome, err error) {
	o, err = Read(context.Background(), bytes.NewReader(file), &k)
	return k, o, err
}

func TestTimelineSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entity := rapid.Custom(func(t *rapid.T) timeline.Entity {
			return timeline.Entity{
				ID: timeline.EntityID(rapid.Uint32().Draw(t, "id")), Kind: timeline.EntityKind(rapid.Uint8().Draw(t, "kind")),
				Name: rapid.String().Draw(t, "name"), Type: rapid.String().Draw(t, "type"),
				Parent: timeline.EntityID(rapid.Uint32().Draw(t, "parent")), Publishers: rapid.IntMin(0).Draw(t, "publishers"),
				TransientLocal: rapid.Bool().Draw(t, "transient local"), StampSource: rapid.String().Draw(t, "stamp source"),
			}
		})
		want := kept{
			Origins: []timeline.Origin{{Kind: rapid.String().Draw(t, "kind"), Path: rapid.String().Draw(t, "path"),
				Base: timeline.Base{Clock: timeline.WallClock, MonoOffset: rapid.Int64().Draw(t, "offset"), MonoKnown: rapid.Bool().Draw(t, "known")}}},
			Entities: rapid.SliceOfN(entity, 1, 3).Draw(t, "entities"),
			Batches:  rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(anyEvent), 1, 5), 1, 4).Draw(t, "batches"),
		}
		outcome := timeline.Outcome{Partial: rapid.Bool().Draw(t, "partial"), Findings: testOutcome.Findings}
		var file bytes.Buffer
		want.writeTo(t, &file, outcome)
		got, o, err := read(file.Bytes())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
		if diff := cmp.Diff(outcome, o); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestLargeBatchIsSplit(t *testing.T) {
	events := robotEvents(2*maxBatch + 1)
	var file bytes.Buffer
	(&kept{Origins: []timeline.Origin{testOrigin}, Batches: [][]timeline.Event{events}}).writeTo(t, &file, testOutcome)
	got, _, err := read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Batches) != 3 || !slices.Equal(slices.Concat(got.Batches...), events) {
		t.Errorf("%d batches, or other events", len(got.Batches))
	}
}

// What is written before a kill is in the file: after each call all of it can be read.
func TestNothingWaitsInTheWriter(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(testOrigin)
	want := testTimeline()
	for n, batch := range want.Batches {
		w.Events(batch)
		got, o, err := read(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		hole := []timeline.Event{{At: batch[len(batch)-1].At, Kind: timeline.Hole, Value: math.MaxInt64}}
		if diff := cmp.Diff(append(slices.Clone(want.Batches[:n+1]), hole), got.Batches); diff != "" {
			t.Errorf("after batch %d: %s", n, diff)
		}
		if !o.Partial || len(o.Findings) != 1 || o.Findings[0].ID != "timeline-cut" {
			t.Errorf("after batch %d: %+v", n, o)
		}
	}
}

func TestCutAtEveryByte(t *testing.T) {
	var file bytes.Buffer
	want := testTimeline()
	want.writeTo(t, &file, testOutcome)
	whole := slices.Concat(want.Batches...)
	var seen []int // how many events a cut left, each once
	for n := range file.Len() {
		got, o, err := read(file.Bytes()[:n])
		if err != nil {
			if len(seen) > 0 || len(got.Origins) > 0 {
				t.Fatalf("cut after %d bytes: %v", n, err)
			}
			continue
		}
		events := slices.Concat(got.Batches...)
		if o.Partial && len(events) == 0 {
			// Nothing is known before what is lost, so there is no hole.
		} else if o.Partial {
			hole := events[len(events)-1]
			if hole.Kind != timeline.Hole || hole.Value != math.MaxInt64 || o.Findings[0].ID != "timeline-cut" {
				t.Fatalf("cut after %d bytes: last event %+v, outcome %+v", n, hole, o)
			}
			events = events[:len(events)-1]
		} else if diff := cmp.Diff(testOutcome, o); diff != "" || len(events) != len(whole) {
			t.Fatalf("cut after %d bytes: whole with %d events: %s", n, len(events), diff)
		}
		if !slices.Equal(events, whole[:len(events)]) || !slices.Equal(got.Entities, want.Entities[:len(got.Entities)]) {
			t.Fatalf("cut after %d bytes: not a beginning of what was written", n)
		}
		if len(seen) == 0 || seen[len(seen)-1] != len(events) {
			seen = append(seen, len(events))
		}
	}
	if !slices.Equal(seen, []int{0, 3, 6, 9, 12}) {
		t.Errorf("cuts left %v events, want each number of whole batches once", seen)
	}
}

// Whatever byte is damaged, what is given was written, in its order, and what
// is missing is said.
func TestDamageAtEveryByte(t *testing.T) {
	var file bytes.Buffer
	want := testTimeline()
	want.writeTo(t, &file, testOutcome)
	whole := slices.Concat(want.Batches...)
	lostOne := 0
	for n := range file.Len() {
		damaged := slices.Clone(file.Bytes())
		damaged[n] ^= 0x55
		got, o, err := read(damaged)
		if err != nil {
			continue
		}
		next, given, holes := 0, 0, 0
		for _, e := range slices.Concat(got.Batches...) {
			if e.Kind == timeline.Hole {
				holes++
				continue
			}
			i := slices.Index(whole[next:], e)
			if i < 0 {
				t.Fatalf("byte %d damaged: event %+v was not written, or not in this order", n, e)
			}
			next, given = next+i+1, given+1
		}
		if given < len(whole) && (!o.Partial || given > 0 && holes == 0) {
			t.Fatalf("byte %d damaged: %d of %d events, %d holes, outcome %+v", n, given, len(whole), holes, o)
		}
		if given == len(whole)-3 && o.Findings[len(o.Findings)-1].ID == "timeline-damaged" {
			lostOne++
		}
	}
	// A batch has some 60 bytes of records here; damage in them must not cost those behind it.
	if lostOne < 4*40 {
		t.Errorf("only %d damaged bytes cost no more than their own batch", lostOne)
	}
}

func TestHoleSpansDamage(t *testing.T) {
	var file bytes.Buffer
	want := testTimeline()
	want.writeTo(t, &file, testOutcome)
	chunks := chunkOffsets(t, file.Bytes())
	damaged := slices.Clone(file.Bytes())
	damaged[chunks[6]-1] ^= 1 // the end of the third batch: origin, 2 entities, 4 batches, outcome
	got, o, err := read(damaged)
	if err != nil {
		t.Fatal(err)
	}
	hole := []timeline.Event{{At: want.Batches[1][2].At, Kind: timeline.Hole, Value: int64(want.Batches[3][0].At)}}
	if diff := cmp.Diff([][]timeline.Event{want.Batches[0], want.Batches[1], hole, want.Batches[3]}, got.Batches); diff != "" {
		t.Error(diff)
	}
	if !o.Partial || len(o.Findings) != 2 || o.Findings[1].ID != "timeline-damaged" {
		t.Errorf("outcome %+v", o)
	}
}

// chunkOffsets returns where chunk records begin.
func chunkOffsets(t *testing.T, file []byte) (offsets []int) {
	t.Helper()
	lexer, err := mcap.NewLexer(bytes.NewReader(file), &mcap.LexerOptions{EmitChunks: true})
	if err != nil {
		t.Fatal(err)
	}
	offset := len(mcap.Magic)
	for {
		token, record, err := lexer.Next(nil)
		if err != nil || token == mcap.TokenDataEnd {
			return offsets
		}
		if token == mcap.TokenChunk {
			offsets = append(offsets, offset)
		}
		offset += 9 + len(record)
	}
}

// Other tools see an MCAP file, and what they rewrite is still a timeline.
func TestRewrittenFileIsRead(t *testing.T) {
	var file bytes.Buffer
	want := testTimeline()
	want.writeTo(t, &file, testOutcome)
	for name, opt := range map[string]mcap.WriterOptions{
		"one chunk":      {Chunked: true, Compression: mcap.CompressionZSTD, IncludeCRC: true},
		"not compressed": {Chunked: true},
		"no chunks":      {},
	} {
		got, o, err := read(rewrite(t, file.Bytes(), opt))
		if diff := cmp.Diff(*want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		if diff := cmp.Diff(testOutcome, o); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	_, _, err := read(rewrite(t, file.Bytes(), mcap.WriterOptions{Chunked: true, Compression: mcap.CompressionLZ4}))
	if err == nil || !strings.Contains(err.Error(), `"lz4"; takt reads zstd`) {
		t.Errorf("lz4: %v", err)
	}
}

func rewrite(t *testing.T, file []byte, opt mcap.WriterOptions) []byte {
	t.Helper()
	r, err := mcap.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	it, err := r.Messages(mcap.UsingIndex(false))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteHeader(r.Header()); err != nil {
		t.Fatal(err)
	}
	known := map[uint16]bool{}
	for {
		_, c, m, err := it.NextInto(nil)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && !known[c.ID] {
			known[c.ID] = true
			err = w.WriteChannel(c)
		}
		if err == nil {
			err = w.WriteMessage(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWhatIsNoTimelineIsRefused(t *testing.T) {
	mcapFile := func(profile, library string) []byte {
		var b bytes.Buffer
		w, err := mcap.NewWriter(&b, &mcap.WriterOptions{OverrideLibrary: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.WriteHeader(&mcap.Header{Profile: profile, Library: library}), w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, test := range []struct {
		name string
		file []byte
		is   bool
		want string // in the error
	}{
		{"empty", nil, false, "not a takt timeline"},
		{"text", []byte(strings.Repeat("text ", 20)), false, "not a takt timeline"},
		{"bag", mcapFile("ros2", "libmcap"), false, `profile "ros2"`},
		{"newer", mcapFile("takt", "takt timeline 2"), true, "use a newer takt"},
		{"no version", mcapFile("takt", "takt"), true, "unknown version"},
		{"never began", mcapFile("takt", "takt timeline 1"), true, "nothing was recorded"},
		{"just magic", mcap.Magic, false, "nothing was recorded"},
	} {
		if is := Is(bytes.NewReader(test.file)); is != test.is {
			t.Errorf("%s: Is says %v", test.name, is)
		}
		if _, _, err := read(test.file); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestWrittenFileIsATimeline(t *testing.T) {
	var file bytes.Buffer
	testTimeline().writeTo(t, &file, testOutcome)
	for n := range file.Len() {
		if got, want := Is(bytes.NewReader(file.Bytes()[:n])), n >= 25; got != want {
			t.Fatalf("the first %d bytes: %v, want %v", n, got, want)
		}
	}
}

func TestReadSaysWhatStoppedIt(t *testing.T) {
	var file bytes.Buffer
	testTimeline().writeTo(t, &file, testOutcome)
	broken := errors.New("broken")
	for n := 0; n < file.Len(); n += 50 {
		r := io.MultiReader(bytes.NewReader(file.Bytes()[:n]), iotest.ErrReader(broken))
		// Behind the outcome nobody reads.
		if o, err := Read(context.Background(), r, discard{}); !errors.Is(err, broken) && !cmp.Equal(o, testOutcome) {
			t.Errorf("reader broken after %d bytes: %v", n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, &file, discard{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	testTimeline().writeTo(f, &file, testOutcome)
	f.Add(file.Bytes())
	f.Add(file.Bytes()[:file.Len()/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		k, _, err := read(b)
		if err == nil && len(k.Origins) != 1 {
			t.Errorf("started %d times", len(k.Origins))
		}
	})
}

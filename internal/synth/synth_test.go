package synth

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/takt-rt/takt/clock"
)

var (
	testTopics = []Topic{
		NewTopic("/clock", "rosgraph_msgs/msg/Clock", QoS{Reliable: true}),
		NewTopic("/imu", "sensor_msgs/msg/Imu", QoS{}, QoS{TransientLocal: true}),
		{Name: "/other", Type: "vendor_msgs/msg/Other"},
	}
	testMessages = []Message{
		{Topic: "/clock", Receive: 1000, Publish: 900, Data: Clock(1)},
		{Topic: "/imu", Receive: 3000, Publish: 2500, Sequence: 7, Data: Imu(2, "imu")},
		{Topic: "/clock", Receive: 2000, Data: Clock(3)}, // out of order, publish time unknown
	}
)

func TestMCAPHoldsWhatWasWritten(t *testing.T) {
	want := slices.Clone(testMessages)
	want[2].Publish = want[2].Receive
	for name, opt := range map[string]MCAPOptions{
		"default":   {},
		"zstd":      {Compression: mcap.CompressionZSTD, ChunkSize: 1, CRC: true},
		"lz4":       {Compression: mcap.CompressionLZ4},
		"no chunks": {NoChunks: true},
		"no index":  {NoIndex: true},
	} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			if err := WriteMCAP(&file, testTopics, slices.Values(testMessages), opt); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, readMCAP(t, file.Bytes(), !opt.NoIndex)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// readMCAP reads all messages in the order of the file.
func readMCAP(t *testing.T, file []byte, indexed bool) (messages []Message) {
	t.Helper()
	r, err := mcap.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Header().Profile != "ros2" {
		t.Errorf("profile %q", r.Header().Profile)
	}
	it, err := r.Messages(mcap.UsingIndex(indexed), mcap.InOrder(mcap.FileOrder))
	if err != nil {
		t.Fatal(err)
	}
	for {
		schema, channel, m, err := it.NextInto(nil)
		if errors.Is(err, io.EOF) {
			return messages
		}
		if err != nil {
			t.Fatal(err)
		}
		if channel.MessageEncoding != "cdr" || schema.Encoding != "ros2msg" {
			t.Errorf("%s: encodings %q, %q", channel.Topic, channel.MessageEncoding, schema.Encoding)
		}
		messages = append(messages, Message{channel.Topic, clock.Wall(m.LogTime), clock.Wall(m.PublishTime), m.Sequence, m.Data})
	}
}

func TestMCAPNotesTopics(t *testing.T) {
	var file bytes.Buffer
	if err := WriteMCAP(&file, testTopics, slices.Values(testMessages), MCAPOptions{}); err != nil {
		t.Fatal(err)
	}
	r, err := mcap.NewReader(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Messages(); err != nil { // Info needs the seeker that Messages sets up
		t.Fatal(err)
	}
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[uint16]uint64{1: 2, 2: 1}, info.Statistics.ChannelMessageCounts); diff != "" {
		t.Error(diff)
	}
	for i, topic := range testTopics {
		c := info.Channels[uint16(i+1)]
		if c.Topic != topic.Name || info.Schemas[c.SchemaID].Name != topic.Type || string(info.Schemas[c.SchemaID].Data) != topic.Schema {
			t.Errorf("channel %d: %+v, schema %+v", i+1, c, info.Schemas[c.SchemaID])
		}
		if got := strings.Count(c.Metadata["offered_qos_profiles"], "- history:"); got != len(topic.Offered) {
			t.Errorf("%s: %d profiles, want %d", c.Topic, got, len(topic.Offered))
		}
	}
}

func TestDB3HoldsWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db3")
	if err := WriteDB3(path, testTopics, slices.Values(testMessages)); err != nil {
		t.Fatal(err)
	}
	var want []Message
	for _, m := range testMessages {
		want = append(want, Message{Topic: m.Topic, Receive: m.Receive, Data: m.Data})
	}
	if diff := cmp.Diff(want, readDB3(t, path)); diff != "" {
		t.Error(diff)
	}
	definitions := query(t, path, `SELECT topic_type, encoding, encoded_message_definition FROM message_definitions`)
	if diff := cmp.Diff([][]string{
		{testTopics[0].Type, "ros2msg", testTopics[0].Schema},
		{testTopics[1].Type, "ros2msg", testTopics[1].Schema},
	}, definitions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"4", "kilted"}}, query(t, path, `SELECT * FROM schema`)); diff != "" {
		t.Error(diff)
	}
}

// query returns the rows of a statement as text.
func query(t *testing.T, path, sql string) (rows [][]string) {
	t.Helper()
	db, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stmt, _, err := db.Prepare(sql)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	for stmt.Step() {
		row := make([]string, stmt.ColumnCount())
		for i := range row {
			row[i] = stmt.ColumnText(i)
		}
		rows = append(rows, row)
	}
	if err := stmt.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func readDB3(t *testing.T, path string) (messages []Message) {
	t.Helper()
	db, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stmt, _, err := db.Prepare(`SELECT name, timestamp, data FROM messages JOIN topics ON topics.id = topic_id ORDER BY messages.id`)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	for stmt.Step() {
		messages = append(messages, Message{Topic: stmt.ColumnText(0), Receive: clock.Wall(stmt.ColumnInt64(1)), Data: stmt.ColumnBlob(2, nil)})
	}
	if err := stmt.Err(); err != nil {
		t.Fatal(err)
	}
	return messages
}

// testdata/metadata.yaml is written by hand after one that ros2 bag record of Kilted left.
func TestBagMetadata(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "walk")
	if err := WriteBag(dir, testTopics, slices.Values(testMessages), BagOptions{Split: 2}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/metadata.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "metadata.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSuffix(string(want), "\n"), string(got)); diff != "" {
		t.Error(diff)
	}
	var parsed any
	if err := yaml.Unmarshal(got, &parsed); err != nil {
		t.Errorf("not YAML: %v", err)
	}
}

func TestBagSplits(t *testing.T) {
	for _, sqlite := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "walk")
		if err := WriteBag(dir, testTopics, slices.Values(testMessages), BagOptions{Split: 2, SQLite: sqlite}); err != nil {
			t.Fatal(err)
		}
		var counts []int
		for _, name := range []string{"walk_0", "walk_1"} {
			if sqlite {
				counts = append(counts, len(readDB3(t, filepath.Join(dir, name+".db3"))))
				continue
			}
			file, err := os.ReadFile(filepath.Join(dir, name+".mcap"))
			if err != nil {
				t.Fatal(err)
			}
			counts = append(counts, len(readMCAP(t, file, true)))
		}
		if !slices.Equal(counts, []int{2, 1}) {
			t.Errorf("sqlite %v: messages per file %v, want [2 1]", sqlite, counts)
		}
	}
}

// An empty bag starts never: rosbag2 writes the largest time there is.
func TestEmptyBag(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "empty")
	if err := WriteBag(dir, nil, slices.Values([]Message(nil)), BagOptions{SQLite: true}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "metadata.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct {
		Information struct {
			Start struct {
				NS int64 `yaml:"nanoseconds_since_epoch"`
			} `yaml:"starting_time"`
			Count  int      `yaml:"message_count"`
			Topics []string `yaml:"topics_with_message_count"`
		} `yaml:"rosbag2_bagfile_information"`
	}
	if err := yaml.Unmarshal(text, &parsed); err != nil {
		t.Fatal(err)
	}
	if i := parsed.Information; i.Start.NS != math.MaxInt64 || i.Count != 0 || len(i.Topics) != 0 {
		t.Errorf("%+v", i)
	}
}

func TestUnlistedTopicIsRefused(t *testing.T) {
	stray := slices.Values([]Message{{Topic: "/stray"}})
	dir := t.TempDir()
	for name, err := range map[string]error{
		"mcap": WriteMCAP(io.Discard, testTopics, stray, MCAPOptions{}),
		"db3":  WriteDB3(filepath.Join(dir, "x.db3"), testTopics, stray),
		"bag":  WriteBag(filepath.Join(dir, "bag"), testTopics, stray, BagOptions{}),
	} {
		if err == nil || !strings.Contains(err.Error(), `"/stray"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDefinitionsAreWhole(t *testing.T) {
	for typ, uses := range used {
		text, _ := Definition(typ)
		for _, part := range strings.Split(text, strings.Repeat("=", 80)) {
			if len(strings.TrimSpace(part)) == 0 {
				t.Errorf("%s: empty part", typ)
			}
		}
		for _, u := range uses {
			if definitions[u] == "" {
				t.Errorf("%s uses %s, which is not defined", typ, u)
			}
		}
	}
	if _, ok := Definition("vendor_msgs/msg/Other"); ok {
		t.Error("a definition of an unknown type")
	}
}

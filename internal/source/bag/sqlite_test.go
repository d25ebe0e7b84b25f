package bag

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/vfs/memdb"
	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

const (
	createTables = `CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL);
		CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL);
		INSERT INTO topics VALUES (1, '/clock', 'rosgraph_msgs/msg/Clock', 'cdr', ''), (2, '/imu', 'sensor_msgs/msg/Imu', 'cdr', '');`
	createIndex = `CREATE INDEX timestamp_idx ON messages (timestamp ASC);`
)

func exec(t rapid.TB, db *sqlite3.Conn, sql string) {
	if err := db.Exec(sql); err != nil {
		t.Fatal(err)
	}
}

func insert(t rapid.TB, db *sqlite3.Conn, messages []logged) {
	stmt, _, err := db.Prepare("INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	exec(t, db, "BEGIN")
	for _, m := range messages {
		topic, data := 2, headerMessage(40, uint64(m.number))
		if m.tick {
			topic, data = 1, clockMessage(uint64(m.number))
		}
		stmt.BindInt(1, topic)
		stmt.BindInt64(2, int64(m.at))
		stmt.BindBlob(3, data)
		if err := stmt.Exec(); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, db, "COMMIT")
}

// writeDatabase makes a recording in a file.
func writeDatabase(t rapid.TB, path, tables string, messages []logged) {
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec(t, db, tables)
	insert(t, db, messages)
}

// With an index or without, rows come in order.
func TestSQLiteOrder(t *testing.T) {
	for name, tables := range map[string]string{"index": createTables + createIndex, "none": createTables} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				path := filepath.Join(t.TempDir(), "a.db3")
				messages := drawMessages(rt, rapid.IntRange(0, 200).Draw(rt, "n"))
				writeDatabase(rt, path, tables, messages)
				s, err := Open(path, Options{})
				if err != nil {
					rt.Fatal(err)
				}
				sink := new(gathered)
				out, err := s.Run(context.Background(), sink)
				if err != nil || out.Partial {
					rt.Fatal(out, err)
				}
				wantMessages(rt, sink.events, inOrder(messages))
			})
		})
	}
}

// The first database of every generation had no QoS, the latest has publish times.
func TestSQLiteColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db3")
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, `CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL);
		CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL,send_timestamp INTEGER NOT NULL,data BLOB NOT NULL);
		INSERT INTO topics VALUES (5, '/a', 'std_msgs/String');
		INSERT INTO messages VALUES (1, 5, 1000, 900, x'00010000'), (2, 6, 1000, 900, x'00'), (3, 5, -4, 900, x'00');`)
	db.Close()
	c, out := readPath(t, path, Options{})
	if e, n := c.topic("/a"); e.Type != "std_msgs/msg/String" || n.count != 1 || n.sent != 1 || n.bytes != 4 {
		t.Errorf("%+v %+v", e, n)
	}
	if found := ids(out); found["unknown-topic"] != 1 || found["absurd-time"] != 1 {
		t.Errorf("%+v", out)
	}
}

// What can be read of the first half of a database: its whole pages of the
// table hold 2327 rows, of which 3 are of the schema and 5 of the topics.
func TestCutDatabase(t *testing.T) {
	c, out := read(t, "derived/broken/cut-half.db3", Options{})
	if c.messages != 2327-3-5 || c.first != 1588512872785162138 {
		t.Errorf("%d messages from %d", c.messages, c.first)
	}
	if !out.Partial || len(out.Findings) != 1 || out.Findings[0].ID != "damaged" || !strings.Contains(out.Findings[0].Text, "malformed") {
		t.Errorf("%+v", out)
	}
	if len(c.holes) != 1 || int64(c.holes[0].At) != c.last || c.holes[0].Value != 1<<63-1 {
		t.Errorf("holes %+v, last message %d", c.holes, c.last)
	}
}

// tableLeaf is the type of a page that holds rows (SQLite database file format, 1.6).
const tableLeaf = 0x0d

// A page of rows that is overwritten costs its rows, and no other.
func TestDamagedPage(t *testing.T) {
	const count = 5000
	messages := make([]logged, count)
	for i := range messages {
		messages[i] = logged{at: uint64(1000 + i), number: uint32(i)}
	}
	for name, tables := range map[string]string{"index": createTables + createIndex, "none": createTables} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db3")
			writeDatabase(t, path, tables, messages)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			page := len(b) / 2 &^ 4095
			for b[page] != tableLeaf {
				page += 4096
			}
			rows := int(binary.BigEndian.Uint16(b[page+3:]))
			clear(b[page : page+4096])
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			c, out := readPath(t, path, Options{})
			if c.messages != count-rows || c.last != 1000+count-1 {
				t.Errorf("%d messages until %d, want %d of which the page lacks %d", c.messages, c.last, count, rows)
			}
			if !out.Partial || ids(out)["damaged"] != 1 || len(c.holes) != 1 {
				t.Fatalf("%+v, holes %+v", out, c.holes)
			}
			if h := c.holes[0]; h.Value-int64(h.At) != int64(rows)+1 {
				t.Errorf("hole %+v, want one of %d rows", h, rows)
			}
		})
	}
}

// A log left by a killed recorder is read up to its last whole transaction,
// and nothing is written.
func TestWriteAheadLog(t *testing.T) {
	dir, live := t.TempDir(), filepath.Join(t.TempDir(), "live.db3")
	db, err := sqlite3.Open(live)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec(t, db, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 5")
	exec(t, db, createTables+createIndex)
	messages := make([]logged, 3000)
	for i := range messages {
		messages[i] = logged{at: uint64(1000 + i), number: uint32(i), tick: i%5 == 0}
	}
	insert(t, db, messages[:1000])
	exec(t, db, "PRAGMA wal_checkpoint(PASSIVE)")
	insert(t, db, messages[1000:])
	exec(t, db, "BEGIN; INSERT INTO messages(topic_id, timestamp, data) SELECT topic_id, timestamp + 10000, data FROM messages")

	path := filepath.Join(dir, "a.db3")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(live + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, b, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	before := hashDirectory(t, dir)
	sink := new(gathered)
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run(t.Context(), sink)
	if err != nil || ids(out)["wal-read"] != 1 || out.Partial {
		t.Fatal(out, err)
	}
	wantMessages(t, sink.events, messages)
	if after := hashDirectory(t, dir); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("the directory changed from %v to %v", before, after)
	}
}

// FuzzWAL lays changed logs over a database.
func FuzzWAL(f *testing.F) {
	f.Add(append(binary.BigEndian.AppendUint32(nil, 0x377f0682), make([]byte, 600)...))
	f.Fuzz(func(t *testing.T, log []byte) {
		path := filepath.Join(t.TempDir(), "a.db3")
		if err := os.WriteFile(path+"-wal", log, 0o666); err != nil {
			t.Fatal(err)
		}
		base := bytes.Repeat([]byte{7}, 3000)
		file, err := (&input{path: path}).addWAL(&stored{bytes.NewReader(base), io.NopCloser(nil), 3000}, new(findings))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		got := make([]byte, 3000)
		if n, err := file.ReadAt(got, 0); n < len(got) && err == nil {
			t.Errorf("%d bytes without an error", n)
		}
	})
}

// FuzzSQLite changes small databases.
func FuzzSQLite(f *testing.F) {
	for _, tables := range []string{createTables, createTables + createIndex} {
		path := filepath.Join(f.TempDir(), "a.db3")
		writeDatabase(f, path, "PRAGMA page_size = 512;"+tables, []logged{{at: 1}, {at: 3, tick: true}, {at: 2, number: 9}})
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !bytes.HasPrefix(b, sqliteMagic) {
			return
		}
		c := newCollector(t)
		c.hostile = true
		r := newRun(new(recording), Options{}, c)
		c.Start(timeline.Origin{})
		in := &input{name: "test.db3", path: filepath.Join(t.TempDir(), "test.db3"), size: int64(len(b))}
		reader, err := openSQLite(t.Context(), r, in, &stored{bytes.NewReader(b), io.NopCloser(nil), in.size})
		if err != nil {
			return
		}
		r.opened, r.lanes = 1, []*lane{{in: in, reader: reader}}
		if err := r.merge(t.Context()); err != nil {
			t.Error(err)
		}
		r.outcome(true)
	})
}

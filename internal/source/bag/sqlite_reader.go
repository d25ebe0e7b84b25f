package bag

import (
	"context"
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/takt-rt/takt/timeline"
)

// rowsPerBlock is how many rows are read before another file may take its turn.
const rowsPerBlock = 512

// A sqliteReader reads a database in the order of time, by its index.
type sqliteReader struct {
	run     *run
	in      *input
	db      *database
	streams map[int64]*stream // by topic id
	columns string
	rows    *sqlite3.Stmt
	onRow   bool // rows stands on a row that was not taken yet
	lastID  int64
	seen    span
	unknown uint64
	scan    *window // goes on where the index does not lead
	told    bool    // that the database is damaged
}

// openSQLite returns the reader of a database. It takes over the file.
func openSQLite(ctx context.Context, r *run, in *input, file *stored) (reader, error) {
	file, err := in.addWAL(file, &r.found)
	if err != nil {
		return nil, err
	}
	db, err := openDatabase(file)
	if err != nil {
		file.Close()
		return nil, malformed(in, err)
	}
	db.conn.SetInterrupt(ctx)
	s := &sqliteReader{run: r, in: in, db: db}
	if err := s.begin(ctx); err != nil {
		s.close()
		return nil, malformed(in, err)
	}
	return s, nil
}

// malformed explains an error of SQLite.
func malformed(in *input, err error) error {
	if errors.Is(err, ErrNotRecording) {
		return err
	}
	return fmt.Errorf("%s is a damaged database: %w; sqlite3 %s .recover may save some of it", in.path, err, in.path)
}

func (s *sqliteReader) begin(ctx context.Context) error {
	messages, err := s.db.messageColumns(s.in.path)
	if err != nil {
		return err
	}
	if s.streams, err = s.readTopics(); err != nil {
		return err
	}
	s.columns = "id, topic_id, timestamp, "
	if messages["send_timestamp"] {
		s.columns += "send_timestamp"
	} else {
		s.columns += "0"
	}
	if !s.run.opt.TimesOnly {
		s.columns += ", data"
	}
	query := "SELECT " + s.columns + " FROM messages ORDER BY timestamp, id"
	sorted, err := s.db.sorted(query)
	if err != nil {
		return err
	}
	if !sorted {
		return s.scanRows(ctx, nil)
	}
	if s.rows, _, err = s.db.conn.Prepare(query); err != nil {
		return err
	}
	return s.step(ctx)
}

// step goes to the next row. If the index leads nowhere the rows are read
// without it.
func (s *sqliteReader) step(ctx context.Context) error {
	if s.onRow = s.rows.Step(); s.onRow {
		return nil
	}
	if err := s.rows.Err(); err != nil && ctx.Err() == nil {
		return s.scanRows(ctx, err)
	}
	return nil
}

func (s *sqliteReader) bound() (timeline.Instant, bool) {
	if s.scan != nil {
		return s.scan.bound()
	}
	if !s.onRow {
		return 0, false
	}
	return timeline.Instant(s.rows.ColumnInt64(2)), true
}

func (s *sqliteReader) load(ctx context.Context, to *queue) {
	if s.scan != nil {
		s.scan.load(ctx, to)
	} else {
		for i := 0; i < rowsPerBlock && s.onRow; i++ {
			s.take(s.rows, to)
			if err := s.step(ctx); err != nil {
				s.lost(err, to)
			}
		}
	}
	if !s.in.packed {
		s.run.advance(s.db.read)
	}
	s.db.read = 0
}

// take pushes the events of a row.
func (s *sqliteReader) take(row *sqlite3.Stmt, q *queue) {
	m := message{at: row.ColumnInt64(2), sent: row.ColumnInt64(3)}
	s.lastID = row.ColumnInt64(0)
	m.place = uint64(s.lastID)
	s.seen.add(m.at)
	if m.sent == 0 {
		m.sent = m.at
	}
	st := s.streams[row.ColumnInt64(1)]
	if st == nil {
		s.unknown++
		return
	}
	if st.topic != nil && !s.run.opt.TimesOnly {
		m.data = row.ColumnRawBlob(4)
	}
	s.run.decode(st, &m, q)
}

// readTopics reads the topics table. Columns came over the years.
func (s *sqliteReader) readTopics() (map[int64]*stream, error) {
	has, err := s.db.columns("topics")
	if err != nil {
		return nil, err
	}
	definitions, err := s.readDefinitions()
	if err != nil {
		return nil, err
	}
	column := func(name, without string) string {
		if has[name] {
			return name
		}
		return without
	}
	stmt, _, err := s.db.conn.Prepare("SELECT id, name, type, " + column("serialization_format", "'cdr'") + ", " +
		column("offered_qos_profiles", "''") + " FROM topics ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	streams := make(map[int64]*stream)
	for stmt.Step() {
		note := topicNote{
			name:   stmt.ColumnText(1),
			typ:    stmt.ColumnText(2),
			format: stmt.ColumnText(3),
			qos:    s.run.qos(stmt.ColumnText(4)),
		}
		streams[stmt.ColumnInt64(0)] = s.run.newStream(note, definitions[note.typ], s.in.number)
	}
	return streams, stmt.Err()
}

// readDefinitions reads the message definitions by type, which databases have
// since schema version 4 (Iron).
func (s *sqliteReader) readDefinitions() (map[string]*definition, error) {
	has, err := s.db.columns("message_definitions")
	if err != nil || !has["topic_type"] || !has["encoding"] || !has["encoded_message_definition"] {
		return nil, err
	}
	stmt, _, err := s.db.conn.Prepare("SELECT topic_type, encoding, encoded_message_definition FROM message_definitions")
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	definitions := make(map[string]*definition)
	for stmt.Step() {
		if encoding := stmt.ColumnText(1); encoding == "ros2msg" || encoding == "ros2idl" {
			definitions[stmt.ColumnText(0)] = &definition{encoding, stmt.ColumnText(2)}
		}
	}
	return definitions, stmt.Err()
}

func (s *sqliteReader) close() {
	if s.unknown > 0 {
		s.run.found.add("unknown-topic", timeline.Warning, s.in.name, "",
			"left out: %s with a topic id that the database does not describe", number(s.unknown, "message"))
	}
	s.db.close()
}

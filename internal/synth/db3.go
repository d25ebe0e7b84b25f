package synth

import (
	"fmt"
	"iter"

	"github.com/ncruces/go-sqlite3"
)

// The tables of rosbag2's sqlite3 storage, schema version 4 (since Iron).
const tables = `
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY,ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY,metadata_version INTEGER NOT NULL,metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL,type_description_hash TEXT NOT NULL);
CREATE TABLE message_definitions(id INTEGER PRIMARY KEY,topic_type TEXT NOT NULL,encoding TEXT NOT NULL,encoded_message_definition TEXT NOT NULL,type_description_hash TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
INSERT INTO schema VALUES (4, '` + distro + `');
`

// WriteDB3 writes a recording into a new database at path, as rosbag2 does.
func WriteDB3(path string, topics []Topic, messages iter.Seq[Message]) error {
	s, err := newDB3Storage(path, topics)
	if err != nil {
		return err
	}
	for m := range messages {
		if err := s.write(m); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return s.close()
}

// A db3Storage is a database that is being written, in one transaction.
type db3Storage struct {
	db     *sqlite3.Conn
	insert *sqlite3.Stmt
	topics map[string]int64
}

func newDB3Storage(path string, topics []Topic) (*db3Storage, error) {
	db, err := sqlite3.Open(path)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", path, err)
	}
	s := &db3Storage{db: db, topics: map[string]int64{}}
	if err := s.begin(topics); err != nil {
		db.Close()
		return nil, fmt.Errorf("creating %s: %w", path, err)
	}
	return s, nil
}

func (s *db3Storage) begin(topics []Topic) (err error) {
	// Nobody needs half a synthetic recording: no journal, no waiting for the disk.
	if err := s.db.Exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;` + tables); err != nil {
		return err
	}
	defined := map[string]bool{}
	for i, t := range topics {
		s.topics[t.Name] = int64(i + 1)
		if err := s.exec(`INSERT INTO topics VALUES (?, ?, ?, 'cdr', ?, '')`, i+1, t.Name, t.Type, profiles(t.Offered)); err != nil {
			return err
		}
		if t.Schema == "" || defined[t.Type] {
			continue
		}
		defined[t.Type] = true
		if err := s.exec(`INSERT INTO message_definitions VALUES (NULL, ?, ?, ?, '')`, t.Type, t.SchemaEncoding, t.Schema); err != nil {
			return err
		}
	}
	s.insert, _, err = s.db.Prepare(`INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)`)
	return err
}

func (s *db3Storage) exec(sql string, args ...any) error {
	stmt, _, err := s.db.Prepare(sql)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i, arg := range args {
		switch v := arg.(type) {
		case int:
			err = stmt.BindInt(i+1, v)
		case string:
			err = stmt.BindText(i+1, v)
		}
		if err != nil {
			return err
		}
	}
	return stmt.Exec()
}

func (s *db3Storage) write(m Message) error {
	id, ok := s.topics[m.Topic]
	if !ok {
		return topicError(m)
	}
	for _, err := range []error{
		s.insert.BindInt64(1, id),
		s.insert.BindInt64(2, int64(m.Receive)),
		s.insert.BindBlob(3, m.Data),
	} {
		if err != nil {
			return err
		}
	}
	return s.insert.Exec()
}

func (s *db3Storage) close() error {
	if err := s.insert.Close(); err != nil {
		return err
	}
	if err := s.db.Exec(`COMMIT`); err != nil {
		return err
	}
	return s.db.Close()
}

package bag

import (
	"context"

	"github.com/ncruces/go-sqlite3"
)

// A rowScan reads the rows of a database in the order in which they were
// written, without an index: that of old recorders, that are without one, and
// of damaged databases. One stretch of damaged pages is passed over.
type rowScan struct {
	*sqliteReader
	rows   *sqlite3.Stmt
	passed bool  // over a stretch
	skip   span  // what was read by the index before, by its times
	skipID int64 // the last of it
}

// scanRows goes on without the index, after the row taken last. damage is why,
// if the index led nowhere.
func (s *sqliteReader) scanRows(ctx context.Context, damage error) error {
	scan := &rowScan{sqliteReader: s, skip: s.seen, skipID: s.lastID}
	if damage != nil {
		s.damaged(damage)
	}
	if err := scan.from(-1 << 63); err != nil {
		return err
	}
	s.scan = newWindow(scan.next, s.run.window)
	s.scan.fill(ctx)
	return nil
}

// from starts to read at a row.
func (s *rowScan) from(id int64) (err error) {
	if s.rows == nil {
		s.rows, _, err = s.db.conn.Prepare("SELECT " + s.columns + " FROM messages NOT INDEXED WHERE id >= ? ORDER BY id")
		if err != nil {
			return err
		}
	}
	s.rows.Reset() // tells the error of the last step again
	return s.rows.BindInt64(1, id)
}

// next takes one row.
func (s *rowScan) next(q *queue) bool {
	if s.rows.Step() {
		if !s.read() {
			s.take(s.rows, q)
		}
		return true
	}
	err := s.rows.Err()
	if err == nil || s.db.conn.GetInterrupt().Err() != nil {
		return false
	}
	return s.passOver(err, q)
}

// read reports whether the row was read by the index already.
func (s *rowScan) read() bool {
	if s.skip.count == 0 {
		return false
	}
	id, at := s.rows.ColumnInt64(0), s.rows.ColumnInt64(2)
	return at < s.skip.last || at == s.skip.last && id <= s.skipID
}

// passOver goes on behind a stretch of rows that cannot be read.
func (s *rowScan) passOver(damage error, q *queue) bool {
	from, last := s.seen.last, s.lastID
	if s.passed || !s.resume(last) || !s.rows.Step() {
		s.lost(damage, q)
		return false
	}
	s.passed = true
	s.damaged(damage)
	q.push(hole(from, max(from, s.rows.ColumnInt64(2)), spot{s.in.number, uint64(last)}))
	if !s.read() {
		s.take(s.rows, q)
	}
	return true
}

// resume finds the first row behind the damage, from the far end backwards.
func (s *rowScan) resume(last int64) bool {
	stmt, _, err := s.db.conn.Prepare("SELECT id FROM messages NOT INDEXED WHERE id > ? ORDER BY id DESC")
	if err != nil {
		return false
	}
	defer stmt.Close()
	if stmt.BindInt64(1, last) != nil {
		return false
	}
	first := last
	for stmt.Step() {
		first = stmt.ColumnInt64(0)
	}
	return first > last && s.from(first) == nil
}

// lost says that nothing more can be read.
func (s *sqliteReader) lost(damage error, q *queue) {
	s.damaged(damage)
	s.run.lostAfter(s.in, s.seen.last, q)
}

// damaged adds the finding, once.
func (s *sqliteReader) damaged(err error) {
	if s.told {
		return
	}
	s.told = true
	const remedy = "sqlite3 .recover saves what can be read into a new database"
	if s.db.cut > 0 {
		s.run.found.lost("damaged", s.in.name, remedy,
			"the database is malformed: the file has %d bytes and lacks the last %d; what messages can be read are", s.db.file.size, s.db.cut)
		return
	}
	s.run.found.lost("damaged", s.in.name, remedy, "the database is malformed (%v); what messages can be read are", err)
}

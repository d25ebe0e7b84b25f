package bag

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"
)

// A database is a SQLite file opened for reading by SQLite itself, through
// nothing but ReadAt: no lock is taken and no file beside it is touched.
type database struct {
	conn *sqlite3.Conn
	file *stored
	name string // in the registry of readervfs
	read int64  // bytes read since the last look
	cut  int64  // bytes that the header says there are beyond the end of the file
}

// databases numbers the names, which are of the whole process.
var databases atomic.Uint64

// openDatabase opens a file that begins as a database does. A file that was
// cut is opened all the same: SQLite sees zeros beyond its end.
func openDatabase(file *stored) (*database, error) {
	db := &database{file: file, name: fmt.Sprintf("takt-%d", databases.Add(1))}
	db.cut = max(0, claimedSize(file)-file.size)
	readervfs.Create(db.name, db)
	conn, err := sqlite3.OpenFlags("file:"+db.name+"?vfs=reader", sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		readervfs.Delete(db.name)
		return nil, err
	}
	db.conn = conn
	// What is in the file is data: it runs no functions of its own.
	if err := conn.Exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// claimedSize returns the size that the header of a database gives, 0 if it
// gives none (SQLite database file format, 1.3):
//
//	page size 2 at 16, 1 for 65536 | change counter 4 at 24 | pages 4 at 28 | counter for which the pages hold 4 at 92
func claimedSize(file io.ReaderAt) int64 {
	var head [96]byte
	if n, _ := file.ReadAt(head[:], 0); n < len(head) {
		return 0
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	if binary.BigEndian.Uint32(head[24:]) != binary.BigEndian.Uint32(head[92:]) {
		return 0
	}
	return page * int64(binary.BigEndian.Uint32(head[28:]))
}

func (db *database) close() {
	// A connection with open statements would stay open too.
	for _, stmt := range slices.Collect(db.conn.Stmts()) {
		stmt.Close()
	}
	db.conn.Close()
	readervfs.Delete(db.name)
	db.file.Close()
}

// Size and ReadAt are what SQLite reads the file through.
func (db *database) Size() (int64, error) { return db.file.size + db.cut, nil }

func (db *database) ReadAt(p []byte, at int64) (int, error) {
	n, err := db.file.ReadAt(p, at)
	db.read += int64(n)
	return n, err
}

// columns returns the columns of a table; none if there is no such table. A
// view is no table: recorders make none.
func (db *database) columns(table string) (map[string]bool, error) {
	stmt, _, err := db.conn.Prepare(`SELECT c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
		WHERE s.type = 'table' AND s.name = ?`)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	if err := stmt.BindText(1, table); err != nil {
		return nil, err
	}
	columns := make(map[string]bool)
	for stmt.Step() {
		columns[stmt.ColumnText(0)] = true
	}
	return columns, stmt.Err()
}

// messageColumns returns the columns of the table messages, once it is sure
// that the database is a recording.
func (db *database) messageColumns(name string) (map[string]bool, error) {
	messages, err := db.columns("messages")
	if err != nil {
		return nil, err
	}
	topics, err := db.columns("topics")
	if err != nil {
		return nil, err
	}
	for _, column := range []string{"id", "topic_id", "timestamp", "data"} {
		if !messages[column] || !topics["name"] || !topics["type"] {
			return nil, notRecording(name, "is a SQLite database without the tables of rosbag2 (messages, topics)")
		}
	}
	return messages, nil
}

// sorted reports whether a query gives its rows as an index has them, without sorting.
func (db *database) sorted(query string) (bool, error) {
	stmt, _, err := db.conn.Prepare("EXPLAIN QUERY PLAN " + query)
	if err != nil {
		return false, err
	}
	defer stmt.Close()
	for stmt.Step() {
		if strings.Contains(stmt.ColumnText(3), "TEMP B-TREE") {
			return false, nil
		}
	}
	return true, stmt.Err()
}

package synth

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/takt-rt/takt/clock"
)

// The release whose recorder the bags imitate.
const distro = "kilted"

// BagOptions say how a bag is laid out. The zero value is one MCAP file as
// rosbag2 writes it.
type BagOptions struct {
	SQLite bool        // a database instead of an MCAP file
	MCAP   MCAPOptions // of the MCAP files
	Split  int         // messages per file; 0 puts all into one
}

// WriteBag writes a recording as a bag: a new directory dir with files named
// after it, dir_0.mcap and on, and a metadata.yaml of version 9 (since Jazzy).
func WriteBag(dir string, topics []Topic, messages iter.Seq[Message], opt BagOptions) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	b := &bag{dir: dir, topics: topics, opt: opt, counts: map[string]int{}}
	// A recorder opens its file before the first message: an empty bag has one too.
	if err := b.open(); err != nil {
		return err
	}
	for m := range messages {
		if err := b.write(m); err != nil {
			return err
		}
	}
	if err := b.current.close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "metadata.yaml"), []byte(b.metadata()), 0o644)
}

// A storage is one file of a bag that is being written.
type storage interface {
	write(Message) error
	close() error
}

// A bag is a bag that is being written.
type bag struct {
	dir     string
	topics  []Topic
	opt     BagOptions
	current storage
	files   []bagFile
	counts  map[string]int // messages by topic
}

// A bagFile is what the metadata says of a file, or of the whole bag.
type bagFile struct {
	name        string
	first, last clock.Wall // of messages > 0: the earliest and the latest receive time
	messages    int
}

func (f *bagFile) add(at clock.Wall) {
	if f.messages == 0 {
		f.first, f.last = at, at
	}
	f.first, f.last = min(f.first, at), max(f.last, at)
	f.messages++
}

func (b *bag) open() (err error) {
	name := fmt.Sprintf("%s_%d%s", filepath.Base(b.dir), len(b.files), choose(b.opt.SQLite, ".db3", ".mcap"))
	b.files = append(b.files, bagFile{name: name})
	path := filepath.Join(b.dir, name)
	if b.opt.SQLite {
		b.current, err = newDB3Storage(path, b.topics)
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	s, err := newMCAPStorage(f, b.topics, b.opt.MCAP)
	b.current = &mcapFile{s, f}
	return err
}

// An mcapFile closes the file with the storage in it.
type mcapFile struct {
	*mcapStorage
	file *os.File
}

func (f *mcapFile) close() error {
	if err := f.mcapStorage.close(); err != nil {
		return err
	}
	return f.file.Close()
}

func (b *bag) write(m Message) error {
	if b.opt.Split > 0 && b.files[len(b.files)-1].messages == b.opt.Split {
		if err := b.current.close(); err != nil {
			return err
		}
		if err := b.open(); err != nil {
			return err
		}
	}
	b.files[len(b.files)-1].add(m.Receive)
	b.counts[m.Topic]++
	return b.current.write(m)
}

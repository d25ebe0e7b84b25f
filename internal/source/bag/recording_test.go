package bag

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

func TestNaturalOrder(t *testing.T) {
	want := []string{"a.db3", "bag_1.db3", "bag_02.db3", "bag_2.db3", "bag_10.db3", "bag_100000000000000000000.db3", "bag_a.db3", "c10", "c10a"}
	got := slices.Clone(want)
	slices.Sort(got) // as a directory lists them
	slices.SortFunc(got, naturalCompare)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// hashDirectory returns the hash of every file, to see whether one changed.
func hashDirectory(t *testing.T, dir string) map[string]string {
	t.Helper()
	hashes := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		hashes[e.Name()] = fmt.Sprintf("%x %v", sha256.Sum256(b), info.ModTime())
	}
	return hashes
}

// copyRecording copies a recording to where it can be changed.
func copyRecording(t *testing.T, path string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(recordings, path))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Side files of a recorder stay as they are, in a directory that cannot be written.
func TestNothingIsWritten(t *testing.T) {
	dir := copyRecording(t, "edge-cases/leftover-wal-shm")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	before := hashDirectory(t, dir)
	if c, out := readPath(t, dir, Options{}); c.messages != 7 || out.Partial {
		t.Errorf("%d messages, %+v", c.messages, out)
	}
	if after := hashDirectory(t, dir); len(before) != 4 || fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("the directory changed from %v to %v", before, after)
	}
}

// A split that is gone leaves a hole between its neighbours, or over the time
// that metadata.yaml gives it.
func TestMissingFile(t *testing.T) {
	all, _ := readExpected(t)
	dir := copyRecording(t, "rosbag2/split-message-zstd")
	if err := os.Remove(filepath.Join(dir, "message_compression_1.db3")); err != nil {
		t.Fatal(err)
	}
	c, out := readPath(t, dir, Options{})
	first, _ := read(t, "rosbag2/split-message-zstd/message_compression_0.db3", Options{})
	second, _ := read(t, "rosbag2/split-message-zstd/message_compression_1.db3", Options{})
	third, _ := read(t, "rosbag2/split-message-zstd/message_compression_2.db3", Options{})
	if want := all["split-message-zstd"].Messages - second.messages; c.messages != want {
		t.Errorf("%d messages, want %d", c.messages, want)
	}
	if len(c.holes) != 1 || int64(c.holes[0].At) != first.last || c.holes[0].Value != third.first {
		t.Errorf("holes %+v, want one from %d to %d", c.holes, first.last, third.first)
	}
	if !out.Partial || ids(out)["file-missing"] != 1 {
		t.Errorf("%+v", out)
	}
}

// The same where files must be unpacked to know when they begin, for one that
// cannot be unpacked.
func TestUnreadableFile(t *testing.T) {
	dir := copyRecording(t, "rosbag2/split-file-zstd")
	path := filepath.Join(dir, "file_compression_1.db3.zstd")
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	c, out := readPath(t, dir, Options{})
	first, _ := read(t, "rosbag2/split-file-zstd/file_compression_0.db3.zstd", Options{})
	third, _ := read(t, "rosbag2/split-file-zstd/file_compression_2.db3.zstd", Options{})
	if len(c.holes) != 1 || int64(c.holes[0].At) != first.last || c.holes[0].Value != third.first {
		t.Errorf("holes %+v, want one from %d to %d", c.holes, first.last, third.first)
	}
	if !out.Partial || ids(out)["file-unreadable"] != 1 {
		t.Errorf("%+v", out)
	}
}

func TestMetadataNamesFilesByTime(t *testing.T) {
	dir := t.TempDir()
	writeDatabase(t, filepath.Join(dir, "b.db3"), createTables, []logged{{at: 5000}})
	text := `{rosbag2_bagfile_information: {message_count: 2, relative_file_paths: [a.db3, b.db3], files: [
		{path: a.db3, starting_time: {nanoseconds_since_epoch: 1000}, duration: {nanoseconds: 700}}, {path: b.db3}]}}`
	if err := os.WriteFile(filepath.Join(dir, metadataName), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c, out := readPath(t, filepath.Join(dir, metadataName), Options{})
	if c.messages != 1 || len(c.holes) != 1 || c.holes[0].At != 1000 || c.holes[0].Value != 1700 || !out.Partial {
		t.Errorf("%d messages, holes %+v, %+v", c.messages, c.holes, out)
	}
}

func TestExtraAndUnreadableMetadata(t *testing.T) {
	dir := copyRecording(t, "rosbag2/chatter-500hz-split-db3")
	if err := os.WriteFile(filepath.Join(dir, metadataName), []byte("rosbag2_bagfile_information:\n  relative_file_paths: [multiple_files_1.db3]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, out := readPath(t, dir, Options{})
	if c.messages != 3177 || out.Partial || ids(out)[contradiction] == 0 || !strings.Contains(out.Findings[0].Text, "2 files") {
		t.Errorf("%d messages, %+v", c.messages, out)
	}
	if err := os.WriteFile(filepath.Join(dir, metadataName), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if c, out := readPath(t, dir, Options{}); c.messages != 3177 || ids(out)["metadata-unreadable"] != 1 {
		t.Errorf("%d messages, %+v", c.messages, out)
	}
}

func TestOrigin(t *testing.T) {
	for path, kind := range map[string]string{
		"rosbag2/gz-mid-run":                           "rosbag2-sqlite3",
		"rosbag2/split-file-zstd":                      "rosbag2-sqlite3",
		"rosbag2/mcap-jazzy-simstamps":                 "rosbag2-mcap",
		"rosbag2/kilted-file-zstd-mcap":                "rosbag2-mcap",
		"rosbag2/zero-stamps-mcap/part_0.mcap":         "mcap",
		"rosbag2/kilted-file-zstd-db3/part_0.db3.zstd": "rosbag2-sqlite3",
	} {
		s, err := Open(filepath.Join(recordings, path), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if o := s.Origin(); o.Kind != kind || o.Base.Clock != timeline.WallClock {
			t.Errorf("%s: %+v, want %s", path, o, kind)
		}
	}
}

func TestTopicsAreChosen(t *testing.T) {
	for _, path := range []string{"rosbag2/gz-mid-run", "rosbag2/mcap-jazzy-simstamps"} {
		c, out := read(t, path, Options{Topics: func(name string) bool { return strings.HasPrefix(name, "/imu") }})
		if len(c.entities) != 1 || c.messages == 0 || out.Partial {
			t.Errorf("%s: %+v, %+v", path, c.entities, out)
		}
	}
}

func TestProgress(t *testing.T) {
	for _, path := range []string{"rosbag2/gz-mid-run", "rosbag2/split-file-zstd", "derived/mcap-lz4-chunks", "derived/broken/no-footer.mcap"} {
		calls, last, total := 0, int64(0), int64(0)
		read(t, path, Options{Progress: func(done, all int64) {
			if done < last || done > all || total != 0 && all != total {
				t.Errorf("%s: %d of %d after %d of %d", path, done, all, last, total)
			}
			calls, last, total = calls+1, done, all
		}})
		if calls < 2 || last != total {
			t.Errorf("%s: %d calls, until %d of %d", path, calls, last, total)
		}
	}
}

// A run that is interrupted ends early, without an error, and says so.
func TestInterrupt(t *testing.T) {
	for _, path := range []string{"rosbag2/gz-mid-run", "rosbag2/split-file-zstd", "derived/mcap-lz4-chunks", "derived/broken/no-footer.mcap"} {
		ctx, cancel := context.WithCancel(t.Context())
		s, err := Open(filepath.Join(recordings, path), Options{Progress: func(int64, int64) { cancel() }})
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := read(t, path, Options{})
		c := newCollector(t)
		out, err := s.Run(ctx, c)
		if err != nil || !out.Partial || ids(out)["interrupted"] != 1 || ids(out)[contradiction] > 1 {
			t.Errorf("%s: %+v, %v", path, out, err)
		}
		if strings.HasPrefix(path, "rosbag2") && c.messages >= whole.messages {
			t.Errorf("%s: all %d messages", path, c.messages)
		}
	}
}

// Nothing is left in the directory for temporary files, even while it is used.
func TestTemporaryFilesAreGone(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	read(t, "rosbag2/split-file-zstd", Options{Progress: func(int64, int64) {
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%v", entries)
		}
	}})
}

// The work on each message allocates nothing: twice as many cost the same.
func TestNoAllocationPerMessage(t *testing.T) {
	allocations := func(n int) float64 {
		path, _ := fixture{small: n, smallSize: 100, chunkSize: 1 << 30}.file(t)
		return testing.AllocsPerRun(3, func() { readQuietly(t, path) })
	}
	if few, many := allocations(10_000), allocations(20_000); math.Abs(many-few) > 200 {
		t.Errorf("%.0f allocations for 10,000 messages, %.0f for 20,000", few, many)
	}
}

func readQuietly(t *testing.T, path string) {
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background(), nobody{}); err != nil {
		t.Fatal(err)
	}
}

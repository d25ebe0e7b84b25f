package trace

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// Whatever metadata and a stream hold, reading ends, in the order of each
// stream's packets, and without a panic.
func FuzzTrace(f *testing.F) {
	dir, _, b := twoPackets(f)
	meta, err := os.ReadFile(filepath.Join(dir, "metadata"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(meta, b)
	f.Add(meta, b[:1500])
	f.Add([]byte(ints+`stream { event.header := struct { u3 id; }; packet.context := struct { u16 packet_size; u16 content_size; }; };
		event { name = e; id = 1; fields := struct { enum : u8 { x, y = 1 ... 9 } t; variant <t> { u8 x; struct { u3 n; string a[n]; } y; } v; }; };`),
		[]byte("\x80\x00\x70\x00\x01\x05\x02a\x00b\x00\x01\x00\xff\xff"))
	f.Add([]byte(ints+`event { name = e; fields := struct { struct { } a[100000]; }; };`), []byte("x"))
	f.Fuzz(func(t *testing.T, meta, stream []byte) {
		dir := t.TempDir()
		for name, b := range map[string][]byte{"metadata": meta, "s": stream} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		tr, err := Open(dir, Options{Wants: func(string) ([]string, int) { return []string{"n", "t", "text", "callback"}, 0 }})
		if err != nil {
			return
		}
		defer tr.Close()
		tr.Each(context.Background(), func(e *Event) {
			if e.Gap == nil {
				for i := range e.Class.Has {
					_, _ = e.Uint(i), e.Text(i)
				}
			}
		})
	})
}

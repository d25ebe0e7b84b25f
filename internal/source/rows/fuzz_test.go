package rows

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// Whatever is in the file, reading it ends, keeps the order of time and gives
// each start one end.
func FuzzRows(f *testing.F) {
	for _, text := range []string{
		"start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark,scheduled_ns,name\n100,7,130,8,True,99,\"a \"\"b\"\"\"\n200,17,230,18,,,b\n",
		"100,7,130,8,False\n200,17,230,18,True\n300,2",
		"\ufeff[100, 7, 130, 8, false]\n{\"start_mono_ns\": 200, \"end_mono_ns\": 230, \"name\": \"\\u0061\\\\\", \"x\": null}\n",
		"end_mono_ns,start_mono_ns,name\n40,20,a\n35,30,b\n50,10,a\n",
	} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "rows")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, nil)
		if err != nil {
			return
		}
		defer s.Close()
		l := &log{t: t}
		if _, err := s.Run(context.Background(), l); err != nil {
			if len(l.events) > 0 {
				t.Errorf("%v, after %d events", err, len(l.events))
			}
			return
		}
		checkJobs(t, l)
	})
}

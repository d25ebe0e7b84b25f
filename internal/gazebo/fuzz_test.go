package gazebo

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"
)

// Whatever the bytes are: no panic, an error that names the file, or a file
// that can be edited and says then what was wished for.
func FuzzSDF(f *testing.F) {
	files, err := filepath.Glob(worlds + "*.sdf")
	if err != nil || len(files) == 0 {
		f.Fatal("no worlds", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{
		"<sdf><world name='w'/></sdf>", "<sdf><world name='w'><physics/></world></sdf>", "<sdf><!--", "<sdf a='", "<robot/>", "<sdf></world>",
		"<sdf>\r\n<world name='w'>\r\n\t<physics default='1'><max_step_size/><real_time_factor>1e-3</real_time_factor></physics><gravity>0 0 1</gravity></world></sdf>",
		"\xef\xbb\xbf<?xml?><!DOCTYPE x><sdf><world name='&lt;'><![CDATA[<]]></world></sdf>",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("x.sdf", data)
		var e *Error
		switch {
		case err == nil:
			checkEdit(t, file, Wish{RTF: big.NewRat(1, 5), Step: big.NewRat(4, 1000)})
			if _, err := New(Request{File: file, Controllers: []*big.Rat{big.NewRat(100, 1)}}); err != nil {
				t.Fatal(err)
			}
		case !errors.As(err, &e) || e.File != "x.sdf" || e.Problem == "" || e.Remedy == "":
			t.Fatalf("%#v", err)
		}
	})
}

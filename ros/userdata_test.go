package ros

import (
	"maps"
	"strings"
	"testing"
)

func TestParseUserData(t *testing.T) {
	const hash = "RIHS01_2d946c21e2fc3f1e9ca6986a8191d85fcc70097a8bb7771a053564bc47009cdf"
	for _, c := range []struct {
		data string
		want UserData // nil: an error
	}{
		{"enclave=/;", UserData{"enclave": "/"}},         // Cyclone layer
		{"enclave=/;\x00", UserData{"enclave": "/"}},     // Fast DDS layer
		{"enclave=/a/b", UserData{"enclave": "/a/b"}},    // the last semicolon may be missing
		{"typehash=" + hash, UserData{"typehash": hash}}, //
		{"serviceid= 1.10.fb.7a.d9.47.15.5.fd.25.c.1.0.0.0.8;typehash=" + hash + ";", // read from a Jazzy server
			UserData{"serviceid": " 1.10.fb.7a.d9.47.15.5.fd.25.c.1.0.0.0.8", "typehash": hash}},
		{"bufbe=cpu:,cuda:x;", UserData{"bufbe": "cpu:,cuda:x"}},
		{"a=b=c;", UserData{"a": "b=c"}},
		{"a=1;a=2;", UserData{"a": "2"}},
		{"a=b;;c=d;", UserData{"a": "b;", "c": "d"}},
		{"a=;;", UserData{"a": ";"}},
		{"a=1;\x00not=read", UserData{"a": "1"}},
		{"a=1; b=2;\n", UserData{"a": "1", "b": "2"}}, // one byte is passed over
		{"a=1;\n\x00", UserData{"a": "1"}},
		{"a=1;  b=2;", nil},
		{"a=1;=2;", nil},
		{" a=1;", nil},
		{"", UserData{}},
		{"a=;", nil},
		{"a=", nil},
		{"a", nil},
		{"=b;", nil},
		{";a=b;", nil},
		{"\x00", nil},
		{"bad_key=1;typehash=" + hash + ";", nil},
		{"typehash=" + hash + ";bad key=1;", nil},
		{"something that isn't key equals value semicolon", nil},
	} {
		got, err := ParseUserData([]byte(c.data))
		if (err == nil) != (c.want != nil) || !maps.Equal(got, c.want) {
			t.Errorf("%q: %q, %v; want %q", c.data, got, err, c.want)
		}
	}
}

func TestWhatUserDataTell(t *testing.T) {
	image, _ := KnownTypeHash("sensor_msgs/msg/Image")
	for _, c := range []struct {
		data    []byte
		hash    TypeHash
		given   bool
		problem string
	}{
		{EndpointUserData(image), image, true, ""},
		{EndpointUserData(TypeHash{}), TypeHash{}, false, ""},
		{[]byte("typehash=RIHS01_" + strings.Repeat("0", 64) + ";"), TypeHash{}, true, ""},
		{[]byte("typehash=RIHS01_zz;"), TypeHash{}, true, "not a type hash"},
		{nil, TypeHash{}, false, ""},
	} {
		u, err := ParseUserData(c.data)
		if err != nil {
			t.Fatal(err)
		}
		hash, given, err := u.TypeHash()
		if hash != c.hash || given != c.given || (err != nil) != (c.problem != "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%q: %v, %v, %v", c.data, hash, given, err)
		}
	}
	u, err := ParseUserData(ParticipantUserData("/"))
	if enclave, ok := u.Enclave(); enclave != "/" || !ok || err != nil {
		t.Errorf("enclave %q, %v, %v", enclave, ok, err)
	}
	if _, ok := (UserData{}).Enclave(); ok {
		t.Error("an enclave out of nothing")
	}
}

// What nodes expect to read, to the byte.
func TestUserDataOnTheWire(t *testing.T) {
	if got := string(ParticipantUserData("/")); got != "enclave=/;" {
		t.Errorf("participant: %q", got)
	}
	clock, _ := KnownTypeHash("rosgraph_msgs/msg/Clock")
	if got, want := string(EndpointUserData(clock)), "typehash=RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564;"; got != want {
		t.Errorf("endpoint: %q, want %q", got, want)
	}
}

func FuzzParseUserData(f *testing.F) {
	for _, seed := range []string{"enclave=/;\x00", "a=b;;c=d", "serviceid= 1.10;typehash=RIHS01_zz;", "=;", "a=;;;"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := ParseUserData(data)
		if err != nil && u != nil {
			t.Error("an error, and user data all the same")
		}
		for key, value := range u {
			if key == "" || value == "" {
				t.Errorf("%q: key %q has the value %q", data, key, value)
			}
			if again, err := ParseUserData([]byte(key + "=" + value + ";")); err != nil || again[key] != value {
				t.Errorf("%q: %q comes back as %q, %v", key, value, again[key], err)
			}
		}
		if _, _, err := u.TypeHash(); err != nil {
			_, _ = u.Enclave()
		}
	})
}

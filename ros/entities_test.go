package ros

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-rt/takt/rtps/wire"
	"pgregory.net/rapid"
)

const packets = "../testdata/rtps"

func readPacket(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(packets, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// discoveryPayload returns what a packet carries for ros_discovery_info, and
// who sent it.
func discoveryPayload(t *testing.T, name string) ([]byte, wire.GUIDPrefix) {
	t.Helper()
	m, err := wire.ParseMessage(readPacket(t, name))
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, ok := m.Next()
		if !ok {
			t.Fatalf("%s: no DATA of a user's writer", name)
		}
		if d, err := wire.ParseData(s); s.ID == wire.IDData && err == nil && !d.Writer.Builtin() {
			return d.Payload, m.Source
		}
	}
}

// Sizes and counts as index.tsv states them beside the packets.
func TestEntitiesOfJazzyNodes(t *testing.T) {
	for _, c := range []struct {
		file             string
		size             int
		node             string
		readers, writers int
	}{
		{"graph_complete.bin", 348, "/trigger_server", 8, 10},
		{"graph_first.bin", 76, "/trigger_client", 0, 1},
		{"graph_empty.bin", 24, "", 0, 0},
	} {
		payload, from := discoveryPayload(t, "ros2-jazzy-cyclonedds/"+c.file)
		if len(payload) != c.size {
			t.Errorf("%s: %d bytes, want %d", c.file, len(payload), c.size)
		}
		e, form, err := ParseEntities(payload)
		if err != nil || form != ShortForm || e.Participant != (wire.GUID{Prefix: from, Entity: wire.ParticipantEntity}) {
			t.Fatalf("%s: %+v, %v, %v", c.file, e, form, err)
		}
		if c.node == "" {
			if len(e.Nodes) != 0 {
				t.Errorf("%s: %+v", c.file, e)
			}
			continue
		}
		if len(e.Nodes) != 1 || e.Nodes[0].FullName() != c.node || len(e.Nodes[0].Readers) != c.readers || len(e.Nodes[0].Writers) != c.writers {
			t.Errorf("%s: %+v", c.file, e)
		}
		if got, err := e.Append(nil, ShortForm); err != nil || !bytes.Equal(got, payload) {
			t.Errorf("%s: written again %x, %v\nwant %x", c.file, got, err, payload)
		}
	}
}

// Both payloads were written field by field by another program.
func TestEntitiesInBothForms(t *testing.T) {
	var all []Entities
	for file, want := range map[string]GidForm{
		"constructed/payload_participant_entities_info_humble.bin":         LongForm,
		"constructed/payload_participant_entities_info_iron_and_later.bin": ShortForm,
	} {
		payload := readPacket(t, file)
		e, form, err := ParseEntities(payload)
		if err != nil || form != want {
			t.Fatalf("%s: %v, %v", file, form, err)
		}
		if len(e.Nodes) != 1 || e.Nodes[0].FullName() != "/takt" || len(e.Nodes[0].Readers) != 1 || len(e.Nodes[0].Writers) != 1 {
			t.Errorf("%s: %+v", file, e)
		}
		if got, err := e.Append(nil, form); err != nil || !bytes.Equal(got, payload) {
			t.Errorf("%s: written again %x, %v\nwant %x", file, got, err, payload)
		}
		all = append(all, e)
	}
	if all[0].Participant != all[1].Participant || all[0].Nodes[0].Readers[0] != all[1].Nodes[0].Readers[0] {
		t.Errorf("the same in two forms reads differently: %+v", all)
	}
}

func TestEntitiesRefuse(t *testing.T) {
	long := readPacket(t, "constructed/payload_participant_entities_info_humble.bin")
	dirty := bytes.Clone(long)
	dirty[4+16+7] = 1 // among the zeros behind the participant's gid
	for name, payload := range map[string][]byte{
		"nothing":        nil,
		"header only":    {0, 1, 0, 0},
		"cut":            long[:len(long)-1],
		"more":           append(bytes.Clone(long), 0, 0, 0, 0),
		"zeros are none": dirty,
		"a false count":  unhexed(t, "00010000"+strings.Repeat("01", 16)+"ffffffff"),
	} {
		if e, form, err := ParseEntities(payload); err == nil || form != UnknownForm {
			t.Errorf("%s: %+v, %v", name, e, form)
		}
	}
	if _, err := (Entities{}).Append(nil, UnknownForm); err == nil || !strings.Contains(err.Error(), "must be known") {
		t.Errorf("written in no form: %v", err)
	}
}

func unhexed(t testing.TB, text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEntitiesHaveOneForm(t *testing.T) {
	guid := rapid.Custom(func(t *rapid.T) wire.GUID {
		return wire.ParseGUID([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "guid")))
	})
	rapid.Check(t, func(t *rapid.T) {
		e := Entities{Participant: guid.Draw(t, "participant")}
		for range rapid.IntRange(0, 3).Draw(t, "nodes") {
			e.Nodes = append(e.Nodes, NodeEntities{"/" + rapid.StringMatching("[a-z]{0,5}").Draw(t, "namespace"), rapid.StringMatching("[a-z]{1,9}").Draw(t, "name"),
				rapid.SliceOfN(guid, 0, 4).Draw(t, "readers"), rapid.SliceOfN(guid, 0, 4).Draw(t, "writers")})
		}
		for form := LongForm; form <= ShortForm; form++ {
			payload, err := e.Append(nil, form)
			if err != nil {
				t.Fatal(err)
			}
			got, read, err := ParseEntities(payload)
			if err != nil || read != form || got.Participant != e.Participant || len(got.Nodes) != len(e.Nodes) {
				t.Fatalf("%v read as %v: %+v, %v", form, read, got, err)
			}
			for i := range e.Nodes {
				if !sameNode(got.Nodes[i], e.Nodes[i]) {
					t.Fatalf("%v: %+v, want %+v", form, got.Nodes[i], e.Nodes[i])
				}
			}
		}
	})
}

func FuzzParseEntities(f *testing.F) {
	f.Add(readPacket(f, "constructed/payload_participant_entities_info_humble.bin"))
	f.Add(readPacket(f, "constructed/payload_participant_entities_info_iron_and_later.bin"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		e, form, err := ParseEntities(payload)
		if err != nil {
			return
		}
		b, err := e.Append(nil, form)
		if err != nil {
			t.Fatal(err)
		}
		if _, again, err := ParseEntities(b); err != nil || again != form {
			t.Fatalf("%v written and read again: %v, %v", form, again, err)
		}
	})
}

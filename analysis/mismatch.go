package analysis

import "github.com/takt-rt/takt/qos"

// A Mismatch is one policy for which a writer and a reader of a topic never connect.
type Mismatch struct {
	Policy    string `json:"policy"`    // "reliability"
	Writer    string `json:"writer"`    // its GUID
	Reader    string `json:"reader"`    //
	Offered   string `json:"offered"`   // "best effort"
	Requested string `json:"requested"` //
	Text      string `json:"text"`      // "/lidar wants reliable, /driver offers best effort: they never connect"
	Remedy    string `json:"remedy"`
	Own       bool   `json:"own,omitempty"` // the reader is takt's: the application lacks nothing
	// VendorDependent is set for a policy that Fast DDS does not compare: two of its endpoints connect all the same.
	VendorDependent bool `json:"vendor_dependent,omitempty"`
	// Partition is set if the two are in different partitions, which may well be meant.
	Partition bool `json:"partition,omitempty"`
}

// MismatchFinding is the ID of the findings that tell of mismatches: the only
// ones of which a topic may have several, whose texts have no figures.
const MismatchFinding = "qos-mismatch"

const (
	mismatchesKept = 100     // of one topic
	pairsCompared  = 100_000 // of one topic
)

// mismatches compares every writer of a topic with every reader, when
// something about them has changed.
func (a *Analyzer) mismatches(t *topic, f *Topic) []Mismatch {
	if t.matched {
		return t.mismatches
	}
	t.mismatches, t.matched = nil, true
	pairs := 0
	for _, w := range f.Writers {
		for _, r := range f.Readers {
			if w.QoS == nil || r.QoS == nil || w.Left || r.Left || w.Type != r.Type {
				continue // of different types they are strangers whatever their QoS
			}
			if pairs++; pairs > pairsCompared || len(t.mismatches) >= mismatchesKept {
				return t.mismatches
			}
			for _, m := range qos.Match(*w.QoS, *r.QoS) {
				t.mismatches = append(t.mismatches, mismatch(m, w, r))
			}
		}
	}
	return t.mismatches
}

func mismatch(m qos.Mismatch, w *Writer, r *Reader) Mismatch {
	return Mismatch{
		Policy: m.Policy.String(), Writer: w.GUID, Reader: r.GUID, Offered: m.Offered, Requested: m.Requested,
		Text: m.Words(r.Who(), w.Who()), Remedy: m.Remedy(r.Who(), w.Who()), Own: r.Own,
		VendorDependent: !m.Policy.ComparedByFastDDS(), Partition: m.Policy == qos.PartitionPolicy,
	}
}

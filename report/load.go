package report

import (
	"fmt"

	"github.com/takt-rt/takt/internal/quantity"
)

// A Load is what takt's presence added to the network that it measured,
// discovery included: bytes with the headers of the wire.
type Load struct {
	OverS             float64 `json:"over_s"` // from joining on
	SentBytes         uint64  `json:"sent_bytes"`
	SentDatagrams     uint64  `json:"sent_datagrams"`
	SentBytesPerS     float64 `json:"sent_bytes_per_s"`
	ReceivedBytes     uint64  `json:"received_bytes"` // sent to takt
	ReceivedDatagrams uint64  `json:"received_datagrams"`
	ReceivedBytesPerS float64 `json:"received_bytes_per_s"`
	DroppedDatagrams  uint64  `json:"dropped_datagrams"` // they found takt's receive buffer full
}

// SetLoad completes a load by its rates and adds it to the report.
func (r *Report) SetLoad(l Load) { r.Load = l.rated() }

// SetLoad completes a load by its rates and adds it to the snapshot.
func (s *Snapshot) SetLoad(l Load) { s.Load = l.rated() }

func (l Load) rated() *Load {
	if l.OverS > 0 {
		l.SentBytesPerS = float64(l.SentBytes) / l.OverS
		l.ReceivedBytesPerS = float64(l.ReceivedBytes) / l.OverS
	}
	return &l
}

// words say what was added, such as "1.204 kB/s sent, 88.31 kB/s received".
func (l *Load) words() string {
	words := fmt.Sprintf("%s kB/s sent, %s kB/s received", compact(l.SentBytesPerS/1e3), compact(l.ReceivedBytesPerS/1e3))
	if l.DroppedDatagrams > 0 {
		words += fmt.Sprintf("; %s dropped for want of room in its receive buffer", quantity.Count(l.DroppedDatagrams, "datagram"))
	}
	return words
}

// load shows what takt added to what it measured.
func (t *text) load() {
	if l := t.report.Load; l != nil {
		t.line()
		t.item(0, 0, span{}, "takt's own traffic, with headers: "+l.words())
	}
}

package file

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/timeline"
)

// Read gives sink the timeline that r holds, as it was written: the origin is
// the one of the source that was recorded, not the file.
//
// A file that was cut, at any byte, is read as far as messages are whole; one
// with damage, as far as it can be told where the next message begins. What is
// lost after the first event is given as a Hole, and the Outcome is Partial and
// says so in a finding.
// An error means that nothing useful can be read (not a timeline, of a newer
// version, no origin), that r failed, or that ctx was cancelled.
func Read(ctx context.Context, r io.Reader, sink timeline.Sink) (timeline.Outcome, error) {
	in := &input{r: bufio.NewReaderSize(r, 256<<10)}
	lexer, err := mcap.NewLexer(in, &mcap.LexerOptions{EmitChunks: true, MaxRecordSize: maxChunk})
	if err != nil {
		return timeline.Outcome{}, in.orElse(fmt.Errorf("not a takt timeline: %w", err))
	}
	chunk, err := newUnpacker()
	if err != nil {
		return timeline.Outcome{}, err
	}
	defer chunk.close()
	rd := &reader{ctx: ctx, sink: sink, chunk: chunk, channels: map[uint16]string{}}
	end := rd.records(lexer, &rd.outer)
	switch {
	case ctx.Err() != nil:
		return timeline.Outcome{}, ctx.Err()
	case in.err != nil || rd.refused != nil:
		return timeline.Outcome{}, in.orElse(rd.refused)
	case !rd.started:
		return timeline.Outcome{}, fmt.Errorf("the takt timeline has no beginning (%w): nothing was recorded, or it is damaged", cmp.Or(rd.why, end))
	}
	return rd.finish(end), nil
}

// A reader is one run of Read.
type reader struct {
	ctx          context.Context
	sink         timeline.Sink
	chunk        *unpacker
	outer, inner []byte // memory for the records of the file and of a chunk
	inChunk      bool
	codec        codec
	events       []timeline.Event // memory for batches

	refused  error             // the file is none of ours
	header   bool              // it is
	channels map[uint16]string // topics
	started  bool
	last     timeline.Instant  // of the last event given
	given    uint64            // events
	sequence uint32            // of the next message
	lost     uint32            // messages
	why      error             // the first was lost
	hole     bool              // something was lost since last
	outcome  *timeline.Outcome // as written
}

var errWhole = errors.New("nothing is missing before the end of its data")

// records reads records up to the end of the data, into the memory that buf
// keeps. The error says why it stopped.
func (r *reader) records(lexer *mcap.Lexer, buf *[]byte) error {
	for {
		token, record, err := lexer.Next(*buf)
		if err != nil {
			return err
		}
		if cap(record) > cap(*buf) {
			*buf = record
		}
		if token == mcap.TokenDataEnd {
			return errWhole
		}
		if err := r.record(token, record); err != nil {
			r.lose(err)
		}
		if r.refused != nil || r.ctx.Err() != nil {
			return io.EOF
		}
	}
}

// record takes one record. An error means that it is lost.
func (r *reader) record(token mcap.TokenType, record []byte) error {
	if !r.header {
		r.refused = checkFirst(token, record)
		r.header = true
		return nil
	}
	switch token {
	case mcap.TokenChunk:
		return r.unpack(record)
	case mcap.TokenChannel:
		c, err := mcap.ParseChannel(record)
		if err != nil {
			return err
		}
		r.channels[c.ID] = c.Topic
	case mcap.TokenMessage:
		var m mcap.Message
		if err := m.PopulateFrom(record, false); err != nil {
			return err
		}
		// Damage may hide: a record of an unknown kind is passed over.
		if missing := m.Sequence - r.sequence; missing != 0 {
			r.lose(errors.New("messages are missing"))
			r.lost += missing
		}
		r.sequence = m.Sequence + 1
		return r.give(r.channels[m.ChannelID], m.Data)
	}
	return nil
}

// unpack takes the records of a chunk.
func (r *reader) unpack(record []byte) error {
	if r.inChunk {
		return errors.New("a chunk stands in a chunk")
	}
	if err := r.chunk.open(record); err != nil {
		return err
	}
	r.inChunk = true
	defer func() { r.inChunk = false }()
	if err := r.records(r.chunk.lexer, &r.inner); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// give passes on what one message holds. Channels of other names are left
// out: a later version may add some.
func (r *reader) give(topic string, data []byte) error {
	switch topic {
	case topics[originChannel]:
		var o timeline.Origin
		if err := json.Unmarshal(data, &o); err != nil || r.started {
			return err
		}
		r.started = true
		r.sink.Start(o)
	case topics[entityChannel]:
		var e timeline.Entity
		if err := json.Unmarshal(data, &e); err != nil || !r.started {
			return err
		}
		r.sink.Describe(e)
	case topics[eventChannel]:
		events, err := r.codec.parseBatch(data, r.events)
		if err != nil || !r.started || len(events) == 0 {
			return err
		}
		r.events = events
		r.batch(events)
	case topics[outcomeChannel]:
		var o timeline.Outcome
		if err := json.Unmarshal(data, &o); err != nil {
			return err
		}
		r.outcome = &o
	}
	return nil
}

func (r *reader) batch(events []timeline.Event) {
	if r.given == 0 {
		r.last = events[0].At // nobody knows since when
	}
	if r.hole {
		r.giveHole(int64(events[0].At))
		r.hole = false
	}
	r.sink.Events(events)
	r.last = events[len(events)-1].At
	r.given += uint64(len(events))
}

func (r *reader) lose(why error) {
	if r.why == nil {
		r.why = why
	}
	r.hole = true
}

func (r *reader) giveHole(end int64) {
	r.sink.Events([]timeline.Event{{At: r.last, Kind: timeline.Hole, Value: end}})
}

// finish says what is to be said of a file that ended with end.
func (r *reader) finish(end error) (o timeline.Outcome) {
	if r.outcome != nil {
		o = *r.outcome
	}
	if r.why != nil {
		o.Findings = append(o.Findings, timeline.Finding{
			ID: "timeline-damaged", Severity: timeline.Warning, Subject: "timeline",
			Text:   fmt.Sprintf("the file is damaged (%v) and at least %d of its messages are lost: what happened in their time is not known", r.why, max(r.lost, 1)),
			Remedy: "check the disk and the copy of the file",
		})
	}
	// Behind the outcome nothing can be lost but the summary.
	if r.outcome == nil {
		o.Findings = append(o.Findings, timeline.Finding{
			ID: "timeline-cut", Severity: timeline.Warning, Subject: "timeline",
			Text:   fmt.Sprintf("the file ends after %d events and without an outcome (%v): what happened later is not known", r.given, end),
			Remedy: "let the recorder end by itself or by an interrupt, and copy the whole file",
		})
	}
	if r.given > 0 && (r.outcome == nil || r.hole) {
		r.giveHole(math.MaxInt64)
	}
	o.Partial = o.Partial || r.why != nil || r.outcome == nil
	return o
}

package pcap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// The findings that a capture may lead to, by id:
//
//	truncated             the file ends in the middle of a packet, or cannot be read on
//	interrupted           reading was interrupted
//	no-rtps               there is no RTPS in it
//	packets-cut           the capture kept only the heads of packets
//	unknown-link          packets of a link type that takt does not read
//	ip-fragments          IP fragments that could not be put together
//	malformed             submessages that could not be read
//	encrypted             traffic protected by DDS security, which cannot be read
//	not-announced         writers whose announcement is not in the file: their topics are not known
//	too-much              more of the graph than is kept
//	not-in-order          packets more than a second out of order
//	source-other-clock    source timestamps further than an hour from the capture: left out
//	undecodable           payloads shorter than their type needs: no stamps
//	nodes-unreadable      messages of ros_discovery_info of no known form
//	services-not-paired   service calls of a vendor that does not number them in the payload
//	losses-not-told       more lost samples than are told one by one
//	repaired              samples that a reader asked for again, and how long that took
//	incomplete            fragmented samples of which parts were lost
//	reader-silent         a reader that did not answer its writer for a second
//	participant-lost      a participant that fell silent without leaving
type findings struct {
	list    []timeline.Finding
	partial bool
}

func (f *findings) add(id string, severity timeline.Severity, subject, remedy, format string, args ...any) {
	f.list = append(f.list, timeline.Finding{
		ID: id, Severity: severity, Subject: subject, Remedy: remedy, Text: fmt.Sprintf(format, args...),
	})
}

func (r *run) outcome(c *Counts, interrupted bool) timeline.Outcome {
	var f findings
	if interrupted {
		f.partial = true
		f.add("interrupted", timeline.Warning, r.name, "",
			"reading was interrupted after %d packets; figures cover what came before", c.Frames)
	}
	r.fileFindings(&f, c)
	r.readingFindings(&f)
	for _, p := range r.graph.Participants() {
		if p.lost(r.graph.last) {
			f.add("participant-lost", timeline.Warning, p.named(), "look for a process that was killed, or a network that failed",
				"it was silent for the last %.3f s of the capture, longer than its lease of %g s, and had not said that it leaves",
				r.graph.last.Sub(p.Heard).Seconds(), p.Lease.Value.Seconds())
		}
	}
	for _, c := range r.graph.Receptions() {
		if r.entities.shown(c.Reader) {
			receptionFindings(&f, c)
		}
	}
	return timeline.Outcome{Partial: f.partial, Findings: f.list}
}

// fileFindings tells of what could not be read of the file.
func (r *run) fileFindings(f *findings, c *Counts) {
	if c.Ended != nil {
		f.partial = true
		f.add("truncated", timeline.Warning, r.name, "", "%v; figures cover what came before", c.Ended)
	}
	if c.RTPS == 0 {
		f.add("no-rtps", timeline.Warning, r.name,
			"capture on the interface that the nodes use, lo for nodes on one host; traffic by shared memory is on none",
			"there is no RTPS among %d packets, %d of them other UDP", c.Frames, c.OtherUDP)
	}
	if c.Cut > 0 {
		f.partial = true
		f.add("packets-cut", timeline.Warning, r.name, "capture whole packets: tcpdump -s 0",
			"of %d RTPS datagrams the capture kept only the head; what was cut off counts as lost", c.Cut)
	}
	if c.Unreadable > 0 {
		f.partial = true
		f.add("unknown-link", timeline.Warning, r.name, "capture on an Ethernet, loopback or \"any\" interface",
			"%d packets are of link type %d, which takt does not read", c.Unreadable, c.UnknownLink)
	}
	if c.Bad > 0 || c.GivenUp > 0 {
		f.add("ip-fragments", timeline.Warning, r.name, "",
			"%d IP fragments contradict others or are cut, and %d times the waiting ones were too many to keep", c.Bad, c.GivenUp)
	}
}

// readingFindings tells of what was read and not understood or kept.
func (r *run) readingFindings(f *findings) {
	g := &r.graph
	rejected := uint64(0)
	for _, n := range g.Tally.Rejected {
		rejected += n
	}
	if rejected > 0 {
		f.add("malformed", timeline.Warning, r.name, "", "%d datagrams or submessages could not be read: %s", rejected, worst(&g.Tally))
	}
	if n := g.Tally.Security(); n > 0 {
		f.add("encrypted", timeline.Warning, r.name, "", "%d submessages are protected by DDS security; takt cannot look into them", n)
	}
	writers, samples := 0, uint64(0)
	for _, s := range g.streams {
		if g.endpoints[s.Writer] == nil && s.Messages > 0 {
			writers++
			samples += s.Seen
		}
	}
	if writers > 0 {
		f.add("not-announced", timeline.Warning, r.name,
			"begin the capture before the nodes start: they announce their endpoints once",
			"the announcements of %s that sent %d samples are not in the capture; takt calls their topics by the writers' GUIDs, and does not know their readers",
			count(writers, "writer"), samples)
	}
	if g.Refused > 0 {
		f.add("too-much", timeline.Warning, r.name, "", "%d announcements and samples were beyond the bounds of memory, and left out", g.Refused)
	}
	if r.order.late > 0 {
		f.add("not-in-order", timeline.Warning, r.name, "put it in order: reordercap", "%d events are more than a second out of order", r.order.late)
	}
	if r.otherClock > 0 {
		f.add("source-other-clock", timeline.Warning, r.name, "synchronize the hosts' clocks",
			"%d source timestamps are further than 1 h from the capture's clock, and were left out", r.otherClock)
	}
	if r.badPayload > 0 {
		f.add("undecodable", timeline.Warning, r.name, "", "%d payloads are shorter than their type needs", r.badPayload)
	}
	if g.BadNodes > 0 {
		f.add("nodes-unreadable", timeline.Warning, ros.DiscoveryTopic, "",
			"%d messages that tell the nodes' endpoints are of neither form that takt knows", g.BadNodes)
	}
	if r.foreignCalls > 0 {
		f.add("services-not-paired", timeline.Info, r.name, "",
			"%d requests and replies are not of Cyclone DDS, which alone numbers them in the payload; they are left out", r.foreignCalls)
	}
	if r.untold > 0 {
		f.add("losses-not-told", timeline.Warning, r.name, "", "%d lost samples beyond the first %d are not in the figures", r.untold, maxTold)
	}
}

// worst names the most frequent problem.
func worst(t *wire.Tally) string {
	most := 0
	for i, n := range t.Rejected {
		if n > t.Rejected[most] {
			most = i
		}
	}
	return fmt.Sprintf("%d times %v", t.Rejected[most], wire.Problem(most))
}

func receptionFindings(f *findings, c *Reception) {
	who := c.Reader.named() + " of " + c.Reader.Topic.Name
	never := uint64(0)
	for _, r := range c.NeverRepaired() {
		never += r.Len()
	}
	// A reader may ask once more for what it has, when the two cross.
	if c.Received() > 0 && c.repaired.n+never > 0 {
		f.add("repaired", timeline.Info, who, "",
			"it asked for %s again that %s had sent; %d of them came, %d never did%s",
			count(int(c.nacked.n), "sample"), c.Writer.named(), c.repaired.n, never, delays(c.Late))
	}
	if n := len(c.Fragments.Incomplete()); n > 0 {
		f.add("incomplete", timeline.Warning, who, "",
			"of %s only parts came; a sample is lost with any of its fragments", count(n, "fragmented sample"))
	}
	longest := Silence{}
	for _, s := range c.Silences {
		if s.Asked > 1 && s.To.Sub(s.From) > longest.To.Sub(longest.From) {
			longest = s
		}
	}
	if longest.Asked > 0 {
		f.add("reader-silent", timeline.Warning, who, "look for a process that was stopped, starved of CPU or blocked in its receiving thread",
			"it left %d requests of %s to acknowledge unanswered, for %.3f s", longest.Asked, c.Writer.named(), longest.To.Sub(longest.From).Seconds())
	}
}

// delays says how long late samples took, since the first later one came.
func delays(late []Late) string {
	var all []time.Duration
	for _, l := range late {
		if l.Delay.Set {
			all = append(all, l.Delay.Value)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return fmt.Sprintf(", %.3f ms after the hole was seen in the median, %.3f ms at most",
		all[len(all)/2].Seconds()*1e3, all[len(all)-1].Seconds()*1e3)
}

// named returns the node that an endpoint belongs to, or else its GUID.
func (e *Endpoint) named() string {
	if e.Node != "" {
		return e.Node
	}
	return e.GUID.String()
}

func (p *Participant) named() string {
	if len(p.Nodes) > 0 {
		return strings.Join(p.Nodes, ", ")
	}
	return "participant " + p.Prefix.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

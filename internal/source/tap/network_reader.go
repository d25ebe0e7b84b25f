package tap

import (
	"sync"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
	"github.com/takt-rt/takt/rtps/wire"
)

// Join begins to read a topic.
func (n *Network) Join(topic Topic, take func(*rtps.Sample)) (Reader, error) {
	n.mu.Lock()
	t, writers := n.tap, n.writers[topic.Name]
	n.mu.Unlock()
	c, err := readerOf(topic, writers, n.config.EverySample)
	if err != nil {
		return nil, err
	}
	r := &networkReader{network: n, take: take}
	if r.reader, err = n.node.NewReader(c, r.hand); err != nil {
		return nil, err
	}
	t.Found(Endpoint{GUID: r.GUID(), Topic: topic, QoS: &c.QoS, Own: true})
	return r, nil
}

// A networkReader is a reader of takt's on the graph.
type networkReader struct {
	network *Network
	reader  *udp.Reader
	take    func(*rtps.Sample)

	mu     sync.Mutex // held while take runs
	closed bool
}

// hand gives a sample to the tap. It runs on the goroutine that receives.
func (r *networkReader) hand(s *rtps.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.network.samples.Add(1)
	r.take(s)
}

// GUID returns the reader's.
func (r *networkReader) GUID() wire.GUID { return r.reader.GUID() }

// Counts returns what became of the samples of a writer.
func (r *networkReader) Counts(writer wire.GUID) (rtps.Counts, bool) { return r.reader.Counts(writer) }

// Close leaves the topic. What is on its way from the socket is dropped.
func (r *networkReader) Close() error {
	r.reader.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return nil
}

// readerOf returns a reader that matches the writers of a topic, the first of
// which decides on what they may differ in.
func readerOf(t Topic, writers []ros.Endpoint, everySample bool) (rtps.EndpointConfig, error) {
	c := rtps.EndpointConfig{Topic: t.Name, Type: t.Type}
	if t.isROS() {
		c.Topic = ros.Topic{Kind: ros.Message, Name: t.Name}.DDS()
	}
	if dds, err := ros.DDSType(t.Type); err == nil { // else it is a name of DDS
		c.Type = dds
	}
	var hash ros.TypeHash
	if len(writers) > 0 {
		hash, c.Keyed = writers[0].Hash, writers[0].GUID.Entity.Keyed()
	}
	c.UserData = ros.EndpointUserData(hash)
	c.QoS = readerQoS(writers, everySample)
	return c, c.QoS.Check()
}

// readerQoS asks for as little as there is to ask for, so that every writer
// offers enough: no history, no deadline, and best effort unless every sample
// is wanted and all writers send again what was lost.
func readerQoS(writers []ros.Endpoint, everySample bool) qos.Policies {
	p := qos.DefaultReader()
	p.Representation = []qos.Representation{qos.XCDR1, qos.XCDR2}
	reliable := everySample && len(writers) > 0
	for _, w := range writers {
		reliable = reliable && w.QoS.Reliability == qos.Reliable
		if len(w.QoS.Partition) > 0 {
			p.Partition = []string{"", "*"} // any; Fast DDS does not take the empty name for a match of "*"
		}
	}
	if reliable {
		p.Reliability, p.History = qos.Reliable, qos.KeepAll()
	}
	if len(writers) > 0 {
		p.Ownership = writers[0].QoS.Ownership // shared and exclusive never meet
	}
	return p
}

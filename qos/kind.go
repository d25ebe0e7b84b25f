package qos

import "fmt"

// A Reliability says whether lost samples are sent again. On the wire the
// kinds are 1 and 2.
type Reliability int

const (
	BestEffort Reliability = iota
	Reliable
)

// A Durability says what becomes of samples written before a reader came.
type Durability int

const (
	Volatile       Durability = iota // they are not for it
	TransientLocal                   // it gets those that the writer still keeps
	Transient                        // a service keeps them beyond the writer's life
	Persistent                       // a service keeps them beyond its own
)

// A Liveliness says what counts as a writer's sign of life.
type Liveliness int

const (
	Automatic           Liveliness = iota // that its participant runs
	ManualByParticipant                   // what any writer of its participant asserts or writes
	ManualByTopic                         // only what it asserts or writes itself
)

// An Ownership says whether several writers may update one instance.
type Ownership int

const (
	Shared    Ownership = iota
	Exclusive           // only the one of highest strength is heard
)

// A DestinationOrder says by which time a reader orders the samples of several writers.
type DestinationOrder int

const (
	ByReception DestinationOrder = iota
	BySource
)

// A Scope says what a Presentation is about.
type Scope int

const (
	InstanceScope Scope = iota
	TopicScope
	GroupScope // all the writers of a publisher
)

// A Representation is a way of encoding samples. Its number is that on the
// wire; the kinds have no order.
type Representation int16

const (
	XCDR1 Representation = iota
	XML
	XCDR2
)

var (
	reliabilities    = []string{"best effort", "reliable"}
	durabilities     = []string{"volatile", "transient local", "transient", "persistent"}
	livelinesses     = []string{"automatic", "manual by participant", "manual by topic"}
	ownerships       = []string{"shared", "exclusive"}
	destinationOrder = []string{"by reception", "by source"}
	scopes           = []string{"instance", "topic", "group"}
	representations  = []string{"XCDR1", "XML", "XCDR2"}
)

func (k Reliability) String() string      { return nameOf(k, reliabilities) }
func (k Durability) String() string       { return nameOf(k, durabilities) }
func (k Liveliness) String() string       { return nameOf(k, livelinesses) }
func (k Ownership) String() string        { return nameOf(k, ownerships) }
func (k DestinationOrder) String() string { return nameOf(k, destinationOrder) }
func (k Scope) String() string            { return nameOf(k, scopes) }
func (k Representation) String() string   { return nameOf(k, representations) }

// nameOf names a kind; one that is not of DDS by its number.
func nameOf[K ~int | ~int16](k K, names []string) string {
	if !isKind(k, names) {
		return fmt.Sprintf("unknown (%d)", k)
	}
	return names[k]
}

func isKind[K ~int | ~int16](k K, names []string) bool { return 0 <= k && int(k) < len(names) }

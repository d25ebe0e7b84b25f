package tracetest

import (
	"fmt"
	"strings"
)

// Metadata returns the text of the metadata.
func (t *Trace) Metadata() string {
	var b strings.Builder
	order, header, context, domain := "le", "event_header_large", context, "ust"
	if t.opt.BigEndian {
		order = "be"
	}
	if t.opt.Compact {
		header = "event_header_compact"
	}
	if t.opt.NoContext {
		context = ""
	}
	if t.opt.Domain != "" {
		domain = t.opt.Domain
	}
	fmt.Fprintf(&b, preamble, order, domain, int64(Offset))
	fmt.Fprintf(&b, "stream {\n\tid = 0;\n\tevent.header := struct %s;\n\tpacket.context := struct packet_context;\n%s};\n", header, context)
	for id, e := range t.events {
		fmt.Fprintf(&b, "event {\n\tname = %q;\n\tid = %d;\n\tstream_id = 0;\n\tfields := struct {\n", e.Name, id)
		for _, f := range e.Fields {
			fmt.Fprintf(&b, "\t\t%s\n", f.declare())
		}
		b.WriteString("\t};\n};\n")
	}
	return b.String()
}

func (f *Field) declare() string {
	switch f.Type {
	case "u64":
		return "integer { size = 64; align = 8; signed = 0; base = 16; } _" + f.Name + ";"
	case "i64":
		return "integer { size = 64; align = 8; signed = 1; base = 10; } _" + f.Name + ";"
	case "i32":
		return "integer { size = 32; align = 8; signed = 1; base = 10; } _" + f.Name + ";"
	case "string":
		return "string _" + f.Name + ";"
	}
	n := strings.TrimPrefix(f.Type, "bytes")
	return "integer { size = 8; align = 8; signed = 0; base = 10; } _" + f.Name + "[" + n + "];"
}

const preamble = `/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
trace {
	major = 1;
	minor = 8;
	uuid = "10203040-5060-7080-90a0-b0c0d0e0f001";
	byte_order = %s;
	packet.header := struct {
		uint32_t magic;
		uint8_t uuid[16];
		uint32_t stream_id;
		uint64_t stream_instance_id;
	};
};
env {
	domain = "%s";
	tracer_name = "tracetest";
	hostname = "robot";
};
clock {
	name = "monotonic";
	uuid = "01234567-89ab-cdef-0123-456789abcdef";
	freq = 1000000000; /* Hz */
	offset = %d;
};
typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; } := uint27_clock_t;
typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; } := uint32_clock_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_clock_t;
struct packet_context {
	uint64_clock_t timestamp_begin;
	uint64_clock_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	unsigned long events_discarded;
	uint32_t cpu_id;
};
struct event_header_compact {
	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct { uint27_clock_t timestamp; } compact;
		struct { uint32_t id; uint64_clock_t timestamp; } extended;
	} v;
} align(8);
struct event_header_large {
	enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;
	variant <id> {
		struct { uint32_clock_t timestamp; } compact;
		struct { uint32_t id; uint64_clock_t timestamp; } extended;
	} v;
} align(8);
`

const context = `	event.context := struct {
		integer { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; } _procname[17];
		integer { size = 32; align = 8; signed = 1; base = 10; } _vpid;
		integer { size = 32; align = 8; signed = 1; base = 10; } _vtid;
	};
`

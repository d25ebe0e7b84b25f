package bag

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxQoS is the longest list of QoS profiles looked at, in bytes: of some 600 publishers.
const maxQoS = 256 << 10

// An offeredQoS is what recorders note of the publishers that they met on a
// topic. They write it as a YAML list inside of a string, with the numbers of
// rmw_qos_durability_policy_t up to metadata version 8 and with names from
// version 9; metadata.yaml of version 9 has the list without the string.
type offeredQoS struct {
	publishers     int  // profiles noted
	transientLocal bool // one of them offers transient local durability
}

// UnmarshalYAML takes the list in either form. It works on the syntax tree, in
// which aliases stay unexpanded, so that a small text cannot grow.
func (q *offeredQoS) UnmarshalYAML(node ast.Node) error {
	switch n := node.(type) {
	case *ast.StringNode:
		*q = parseQoS(n.Value)
	case *ast.LiteralNode:
		*q = parseQoS(n.Value.Value)
	case *ast.SequenceNode:
		*q = listedQoS(n)
	}
	return nil
}

// parseQoS reads the text of a list. What is no list offers nothing.
func parseQoS(text string) (q offeredQoS) {
	if len(text) > maxQoS {
		return offeredQoS{}
	}
	err := guarded(func() error {
		file, err := parser.ParseBytes([]byte(text), 0)
		if err != nil || len(file.Docs) == 0 {
			return err
		}
		if list, ok := file.Docs[0].Body.(*ast.SequenceNode); ok {
			q = listedQoS(list)
		}
		return nil
	})
	if err != nil {
		return offeredQoS{}
	}
	return q
}

func listedQoS(list *ast.SequenceNode) (q offeredQoS) {
	for _, profile := range list.Values {
		fields, ok := profile.(ast.MapNode)
		if !ok {
			continue
		}
		q.publishers++
		for it := fields.MapRange(); it.Next(); {
			if it.Key().String() == "durability" && isTransientLocal(it.Value()) {
				q.transientLocal = true
			}
		}
	}
	return q
}

// isTransientLocal knows RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL, and its name.
func isTransientLocal(value ast.Node) bool {
	text := strings.TrimSpace(value.String())
	return text == "1" || text == "transient_local"
}

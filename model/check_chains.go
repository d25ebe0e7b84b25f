package model

import (
	"fmt"
	"slices"
)

// checkChains checks that the elements of a chain are there and connected.
func (c *checker) checkChains() {
	for _, chain := range c.Chains {
		at := c.d.at("chains", chain.Name, "path")
		seen := map[string]int{}
		for i, name := range chain.Path {
			if first, again := seen[name]; again {
				at.fail(fmt.Sprintf("has %s at %d and at %d: it is a cycle", shown(name), first+1, i+1), "name each callback once: data goes through a chain and does not come back")
				break
			}
			seen[name] = i
			if !c.isElement(at, i, name) {
				break
			}
			if i > 0 && !c.connected(chain.Path[i-1], name) {
				at.fail(fmt.Sprintf("goes from %s to %s, which listens to nothing that it publishes", shown(chain.Path[i-1]), shown(name)),
					"name the callbacks between them, or let the second listen to what the first publishes")
				break
			}
		}
	}
}

// isElement reports whether there is such an element, of a kind that may be
// at that index of a path.
func (c *checker) isElement(at value, i int, name string) bool {
	_, isCallback := c.callbacks[name]
	_, isSensor := c.sensors[name]
	switch {
	case isCallback || isSensor && i == 0:
		return true
	case isSensor:
		at.fail(fmt.Sprintf("has the sensor %s at %d", shown(name), i+1), "begin with it: nothing goes into a sensor")
	case i == 0:
		at.fail(fmt.Sprintf("names %s, which is neither a sensor nor a callback", shown(name)), "write a sensor, or NODE/CALLBACK")
	default:
		c.missingCallback(at, name)
	}
	return false
}

// connected reports whether data go from one element to the next: by a topic,
// a request or a response, or left in the node for a timer to read.
func (c *checker) connected(from, to string) bool {
	reader := c.callbacks[to]
	if s := c.sensors[from]; s != nil {
		return reader.listens(s.Publishes)
	}
	writer := c.callbacks[from]
	switch {
	case reader.listens(writer.Publishes):
		return true
	case reader.Kind == ServiceCallback && reader.listens(writer.Calls):
		return true
	case writer.Kind == ServiceCallback && reader.Kind == ClientCallback:
		return reader.Inputs[0].Topic == writer.Inputs[0].Topic
	}
	return reader.Kind == TimerCallback && reader.node == writer.node
}

// listens reports whether a message on one of the topics comes in.
func (w where) listens(topics []string) bool {
	return slices.ContainsFunc(w.Inputs, func(in Input) bool { return slices.Contains(topics, in.Topic) })
}

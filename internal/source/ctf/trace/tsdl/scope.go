package tsdl

// A scope holds the names of types that a block gives.
type scope struct {
	outer *scope
	names map[string]Type // aliases as "unsigned long"; tagged ones as "struct name"
}

func (s *scope) define(name string, t Type) bool {
	if _, taken := s.names[name]; taken {
		return false
	}
	if s.names == nil {
		s.names = map[string]Type{}
	}
	s.names[name] = t
	return true
}

// find returns the type of a name, nil if no block around gives it.
func (s *scope) find(name string) Type {
	for ; s != nil; s = s.outer {
		if t := s.names[name]; t != nil {
			return t
		}
	}
	return nil
}

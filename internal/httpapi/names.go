package httpapi

import "bytes"

// names is a set of byte strings, linear while small.
type names struct {
	few  [12][]byte
	n    int
	many map[string]struct{}
}

// add answers false when the name is there already.
func (s *names) add(name []byte) bool {
	if s.many == nil && s.n < len(s.few) {
		for _, one := range s.few[:s.n] {
			if bytes.Equal(one, name) {
				return false
			}
		}
		s.few[s.n] = name
		s.n++
		return true
	}
	if s.many == nil {
		s.many = make(map[string]struct{}, 4*len(s.few))
		for _, one := range s.few {
			s.many[string(one)] = struct{}{}
		}
	}
	if _, there := s.many[string(name)]; there {
		return false
	}
	s.many[string(name)] = struct{}{}
	return true
}

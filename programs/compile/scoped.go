package compile

// Scoped is a map with nested scopes: Leave takes back everything set since the matching Enter.
// Selectors keep in it what they have computed, since a register made inside a loop body or a branch
// is not there on every path behind it.
type Scoped[K comparable, V any] struct {
	m     map[K]V
	log   []scopedEntry[K, V]
	marks []int
}

type scopedEntry[K comparable, V any] struct {
	key K
	old V
	had bool
}

// Get returns the value of k.
func (s *Scoped[K, V]) Get(k K) (V, bool) {
	v, ok := s.m[k]
	return v, ok
}

// Set changes the value of k until the scope is left.
func (s *Scoped[K, V]) Set(k K, v V) {
	if s.m == nil {
		s.m = map[K]V{}
	}
	old, had := s.m[k]
	s.log = append(s.log, scopedEntry[K, V]{k, old, had})
	s.m[k] = v
}

// Enter opens a scope.
func (s *Scoped[K, V]) Enter() { s.marks = append(s.marks, len(s.log)) }

// Leave closes the innermost scope.
func (s *Scoped[K, V]) Leave() {
	at := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	for i := len(s.log) - 1; i >= at; i-- {
		if e := s.log[i]; e.had {
			s.m[e.key] = e.old
		} else {
			delete(s.m, e.key)
		}
	}
	s.log = s.log[:at]
}

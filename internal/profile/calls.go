package profile

const (
	maxDepth  = 64      // calls of a path; deeper ones are booked to the path of this depth
	maxPaths  = 1 << 12 // different paths; others are booked to the caller's
	maxFrames = 1 << 16 // calls that wait for their return
)

// calls follows calls and returns. A path is the list of the call instructions that led here; paths
// form a tree and are numbered in the order in which they were met, 0 is the empty one.
type calls struct {
	path   int // the present one
	frames []frame
	tree   []callPath
	index  map[callPath]int
	cut    bool // a bound was reached
}

// frame is a call that has not returned.
type frame struct {
	ret  uint64 // address behind the call
	path int    // of the caller
}

// callPath is a node of the tree.
type callPath struct {
	parent int
	site   uint64 // address of the call instruction
}

func newCalls() calls { return calls{tree: []callPath{{}}, index: map[callPath]int{}} }

func (c *calls) clear() { c.path, c.frames = 0, c.frames[:0] }

func (c *calls) push(site, ret uint64) {
	if len(c.frames) == maxFrames {
		c.cut = true
		return
	}
	c.frames = append(c.frames, frame{ret, c.path})
	next := callPath{c.path, site}
	n, known := c.index[next]
	switch {
	case known:
		c.path = n
	case len(c.frames) > maxDepth || len(c.tree) == maxPaths:
		c.cut = true
	default:
		c.path = len(c.tree)
		c.index[next] = c.path
		c.tree = append(c.tree, next)
	}
}

// pop returns from the innermost call whose return address is pc, if there is one, and from all
// calls inside it.
func (c *calls) pop(pc uint64) {
	for i := len(c.frames) - 1; i >= 0; i-- {
		if c.frames[i].ret == pc {
			c.path = c.frames[i].path
			c.frames = c.frames[:i]
			return
		}
	}
}

// sites returns the call instructions of a path, the innermost first.
func (c *calls) sites(n int) []uint64 {
	var list []uint64
	for ; n != 0; n = c.tree[n].parent {
		list = append(list, c.tree[n].site)
	}
	return list
}

package chrometrace

import "math"

// members calls visit for each member of an object that was read before.
func members(v value, visit func(key string, member value)) {
	if v.kind != object {
		return
	}
	c := cursor{data: v.raw, pos: 1, whole: true, deepest: math.MaxInt}
	for first := true; ; first = false {
		if more, err := c.more('}', first); err != nil || !more {
			return
		}
		raw, err := c.key()
		if err != nil {
			return
		}
		member, err := c.read(0)
		if err != nil {
			return
		}
		key, _ := decode(string(raw))
		visit(key, member)
	}
}

// elements calls visit for each element of an array that was read before.
func elements(v value, visit func(element value)) {
	if v.kind != array {
		return
	}
	c := cursor{data: v.raw, pos: 1, whole: true, deepest: math.MaxInt}
	for first := true; ; first = false {
		if more, err := c.more(']', first); err != nil || !more {
			return
		}
		element, err := c.read(0)
		if err != nil {
			return
		}
		visit(element)
	}
}

// plainText is what a string means, or a number or word as it is spelled;
// empty for anything else.
func (v value) plainText() string {
	switch v.kind {
	case text:
		decoded, _ := decode(string(v.raw))
		return decoded
	case number, literal:
		return string(v.raw)
	}
	return ""
}

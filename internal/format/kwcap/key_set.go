package kwcap

import "slices"

// keySet tells the keys of an object apart without a map while they are few.
type keySet struct {
	few  []string
	many map[string]bool
}

// add returns false if the key was there.
func (k *keySet) add(key string) bool {
	if k.many != nil {
		if k.many[key] {
			return false
		}
		k.many[key] = true
		return true
	}
	if slices.Contains(k.few, key) {
		return false
	}
	k.few = append(k.few, key)
	if len(k.few) > 32 {
		k.many = map[string]bool{}
		for _, old := range k.few {
			k.many[old] = true
		}
	}
	return true
}

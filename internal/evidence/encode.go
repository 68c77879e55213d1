package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"kernelwake/internal/fault"
)

// encodedMagic begins the canonical parsed form, version 1: the magic, the
// header's length (uint64), the header (the JSON of Parsed without vectors,
// object keys in a fixed order), then for each column in order of appearance
// its type (one byte), its count (uint64) and its values. All numbers are
// little-endian and of fixed width, so equal parses give equal bytes.
const encodedMagic = "KWPARSED1\n"

const (
	typeEmpty = iota
	typeFloats
	typeInts
	typeCodes
)

// columns lists every column of the parsed form in its canonical order.
func (p *Parsed) columns() []*Column {
	var all []*Column
	for i := range p.Outcomes {
		for j := range p.Outcomes[i].Data.Columns {
			all = append(all, &p.Outcomes[i].Data.Columns[j])
		}
	}
	for i := range p.Tables {
		for j := range p.Tables[i].Columns {
			all = append(all, &p.Tables[i].Columns[j])
		}
	}
	return all
}

// Encode returns the canonical parsed form.
func (p *Parsed) Encode() ([]byte, error) {
	header, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encoding the header of a parsed capture: %w", err)
	}
	columns := p.columns()
	size := len(encodedMagic) + 8 + len(header)
	for _, column := range columns {
		size += 9 + 8*len(column.Floats) + 8*len(column.Ints) + 4*len(column.Codes)
	}
	out := make([]byte, 0, size)
	out = append(out, encodedMagic...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(header)))
	out = append(out, header...)
	for _, column := range columns {
		out = column.append(out)
	}
	return out, nil
}

func (c *Column) append(out []byte) []byte {
	kind := byte(typeEmpty)
	switch {
	case len(c.Floats) > 0:
		kind = typeFloats
	case len(c.Ints) > 0:
		kind = typeInts
	case len(c.Codes) > 0:
		kind = typeCodes
	}
	out = append(out, kind)
	out = binary.LittleEndian.AppendUint64(out, uint64(c.Len()))
	switch kind {
	case typeFloats:
		for _, value := range c.Floats {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(value))
		}
	case typeInts:
		for _, value := range c.Ints {
			out = binary.LittleEndian.AppendUint64(out, uint64(value))
		}
	case typeCodes:
		for _, value := range c.Codes {
			out = binary.LittleEndian.AppendUint32(out, value)
		}
	}
	return out
}

// Decode reads what Encode wrote. Damage is an error, never a partial result.
func Decode(data []byte) (*Parsed, error) {
	rest, ok := bytes.CutPrefix(data, []byte(encodedMagic))
	if !ok {
		return nil, damaged("it does not begin with %q", encodedMagic)
	}
	header, rest, err := cut(rest, 1)
	if err != nil {
		return nil, err
	}
	parsed := new(Parsed)
	if err := json.Unmarshal(header, parsed); err != nil {
		return nil, damaged("its header can't be read: %v", err)
	}
	for _, column := range parsed.columns() {
		if rest, err = column.decode(rest); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		return nil, damaged("%d bytes follow its last column", len(rest))
	}
	return parsed, nil
}

// cut takes a count (uint64) and count × width bytes off the front.
func cut(data []byte, width int) (values, rest []byte, err error) {
	if len(data) < 8 {
		return nil, nil, damaged("it ends inside a length")
	}
	count := binary.LittleEndian.Uint64(data)
	data = data[8:]
	if count > uint64(len(data)/width) {
		return nil, nil, damaged("it ends inside a column of %d values", count)
	}
	return data[:int(count)*width], data[int(count)*width:], nil
}

// widthOf is the bytes a value of a column's type takes, 0 for no known type.
func widthOf(kind byte) int {
	switch kind {
	case typeFloats, typeInts:
		return 8
	case typeCodes:
		return 4
	case typeEmpty:
		return 1
	}
	return 0
}

func (c *Column) decode(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, damaged("it ends before column %q", c.Name)
	}
	kind, data := data[0], data[1:]
	width := widthOf(kind)
	if width == 0 {
		return nil, damaged("column %q has type %d", c.Name, kind)
	}
	values, rest, err := cut(data, width)
	if err != nil {
		return nil, err
	}
	switch kind {
	case typeFloats:
		c.Floats = make([]float64, len(values)/8)
		for i := range c.Floats {
			c.Floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(values[8*i:]))
		}
	case typeInts:
		c.Ints = make([]int64, len(values)/8)
		for i := range c.Ints {
			c.Ints[i] = int64(binary.LittleEndian.Uint64(values[8*i:]))
		}
	case typeCodes:
		c.Codes = make([]uint32, len(values)/4)
		for i := range c.Codes {
			c.Codes[i] = binary.LittleEndian.Uint32(values[4*i:])
			if c.Codes[i] != MissingCode && int(c.Codes[i]) >= len(c.Dictionary) {
				return nil, damaged("column %q names word %d of %d", c.Name, c.Codes[i], len(c.Dictionary))
			}
		}
	}
	return rest, nil
}

func damaged(format string, args ...any) error {
	return fault.New(fault.Invalid, "parsed_form_damaged", "the parsed form can't be read: "+format, args...).
		WithHint("import the original bytes again")
}

// Digest returns the lower-case hexadecimal SHA-256 of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

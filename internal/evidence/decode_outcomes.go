package evidence

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// headerLimit bounds the header read of a parsed form, so that damage can't
// ask for the whole memory.
const headerLimit = 1 << 30

// DecodeOutcomes reads the beginning of what Encode wrote: everything but the
// tables, which stand last. It returns how many bytes that took.
func DecodeOutcomes(from io.Reader) (*Parsed, int64, error) {
	counted := &counter{from: bufio.NewReaderSize(from, 64<<10)}
	magic := make([]byte, len(encodedMagic))
	if _, err := io.ReadFull(counted, magic); err != nil || string(magic) != encodedMagic {
		return nil, 0, damaged("it does not begin with %q", encodedMagic)
	}
	header, err := counted.sized(1, headerLimit)
	if err != nil {
		return nil, 0, err
	}
	parsed := new(Parsed)
	if err := json.Unmarshal(header, parsed); err != nil {
		return nil, 0, damaged("its header can't be read: %v", err)
	}
	parsed.Tables = nil
	for _, column := range parsed.columns() {
		if err := column.readFrom(counted); err != nil {
			return nil, 0, err
		}
	}
	return parsed, counted.read, nil
}

// readFrom reads one column, through decode so that there is one reading of it.
func (c *Column) readFrom(from *counter) error {
	kind := make([]byte, 1)
	if _, err := io.ReadFull(from, kind); err != nil {
		return damaged("it ends before column %q", c.Name)
	}
	width := widthOf(kind[0])
	if width == 0 {
		return damaged("column %q has type %d", c.Name, kind[0])
	}
	values, err := from.sized(width, headerLimit)
	if err != nil {
		return err
	}
	encoded := binary.LittleEndian.AppendUint64(kind, uint64(len(values)/width))
	_, err = c.decode(append(encoded, values...))
	return err
}

type counter struct {
	from io.Reader
	read int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.read += int64(n)
	return n, err
}

// sized reads a count (uint64) and count × width bytes. The buffer grows with
// what is there, not with what the count claims.
func (c *counter) sized(width int, limit uint64) ([]byte, error) {
	var length [8]byte
	if _, err := io.ReadFull(c, length[:]); err != nil {
		return nil, damaged("it ends inside a length")
	}
	count := binary.LittleEndian.Uint64(length[:])
	if count > limit/uint64(width) {
		return nil, damaged("it ends inside a column of %d values", count)
	}
	size := int64(count) * int64(width)
	if size > 1<<20 {
		return c.grown(size)
	}
	values := make([]byte, size)
	if _, err := io.ReadFull(c, values); err != nil {
		return nil, damaged("it ends inside a column of %d values", count)
	}
	return values, nil
}

func (c *counter) grown(size int64) ([]byte, error) {
	values, err := io.ReadAll(io.LimitReader(c, size))
	if err != nil {
		return nil, fmt.Errorf("reading a parsed form: %w", err)
	}
	if int64(len(values)) < size {
		return nil, damaged("it ends inside a column")
	}
	return values, nil
}

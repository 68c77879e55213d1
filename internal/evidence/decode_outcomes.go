package evidence

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// headerLimit bounds the header read of a parsed form, so that damage can't
// ask for the whole memory.
const headerLimit = 1 << 30

// comparedColumns are the columns of tables that a comparison reads: the order
// of prompts. All others are drawn by screens alone.
var comparedColumns = map[string][]string{"requests": {"conversation", "conversation_id"}}

// DecodeOutcomes reads what a comparison needs of what Encode wrote:
// everything, but of the tables only comparedColumns. It returns how many bytes
// were kept.
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
	for i := range parsed.Outcomes {
		for j := range parsed.Outcomes[i].Data.Columns {
			if err := parsed.Outcomes[i].Data.Columns[j].readFrom(counted); err != nil {
				return nil, 0, err
			}
		}
	}
	parsed.Tables, err = decodeComparedTables(counted, parsed.Tables)
	return parsed, counted.kept, err
}

// decodeComparedTables reads on as long as a column that a comparison reads may
// follow.
func decodeComparedTables(from *counter, tables []Table) ([]Table, error) {
	var kept []Table
	for t, table := range tables {
		if !slices.ContainsFunc(tables[t:], func(later Table) bool { return comparedColumns[later.Name] != nil }) {
			break
		}
		compared := Table{Name: table.Name}
		for i := range table.Columns {
			column := &table.Columns[i]
			if !slices.Contains(comparedColumns[table.Name], column.Name) {
				if err := from.skip(column.Name); err != nil {
					return nil, err
				}
				continue
			}
			if err := column.readFrom(from); err != nil {
				return nil, err
			}
			compared.Columns = append(compared.Columns, *column)
		}
		if len(compared.Columns) > 0 {
			kept = append(kept, compared)
		}
	}
	return kept, nil
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

// counter counts the bytes that are read and not skipped.
type counter struct {
	from *bufio.Reader
	kept int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.kept += int64(n)
	return n, err
}

// skip passes over a column.
func (c *counter) skip(name string) error {
	var head [9]byte
	if _, err := io.ReadFull(c.from, head[:]); err != nil {
		return damaged("it ends before column %q", name)
	}
	width, count := widthOf(head[0]), binary.LittleEndian.Uint64(head[1:])
	if width == 0 || count > headerLimit/uint64(width) {
		return damaged("column %q has type %d and %d values", name, head[0], count)
	}
	if _, err := io.CopyN(io.Discard, c.from, int64(count)*int64(width)); err != nil {
		return damaged("it ends inside column %q", name)
	}
	return nil
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

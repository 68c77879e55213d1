package aiperf

import (
	"errors"
	"io"
	"sync"
)

// disk remembers an error of the file itself, which decoders would report as
// damage of the archive.
type disk struct {
	io.ReaderAt
	mutex sync.Mutex
	err   error
}

func (d *disk) ReadAt(into []byte, at int64) (int, error) {
	if at < 0 { // a damaged archive points before its start
		return 0, io.ErrUnexpectedEOF
	}
	n, err := d.ReaderAt.ReadAt(into, at)
	if err != nil && !errors.Is(err, io.EOF) {
		d.mutex.Lock()
		d.err = errors.Join(d.err, err)
		d.mutex.Unlock()
	}
	return n, err
}

func (d *disk) failed() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.err
}

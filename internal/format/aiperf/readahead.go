package aiperf

import "io"

// readAhead expands a stream in a goroutine of its own, a few blocks ahead of
// the reader: decompression and parsing then share the work of two cores.
type readAhead struct {
	blocks chan block
	free   chan []byte
	quit   chan struct{}
	now    block
	at     int
}

type block struct {
	data []byte
	err  error
}

const (
	blockBytes  = 256 << 10
	blocksAhead = 4
)

func newReadAhead(from io.Reader) *readAhead {
	r := &readAhead{blocks: make(chan block, blocksAhead), free: make(chan []byte, blocksAhead), quit: make(chan struct{})}
	for range blocksAhead {
		r.free <- make([]byte, blockBytes)
	}
	go r.fill(from)
	return r
}

func (r *readAhead) fill(from io.Reader) {
	defer close(r.blocks)
	for {
		var buffer []byte
		select {
		case buffer = <-r.free:
		case <-r.quit:
			return
		}
		n, err := 0, error(nil)
		for n < len(buffer) && err == nil { // io.ReadFull would hide which end was met
			var more int
			more, err = from.Read(buffer[n:])
			n += more
		}
		select {
		case r.blocks <- block{buffer[:n], err}:
		case <-r.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

func (r *readAhead) Read(into []byte) (int, error) {
	for r.at == len(r.now.data) {
		if r.now.err != nil {
			return 0, r.now.err
		}
		if r.now.data != nil {
			r.free <- r.now.data[:cap(r.now.data)]
		}
		next, open := <-r.blocks
		if !open {
			return 0, io.EOF
		}
		r.now, r.at = next, 0
	}
	n := copy(into, r.now.data[r.at:])
	r.at += n
	return n, nil
}

// stop ends the goroutine and waits for it: nothing reads the file afterwards.
func (r *readAhead) stop() {
	close(r.quit)
	for range r.blocks {
	}
}

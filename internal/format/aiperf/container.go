package aiperf

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// entry is one regular file inside an archive.
type entry struct {
	path string
	// bytes is its size as the archive declares it.
	bytes int64
}

// errStop ends a walk early, without an error.
var errStop = errors.New("nothing more is wanted")

// container gives the regular files of an archive. It can be walked again;
// nothing is ever written to disk.
type container interface {
	// each calls visit for every file in the archive's order. Content can be
	// read once, forwards, or be left unread. A name, link or size that breaks
	// a rule ends the walk with a fault.
	each(ctx context.Context, visit func(file entry, content io.Reader) error) error
	// remarks are findings about the archive as a whole, after a full walk.
	remarks() []evidence.Finding
}

// containerKind tells archives apart by their content.
type containerKind int

const (
	notAnArchive containerKind = iota
	zipArchive
	gzipTape
	plainTape
)

// tapeHeader is the size of a tar header.
const tapeHeader = 512

// kindOf recognises an archive by its first bytes; for gzip by what is inside.
func kindOf(file evidence.File, head []byte) containerKind {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return zipArchive
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		if isTape(gunzipHead(file)) {
			return gzipTape
		}
	case isTape(head):
		return plainTape
	}
	return notAnArchive
}

// gunzipHead returns the first expanded bytes of a gzip file, fewer on damage.
func gunzipHead(file evidence.File) []byte {
	stream, err := gzip.NewReader(io.NewSectionReader(file.Content, 0, file.Bytes))
	if err != nil {
		return nil
	}
	head := make([]byte, tapeHeader)
	n, _ := io.ReadFull(stream, head)
	return head[:n]
}

// isTape reports whether head is a tar header: it names the format or, older
// than POSIX, carries its own checksum.
func isTape(head []byte) bool {
	if len(head) < tapeHeader {
		return false
	}
	var sum uint64
	for i, b := range head[:tapeHeader] {
		if i >= 148 && i < 156 { // the checksum itself counts as spaces
			b = ' '
		}
		sum += uint64(b)
	}
	digits := bytes.Trim(head[148:156], " \x00")
	stated, err := strconv.ParseUint(string(digits), 8, 32)
	return err == nil && stated == sum && head[0] != 0
}

// openContainer recognises and opens an archive.
func openContainer(file evidence.File, limits evidence.Limits) (container, error) {
	head := make([]byte, tapeHeader)
	n, err := file.Content.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch kindOf(file, head[:n]) {
	case zipArchive:
		return openZip(file, limits)
	case gzipTape:
		return &tape{file: file, limits: limits, compressed: true}, nil
	case plainTape:
		return &tape{file: file, limits: limits}, nil
	}
	return nil, fault.New(fault.Invalid, "not_an_archive", "the file is not a zip, tar.gz or tar archive that can be read").
		WithHint("send the AIPerf artifact folder as one archive: tar czf run.tar.gz FOLDER")
}

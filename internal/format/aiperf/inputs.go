package aiperf

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"sort"

	"kernelwake/internal/evidence"
)

// mostSessions bounds the conversations whose bodies are told apart; a digest
// over all bodies has no such bound.
const mostSessions = 200_000

// inputs is inputs.json: the request bodies, of which digests alone are kept.
type inputs struct {
	path string
	// digest is over all bodies in order, each without its model name.
	digest           string
	bodies, sessions int64
	// bySession has a short digest of each conversation's bodies, by the short
	// digest of its id.
	bySession map[uint64]uint64
	// Of the first body, what a run without a summary is asked by:
	model    string
	streamed bool
	asked    float64
	damaged  bool
}

// readInputs hashes the bodies as they stream by; one body at a time is held.
func readInputs(ctx context.Context, path string, content io.Reader, limits evidence.Limits) (*inputs, error) {
	in := &inputs{path: path, bySession: map[uint64]uint64{}}
	all := sha256.New()
	source := newPieces(content, path, limits)
	if err := in.read(ctx, source, json.NewDecoder(source), all); err != nil {
		if limit := asFault(err); limit != nil {
			return nil, limit
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		in.damaged = true
	}
	in.digest = hex.EncodeToString(all.Sum(nil))
	return in, nil
}

// read steps to the list under "data" and takes its conversations one by one.
func (in *inputs) read(ctx context.Context, source *pieces, decoder *json.Decoder, all hash.Hash) error {
	if err := expect(decoder, json.Delim('{')); err != nil {
		return err
	}
	for decoder.More() {
		source.allow()
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		if name != "data" {
			var other json.RawMessage
			if err := decoder.Decode(&other); err != nil {
				return err
			}
			continue
		}
		if err := expect(decoder, json.Delim('[')); err != nil {
			return err
		}
		for decoder.More() {
			var one struct {
				ID       string            `json:"session_id"`
				Payloads []json.RawMessage `json:"payloads"`
			}
			if err := decoder.Decode(&one); err != nil {
				return err
			}
			source.allow()
			in.session(one.ID, one.Payloads, all)
			if in.sessions%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if err := expect(decoder, json.Delim(']')); err != nil {
			return err
		}
	}
	return expect(decoder, json.Delim('}'))
}

func expect(decoder *json.Decoder, want json.Delim) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("%w: %v in place of %v", errNotJSON, token, want)
	}
	return nil
}

func (in *inputs) session(id string, payloads []json.RawMessage, all hash.Hash) {
	in.sessions++
	own := sha256.New()
	for _, body := range payloads {
		in.bodies++
		if in.bodies == 1 {
			in.first(body)
		}
		canonical := canonicalBody(body)
		own.Write(canonical)
		all.Write(canonical)
	}
	// A mark between conversations: two of one turn are not one of two.
	all.Write([]byte{0})
	if len(in.bySession) < mostSessions {
		var sum [sha256.Size]byte
		in.bySession[shortDigest([]byte(id))] = shortDigest(own.Sum(sum[:0]))
	}
}

// first notes what the first body tells of the run.
func (in *inputs) first(body json.RawMessage) {
	document, err := parseDocument(body)
	if err != nil {
		return
	}
	in.model = document.at("model").text()
	in.streamed, _ = document.at("stream").flag()
	in.asked, _ = document.first("max_completion_tokens", "max_tokens").number()
}

// canonicalBody is a request body without white space, its members in order of
// their names and without "model", which is a dimension of its own: the same
// prompts sent to a model of another name are the same work.
func canonicalBody(body []byte) []byte {
	type member struct{ name, value []byte }
	var members []member
	c := newCursor(body, 1<<20)
	for c.open('{'); c.more('}'); {
		name := c.key()
		value := c.raw()
		if string(name) != "model" {
			members = append(members, member{name, value})
		}
	}
	if c.bad {
		return body
	}
	sort.SliceStable(members, func(a, b int) bool { return bytes.Compare(members[a].name, members[b].name) < 0 })
	var out bytes.Buffer
	for _, one := range members {
		out.WriteByte('"')
		out.Write(one.name)
		out.WriteString(`":`)
		_ = json.Compact(&out, one.value) // the decoder has tested it
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func (in *inputs) retained() int64 { return int64(1024 + 40*len(in.bySession)) }

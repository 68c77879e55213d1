package aiperf

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// mostOrdered bounds the prompts whose order is kept one by one.
const mostOrdered = 4096

// promptOrder is the order in which prompts were drawn: by session_num from
// 0.13 on, before by start. Its value is {"by", "count", "sha256", "ids"}:
// ids are 32-bit digests of the first 4,096 prompts in order, so that a
// shorter run can be told as the beginning of a longer one.
func (m *material) promptOrder() evidence.Dimension {
	r := m.requests
	if !m.hasRecords() {
		return unknown(absent.NotRecorded, "there are no records")
	}
	if !m.whole {
		return unknown(absent.Lost, "the records are not all there")
	}
	order, rule := r.byStart(), "start time"
	if drawnBySession(m.version()) {
		order, rule = r.bySession(), "session_num"
	}
	ids, by := m.promptIDs()
	if ids == nil {
		return unknown(absent.NotRecorded, "conversations have random names, as without a seed, and no inputs.json says which prompts they are")
	}
	all := sha256.New()
	listed := make([]any, 0, min(len(order), mostOrdered))
	var eight [8]byte
	for i, request := range order {
		binary.BigEndian.PutUint64(eight[:], ids[request])
		all.Write(eight[:])
		if i < mostOrdered {
			listed = append(listed, hex.EncodeToString(eight[:4]))
		}
	}
	value := map[string]any{"by": by, "count": float64(len(order)), "sha256": hex.EncodeToString(all.Sum(nil)), "ids": listed}
	return derived(value, "records, "+by+" by "+rule)
}

// version is AIPerf's, by the summary or the server metrics.
func (m *material) version() string {
	switch {
	case m.summary != nil:
		return m.summary.version
	case m.server != nil:
		return m.server.version
	}
	return ""
}

// promptIDs tells prompts apart: by their conversation's name, or where names
// are random by their bodies in inputs.json. Nil if neither does.
func (m *material) promptIDs() (ids []uint64, by string) {
	r := m.requests
	named := r.randomConversations == 0
	for _, id := range r.conversation {
		named = named && id != 0
	}
	if named {
		return r.conversation, "conversation_id"
	}
	if m.inputs == nil {
		return nil, ""
	}
	ids = make([]uint64, len(r.conversation))
	for i, conversation := range r.conversation {
		body, ok := m.inputs.bySession[conversation]
		if !ok {
			return nil, ""
		}
		ids[i] = body
	}
	return ids, "request_body"
}

func (m *material) requestBodies() evidence.Dimension {
	if m.inputs == nil {
		return unknown(absent.NotRecorded, "there is no inputs.json of this run")
	}
	return derived(m.inputs.digest, "inputs.json: SHA-256 over all bodies in order, without the model's name")
}

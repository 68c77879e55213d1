package chrometrace

import (
	"fmt"
	"strconv"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/trace"
)

// spanTable is the timeline: the spans as they are held, times from the first
// event on.
func (r *reader) spanTable() evidence.Table {
	s, t := &r.t.Spans, r.t
	for i := range s.Start {
		s.Start[i] -= t.FirstStart
	}
	details, dictionary := r.details()
	return trace.SpanTable(s, t.Names, r.trackLabels(), details, dictionary)
}

// details turns the details of spans into words: shapes and types of an
// operator's tensors, bytes of a copy.
func (r *reader) details() ([]uint32, []string) {
	t := r.t
	codes := make([]uint32, t.Spans.Len())
	var dictionary []string
	ofArguments := map[uint32]uint32{}
	ofBytes := map[int64]uint32{}
	for i := range codes {
		codes[i] = trace.MissingCode
		detail := t.Spans.Detail[i]
		if detail == trace.MissingCode {
			continue
		}
		if !t.Spans.Kind(i).OnDevice() {
			code, ok := ofArguments[detail]
			if !ok {
				code = uint32(len(dictionary))
				dictionary = append(dictionary, argumentsText(t.Arguments[detail]))
				ofArguments[detail] = code
			}
			codes[i] = code
			continue
		}
		bytes := t.Device[detail].Bytes
		if bytes == trace.Missing {
			continue
		}
		code, ok := ofBytes[bytes]
		if !ok {
			code = uint32(len(dictionary))
			dictionary = append(dictionary, strconv.FormatInt(bytes, 10)+" bytes")
			ofBytes[bytes] = code
		}
		codes[i] = code
	}
	return codes, dictionary
}

func argumentsText(arguments trace.Arguments) string {
	var text strings.Builder
	for i, tensor := range arguments {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprint(&text, tensor.Dims)
		if tensor.Type != "" {
			text.WriteString(" " + tensor.Type)
		}
	}
	return text.String()
}

// trackLabels names each track for people, each differently.
func (r *reader) trackLabels() []string {
	labels := make([]string, len(r.t.Tracks))
	used := map[string]int{}
	for i, track := range r.t.Tracks {
		label := strings.TrimSpace(track.ThreadName)
		if label == "" {
			label = "thread " + track.Thread
		}
		process := track.ProcessName
		if process == "" {
			process = "process"
		}
		label = fmt.Sprintf("%s %s · %s", process, track.Process, label)
		if used[label]++; used[label] > 1 {
			label += fmt.Sprintf(" (%s)", track.Thread)
		}
		labels[i] = label
	}
	return labels
}

// trackTable says what each track is; its rows are the codes of the spans'
// track column.
func (r *reader) trackTable() evidence.Table {
	n := len(r.t.Tracks)
	columns := map[string][]string{}
	for _, name := range []string{"process", "thread", "process_name", "thread_name"} {
		columns[name] = make([]string, n)
	}
	for i, track := range r.t.Tracks {
		columns["process"][i], columns["thread"][i] = track.Process, track.Thread
		columns["process_name"][i], columns["thread_name"][i] = track.ProcessName, track.ThreadName
	}
	table := evidence.Table{Name: "tracks"}
	for _, name := range []string{"process", "thread", "process_name", "thread_name"} {
		table.Columns = append(table.Columns, evidence.Words(name, columns[name]))
	}
	return table
}

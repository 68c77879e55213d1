package chrometrace

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/trace"
)

// mostListed bounds how many keys or categories a message lists.
const mostListed = 20

// findings says what was damaged, repaired, left out or removed in reading.
func (r *reader) findings() []evidence.Finding {
	var out []evidence.Finding
	add := func(code string, count int64, pointer, remedy, format string, args ...any) {
		if count > 0 {
			out = append(out, evidence.Finding{Code: code, Count: count, Pointer: pointer, Message: fmt.Sprintf(format, args...), Remedy: remedy})
		}
	}
	r.damageFindings(add)
	r.repairFindings(add)
	r.leftOutFindings(add)
	r.metadataFindings(add)
	return append(out, r.report.Findings()...)
}

type adder func(code string, count int64, pointer, remedy, format string, args ...any)

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

const exportAgain = "export the trace again if the recording still exists"

func (r *reader) damageFindings(add adder) {
	d := &r.damage
	add("damaged_events", d.gaps, "/"+eventsKey, exportAgain, "%s of %d bytes in all skipped as no JSON, the first at byte %d: at least one event is lost in each", trace.Counted(d.gaps, "passage"), d.gapBytes, d.firstGap)
	add("incomplete", one(d.incomplete), "", exportAgain, "the file ends before the trace does: %s in front of it kept, %d cut and lost", trace.Counted(r.t.Events, "whole event"), d.cutEvents)
	add("array_not_closed", one(d.arrayNotClosed && !d.incomplete && d.cutEvents == 0), "", "", "the array of events is not closed, as the format allows: it can't be told whether events are missing at the end")
	if d.arrayNotClosed && d.cutEvents > 0 && !d.incomplete {
		add("incomplete", d.cutEvents, "", exportAgain, "the file ends inside an event: %s in front of it kept", trace.Counted(r.t.Events, "whole event"))
	}
	add("gzip_checksum", one(d.checksum), "", exportAgain, "the gzip checksum does not fit the content: any number in it may be wrong")
	add("gzip_truncated", one(d.truncated), "", exportAgain, "the gzip stream ends before its end mark")
	add("gzip_corrupt", one(d.corrupt), "", exportAgain, "the gzip stream is corrupt: what follows the damage is lost")
	add("trailing_bytes", d.trailing, "", "", "%s after the end of the trace not read", trace.Counted(d.trailing, "byte"))
	add("events_replaced", d.replacedEvents, "/"+eventsKey, "", "the file holds %q more than once; the last counts, %s of earlier ones left out", eventsKey, trace.Counted(d.replacedEvents, "event"))
	add("not_an_event", d.otherElements, "/"+eventsKey, "", "%s among the events that is no object", trace.Counted(d.otherElements, "element"))
}

func (r *reader) repairFindings(add adder) {
	events := map[flaw]int64{}
	for flaws, count := range r.flaws {
		for _, one := range []flaw{badUTF8, unknownEscape, controlCharacter, tooLong} {
			if flaws&one != 0 {
				events[one] += count
			}
		}
	}
	add("bad_utf8", events[badUTF8], "", "", "bytes that are no UTF-8 in the name of %s; each is shown as U+FFFD", trace.Counted(events[badUTF8], "event"))
	add("unknown_escape", events[unknownEscape], "", "", "an escape that JSON doesn't know in the name of %s; the backslash was kept", trace.Counted(events[unknownEscape], "event"))
	add("control_character", events[controlCharacter], "", "", "raw control characters in the name of %s; they are shown escaped", trace.Counted(events[controlCharacter], "event"))
	add("name_too_long", events[tooLong], "", "", "the name of %s cut, being longer than %d bytes", trace.Counted(events[tooLong], "event"), longestName)
	repeated := r.repeatedMembers + r.meta.repeated
	add("duplicate_key", repeated, "", "", "%s given twice in one object; the last counts", trace.Counted(repeated, "member"))
	add("not_a_number", r.buf.missingWords, "", "", "%s written as NaN, infinity or N/A and read as missing", trace.Counted(r.buf.missingWords, "value"))
	add("missing_comma", r.damage.missingCommas, "", "", "%s missing between events; nothing is lost", trace.Counted(r.damage.missingCommas, "comma"))
}

// leftOutMessages say why events of a reason are in no figure.
var leftOutMessages = map[string]string{
	"no_duration":          "%s of phase X without duration",
	"no_time":              "%s without a time that can be read",
	"negative_duration":    "%s of negative duration",
	"duration_over_7_days": "%s lasting more than 7 days, as overflowed counters give",
	"zero_timestamp":       "%s at time 0 and without duration, far from all others (the recorder lost the time)",
	"begin_without_end":    "begin without an end, %s",
	"end_without_begin":    "end without a begin, %s",
}

func leftOutMessage(left trace.LeftOut) string {
	message, ok := leftOutMessages[left.Reason]
	if !ok {
		return ""
	}
	return fmt.Sprintf(message, trace.Counted(left.Count, "event"))
}

func (r *reader) leftOutFindings(add adder) {
	for _, left := range r.t.LeftOut {
		if message := leftOutMessage(left); message != "" {
			add(left.Reason, left.Count, "", "", "%s: in no figure", message)
		}
	}
	var unknown int64
	var names []string
	for name, count := range r.unknown {
		unknown += count
		names = append(names, fmt.Sprintf("%s (%d)", name, count))
	}
	slices.Sort(names)
	add("unknown_categories", unknown, "", "", "%s of categories that no figure knows: %s", trace.Counted(unknown, "event"), shortList(names))
	uncategorised := int64(0)
	for i := range r.t.Spans.Start {
		if r.t.Spans.Category[i] == 0 {
			uncategorised++
		}
	}
	add("no_categories", uncategorised, "", "record with torch.profiler for GPU figures", "%s without category: on the timeline, in no GPU figure", trace.Counted(uncategorised, "timed event"))
}

func (r *reader) metadataFindings(add adder) {
	m := &r.meta
	add("metadata_removed", int64(len(m.removed)), "", "", "%s beside the events not kept in the parsed form, since such can name people, machines or jobs: %s (still in the exact bytes)", trace.Counted(int64(len(m.removed)), "member"), shortList(m.removed))
	add("metadata_too_large", int64(len(m.tooLarge)), "", "", "%s beside the events larger than %d MiB and not looked at: %s", trace.Counted(int64(len(m.tooLarge)), "member"), largestMember>>20, shortList(m.tooLarge))
}

func shortList(items []string) string {
	if len(items) <= mostListed {
		return strings.Join(items, ", ")
	}
	return strings.Join(items[:mostListed], ", ") + fmt.Sprintf(" and %d more", len(items)-mostListed)
}

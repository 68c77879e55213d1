package kwcap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kernelwake/internal/lens"
)

// check notes what is wrong between members: what depends on the lens, on the
// window or on another member.
func (d *document) check(p *problems) {
	if d.Synthetic && d.SyntheticReason == "" {
		p.at("/synthetic_reason", codeMissing, `"synthetic" is true: say in "synthetic_reason" why the numbers were made up`)
	}
	if !d.Synthetic && d.SyntheticReason != "" {
		p.at("/synthetic_reason", codeContradiction, `"synthetic" is false: a reason for it can't stand beside that`)
	}
	if !d.Window.Start.IsZero() && !d.Window.End.After(d.Window.Start) && !d.Window.End.IsZero() {
		p.at("/window/end", codeRange, "the window ends before it has begun")
	}
	started, known := d.Run.Started.Get()
	ended, both := d.Run.Ended.Get()
	if known && both && ended.Before(started) {
		p.at("/run/ended", codeRange, "the run ends before it has begun")
	}
	l, ok := lens.Find(lens.ID(d.Lens))
	if !ok {
		return // noted when it was read; nothing more can be held against it
	}
	d.checkEnvironment(p, l.ID)
	d.checkDimensions(p, l)
	d.checkOutcomes(p, l)
	d.checkTruncated(p)
}

func (d *document) checkEnvironment(p *problems, id lens.ID) {
	if id == lens.Fleet {
		return
	}
	if !d.EnvironmentGiven {
		p.at("/environment", codeMissing, `"environment" is missing: the machines and their software, each member a value or an absence`)
	} else if d.Environment.Reason() != "" && !d.Environment.Known() {
		p.at("/environment", codeContradiction, "only a fleet capture may leave its environment out as a whole: give each member as a value or an absence")
	}
}

func (d *document) checkDimensions(p *problems, l lens.Lens) {
	var known []string
	for _, field := range l.Fields {
		known = append(known, field.Key)
		if _, given := d.Dimensions[field.Key]; field.Required && !given && d.Dimensions != nil {
			p.at(pointerTo("/dimensions", field.Key), codeNoDimension, `the %s lens needs %q: write {"v": …, "src": "declared"}, or {"absent": "not_recorded"} if it isn't known`, l.ID, field.Key)
		}
	}
	for _, key := range sorted(d.Dimensions) {
		at := pointerTo("/dimensions", key)
		if !slices.Contains(known, key) {
			p.got(at, codeDimension, key, "%q is no dimension of the %s lens%s", key, l.ID, elsewhere(key, l.ID, known))
			continue
		}
		if value := d.Dimensions[key].Value; value != nil {
			checkForm(p, at, key, value)
		}
	}
	if device, ok := d.Dimensions["measured_on"].Value.(string); ok && device != d.MeasuredOn && d.MeasuredOn != "" {
		p.got("/dimensions/measured_on/v", codeContradiction, device, `"measured_on" of the capture says %q`, d.MeasuredOn)
	}
	d.checkEligibility(p)
}

// elsewhere says under which lens a dimension is known, or the nearest name.
func elsewhere(key string, id lens.ID, known []string) string {
	for _, other := range lens.All {
		if _, ok := other.Field(key); ok && other.ID != id {
			return fmt.Sprintf("; it belongs to the %s lens (a fact of your own goes under \"labels\")", other.ID)
		}
	}
	return meant(key, known)
}

// checkEligibility follows the pointer that the dimension may hold.
func (d *document) checkEligibility(p *problems) {
	pointer, ok := d.Dimensions["eligibility"].Value.(string)
	if !ok || !strings.HasPrefix(pointer, "/outcomes/") {
		return
	}
	i, err := strconv.Atoi(strings.TrimPrefix(pointer, "/outcomes/"))
	if err != nil || i < 0 || i >= len(d.Outcomes) || d.Outcomes[i].Kind != string(lens.Intervals) {
		p.got("/dimensions/eligibility/v", codeContradiction, pointer, "it points at no outcome of kind \"intervals\"")
	}
}

// checkTruncated holds the entries that point at a column against it.
func (d *document) checkTruncated(p *problems) {
	for i, cut := range d.Truncated {
		at := pointerTo("/truncated", i)
		if of, ok := cut.Of.Get(); ok && of < cut.Kept {
			p.at(pointerTo(at, "of"), codeRange, "%d are said to be kept of %d", cut.Kept, of)
		}
		parts := strings.Split(cut.Pointer, "/")
		if len(parts) < 3 || parts[1] != "outcomes" {
			continue
		}
		k, err := strconv.Atoi(parts[2])
		if err != nil || k < 0 || k >= len(d.Outcomes) {
			p.got(pointerTo(at, "pointer"), codeContradiction, cut.Pointer, "it points at no outcome")
			continue
		}
		if len(parts) != 4 {
			continue
		}
		if length, ok := d.Outcomes[k].length(parts[3]); ok && int64(length) != cut.Kept {
			p.at(pointerTo(at, "kept"), codeContradiction, "%d are said to be kept, %d are there", cut.Kept, length)
		}
	}
}

// length is the number of elements of a column.
func (o *outcome) length(name string) (int, bool) {
	if name == "v" && !o.V.Scalar && o.given["v"] {
		return len(o.V.List), true
	}
	if column, ok := o.Columns[name]; ok {
		return len(column), true
	}
	if column, ok := o.Words[name]; ok {
		return len(column.Codes), true
	}
	return 0, false
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, ", ")
}

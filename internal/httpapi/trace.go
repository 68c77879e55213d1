package httpapi

import (
	"context"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/trace"
)

const traceHolder = "a Chrome or PyTorch trace"

// TimelineWindow is the part of a trace asked for.
type TimelineWindow struct {
	ByID
	From  int64 `query:"from_ns" minimum:"0" doc:"nanoseconds since the trace's first event"`
	To    int64 `query:"to_ns" minimum:"0" doc:"a window without length is the whole trace"`
	Width int   `query:"width" minimum:"1" maximum:"8192" default:"1200" doc:"the picture's pixels"`
}

func timeline(a *API, ctx context.Context, input *TimelineWindow) (*struct{ Body trace.TimelineView }, error) {
	spans, err := a.table(ctx, input.ID, "spans", traceHolder)
	if err != nil {
		return nil, err
	}
	return &struct{ Body trace.TimelineView }{trace.Timeline(spans, input.From, input.To, input.Width)}, nil
}

// SpanSearch asks for spans of a trace.
type SpanSearch struct {
	ByID
	Name     string `query:"name" maxLength:"1000" doc:"found anywhere in the name, whatever its case"`
	Category string `query:"category" maxLength:"100"`
	Limit    int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

func findSpans(a *API, ctx context.Context, input *SpanSearch) (*Listed[trace.SpanDetail], error) {
	spans, err := a.table(ctx, input.ID, "spans", traceHolder)
	if err != nil {
		return nil, err
	}
	found, of := trace.FindSpans(spans, trace.SpanSearch{Name: input.Name, Category: input.Category, Limit: input.Limit})
	return &Listed[trace.SpanDetail]{Body: List[trace.SpanDetail]{
		Rows: found, Total: of, Truncated: bounded(int64(len(found)), of, "row bound"), AsOf: time.Now().UTC(),
	}}, nil
}

// SpanRow names a span by its place in the table.
type SpanRow struct {
	ByID
	Row int `path:"row" minimum:"0"`
}

func getSpan(a *API, ctx context.Context, input *SpanRow) (*struct{ Body trace.SpanDetail }, error) {
	spans, err := a.table(ctx, input.ID, "spans", traceHolder)
	if err != nil {
		return nil, err
	}
	found, ok := trace.DescribeSpan(spans, input.Row)
	if !ok {
		return nil, fault.New(fault.NotFound, "span_not_found", "the trace has no span %d", input.Row).WithHint("it has %d, counted from 0", spans.Len())
	}
	return &struct{ Body trace.SpanDetail }{found}, nil
}

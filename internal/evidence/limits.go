package evidence

import "kernelwake/internal/fault"

// Format ids.
const (
	FormatAIPerf      = "aiperf"
	FormatChromeTrace = "chrome-trace"
	FormatKernelwake  = "kernelwake-json"
)

// Limits bound what an importer accepts. MiB is 2^20 bytes; exactly the limit
// is accepted, one more is refused.
type Limits struct {
	// Received bounds the bytes of the file as it was sent.
	Received int64 `json:"received"`
	// Expanded bounds the bytes after decompression.
	Expanded int64 `json:"expanded"`
	// Entries bounds the entries of an archive; 0 where there are none.
	Entries int `json:"entries,omitempty"`
	// Events bounds the events of a trace; 0 where there are none.
	Events int `json:"events,omitempty"`
	// Depth bounds the nesting of JSON.
	Depth int `json:"depth"`
}

const mebibyte = 1 << 20

// LimitsOf are the limits of each format.
var LimitsOf = map[string]Limits{
	FormatAIPerf:      {Received: 64 * mebibyte, Expanded: 1024 * mebibyte, Entries: 10_000, Depth: 64},
	FormatChromeTrace: {Received: 32 * mebibyte, Expanded: 256 * mebibyte, Events: 2_000_000, Depth: 64},
	FormatKernelwake:  {Received: 16 * mebibyte, Expanded: 64 * mebibyte, Depth: 16},
}

// LargestReceived is the most bytes any format accepts.
func LargestReceived() int64 {
	var most int64
	for _, limits := range LimitsOf {
		most = max(most, limits.Received)
	}
	return most
}

// CheckReceived refuses a file larger than its format's limit.
func CheckReceived(format string, bytes int64) error {
	limits, ok := LimitsOf[format]
	if !ok || bytes <= limits.Received {
		return nil
	}
	return fault.New(fault.TooLarge, "file_too_large", "the file has %d bytes, %s captures may have %d (%d MiB)", bytes, format, limits.Received, limits.Received/mebibyte).
		WithHint("record a shorter run, or send the file compressed with gzip where the format allows it")
}

package format

import (
	"kernelwake/internal/evidence"
	"kernelwake/internal/format/aiperf"
	"kernelwake/internal/format/chrometrace"
	"kernelwake/internal/format/kwcap"
)

// All are the formats in the order in which a file is offered to them.
var All = []evidence.Format{
	kwcap.Format{},
	chrometrace.Format{},
	aiperf.Format{},
}

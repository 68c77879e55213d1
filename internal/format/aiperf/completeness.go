package aiperf

import (
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// completeness counts what was sent and what came of it. Requests still in
// flight when the load ends are cancelled without a record: only the log tells
// how many, and where a run asks for a number of requests, their count.
func (m *material) completeness() evidence.Completeness {
	c := evidence.Completeness{StoppedEarly: m.stoppedEarly()}
	good, failed, known := m.ended()
	if !known {
		lost := absent.Because[int64](absent.Lost, "neither a summary nor records say it")
		c.Sent, c.OK, c.Failed, c.Cancelled = lost, lost, lost, lost
		if m.log != nil && m.log.counted {
			c.Sent = absent.Of(m.log.sent)
		}
		m.find("no_results", 1, "", "look at AIPerf's log for a service level on a metric the run doesn't have", "AIPerf wrote no results of any request")
		m.reportCancelled(c, 0)
		return c
	}
	c.OK, c.Failed = absent.Of(good), absent.Of(failed)
	switch cancelled, sent, ok := m.cancelledByLog(good + failed); {
	case ok:
		c.Cancelled, c.Sent = absent.Of(cancelled), absent.Of(sent)
	case m.askedFor() == float64(good+failed):
		c.Cancelled, c.Sent = absent.Of[int64](0), absent.Of(good+failed)
	default:
		note := "requests in flight at the end leave no record, and the log that counts them is not in the archive"
		c.Cancelled, c.Sent = absent.Because[int64](absent.NotRecorded, note), absent.Because[int64](absent.NotRecorded, note)
	}
	m.reportCancelled(c, good+failed)
	return c
}

func (m *material) stoppedEarly() bool {
	if m.summary != nil {
		return m.summary.cancelled || !m.summary.complete
	}
	return m.ready != nil && m.ready.cancelled || m.log != nil && m.log.stopped
}

// ended counts the requests that ended, good and failed.
func (m *material) ended() (good, failed int64, known bool) {
	if m.whole && m.hasRecords() {
		return m.requests.good(), m.requests.failed(), true
	}
	all := m.summaryAll()
	if math.IsNaN(all) {
		return 0, 0, false
	}
	failed = int64(m.summaryFailed())
	return int64(all) - failed, failed, true
}

// askedFor is the number of requests the run was to send, NaN if it was to
// last for a time or for a number of conversations.
func (m *material) askedFor() float64 {
	if len(m.configured.profiling) != 1 || m.configured.profiling[0].duration > 0 || m.configured.profiling[0].requests == 0 {
		return math.NaN()
	}
	return m.configured.profiling[0].requests
}

// cancelledByLog counts by the log what was sent and never ended.
func (m *material) cancelledByLog(ended int64) (cancelled, sent int64, ok bool) {
	if m.log == nil || !m.log.counted || m.log.sent < ended {
		return 0, 0, false
	}
	return m.log.sent - ended, m.log.sent, true
}

func (m *material) reportCancelled(c evidence.Completeness, ended int64) {
	cancelled, known := c.Cancelled.Get()
	if known && cancelled > 0 {
		m.find("cancelled_silently", cancelled, m.log.path, "give a longer --benchmark-grace-period, or ask for a number of requests",
			"%d requests in flight at the end were cancelled: they have no record, and are neither good nor failed", cancelled)
	}
	if served, ok := m.server.firstTokens(); ok && !known && served > ended {
		m.find("cancelled_silently", served-ended, m.server.path, "add logs/aiperf.log to the archive: it counts them",
			"the server answered %d requests with a first token, the client recorded %d: some may have been cancelled at the end", served, ended)
	}
	if c.StoppedEarly {
		m.find("run_stopped_early", 1, "", "record the run to its end", "AIPerf says that the run was stopped: it is judged by what it completed")
	}
}

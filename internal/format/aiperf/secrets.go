package aiperf

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// redactDocument takes secrets out of a document before anything is read from
// it, and counts them; with report.Keep it only counts. Besides what every
// importer leaves out, machines that a client was pointed at are none of a
// reader's business.
func redactDocument(report *secret.Report, document node, path string) node {
	document.value = report.Value(path+"#", "", document.value)
	document.value = redactHosts(report, "", document.value, path)
	return document
}

// redactHosts takes the hosts of addresses out of a value, in place.
func redactHosts(report *secret.Report, name string, value any, path string) any {
	switch value := value.(type) {
	case string:
		return redactHost(report, name, value, path)
	case []any:
		for i := range value {
			value[i] = redactHosts(report, name, value[i], path)
		}
	case map[string]any:
		for _, member := range (node{value}).names() {
			value[member] = redactHosts(report, member, value[member], path)
		}
	}
	return value
}

var (
	hostInURL = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://(?:\[redacted url_credentials\]@)?)(\[[0-9a-fA-F:.]+\]|[^/\s'":@\[]+)`)
	// hostNames are members whose whole text is a machine.
	hostNames = []string{"hostname", "host", "url"}
)

// redactHost takes hosts out of one text; the client's own machine names
// nobody.
func redactHost(report *secret.Report, name, text, path string) string {
	mark := secret.Mark(secret.PrivateHost)
	cleaned := text
	switch {
	case strings.Contains(text, "://"):
		cleaned = hostInURL.ReplaceAllStringFunc(text, func(match string) string {
			parts := hostInURL.FindStringSubmatch(match)
			if ownMachine(parts[2]) {
				return match
			}
			return parts[1] + mark
		})
	case slices.Contains(hostNames, name) && !ownMachine(hostOf(text)) && !strings.Contains(text, "[redacted "):
		cleaned = mark
	}
	if cleaned != text {
		report.Found(secret.PrivateHost, path+"#"+name)
	}
	if report.Keep {
		return text
	}
	return cleaned
}

func ownMachine(host string) bool {
	host = strings.Trim(host, "[]")
	return host == "" || host == "localhost" || host == "::1" || host == "0.0.0.0" || strings.HasPrefix(host, "127.")
}

// hostOf returns the host of an address that may lack its scheme.
func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return address
	}
	return parsed.Hostname()
}

// clean returns a text without secrets, unless they are to be kept.
func (m *material) clean(text string) string {
	report := secret.Report{Keep: m.options.KeepSecrets}
	return report.Text("", text)
}

// allSecrets tells what was found in the run's files, also in those set aside.
func (m *material) allSecrets() []evidence.Finding {
	var all []evidence.Finding
	for _, file := range sortedFiles(m.run) {
		if file.read == nil {
			continue
		}
		for _, one := range file.read.secrets().Findings() {
			at := slices.IndexFunc(all, func(known evidence.Finding) bool { return known.Message == one.Message })
			if at < 0 {
				all = append(all, one)
				continue
			}
			all[at].Count += one.Count
		}
	}
	return all
}

// secrets is what a reading found.
func (r *reading) secrets() *secret.Report {
	switch {
	case r.summary != nil:
		return &r.summary.secrets
	case r.config != nil:
		return &r.config.secrets
	case r.server != nil:
		return &r.server.secrets
	case r.telemetry != nil:
		return &r.telemetry.secrets
	case r.log != nil:
		return &r.log.secrets
	}
	return &secret.Report{}
}

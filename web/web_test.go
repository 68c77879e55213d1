package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func TestHandlerServesTheBuild(t *testing.T) {
	script := "console.log('a');" + strings.Repeat("// long enough to compress\n", 100)
	built := handler(fstest.MapFS{
		"index.html":              {Data: []byte("<!doctype html>the page")},
		"assets/main-abc123.js":   {Data: []byte(script)},
		".vite/manifest.json":     {Data: []byte("{}")},
		".keep":                   {Data: nil},
		"icon.svg":                {Data: []byte("<svg/>")},
		"assets/nested/style.css": {Data: []byte("body{}")},
	})
	for _, test := range []struct {
		name, method, path      string
		status                  int
		kind, cache, bodyPrefix string
	}{
		{"the root is the page", "GET", "/", 200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		{"a deep link is the page", "GET", "/w/default/runs/run_1", 200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		{"a path that climbs is the page", "GET", "/../../etc/passwd", 200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		{"a hidden file is the page", "GET", "/.vite/manifest.json", 200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		{"a built file is cached for ever", "GET", "/assets/main-abc123.js", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "console.log"},
		{"a built file that is gone is not the page", "GET", "/assets/main-old.js", 404, "text/plain; charset=utf-8", "", "no such file"},
		{"a picture", "GET", "/icon.svg", 200, "image/svg+xml", "no-cache", "<svg/>"},
		{"nothing is written here", "POST", "/", 405, "text/plain; charset=utf-8", "", "only GET"},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			built.ServeHTTP(answer, httptest.NewRequest(test.method, test.path, nil))
			if answer.Code != test.status {
				t.Fatalf("status %d, want %d", answer.Code, test.status)
			}
			if kind := answer.Header().Get("Content-Type"); kind != test.kind {
				t.Errorf("type %q, want %q", kind, test.kind)
			}
			if cache := answer.Header().Get("Cache-Control"); cache != test.cache {
				t.Errorf("cache %q, want %q", cache, test.cache)
			}
			if !strings.HasPrefix(answer.Body.String(), test.bodyPrefix) {
				t.Errorf("body %q, want it to begin with %q", answer.Body.String(), test.bodyPrefix)
			}
			if test.status == http.StatusOK && !strings.Contains(answer.Header().Get("Content-Security-Policy"), "script-src 'self';") {
				t.Errorf("no policy: %v", answer.Header())
			}
		})
	}
}

func TestHandlerCompressesOnceAndAnswersUnchanged(t *testing.T) {
	script := strings.Repeat("let a = 1;\n", 500)
	built := handler(fstest.MapFS{"assets/a.js": {Data: []byte(script)}})
	request := httptest.NewRequest("GET", "/assets/a.js", nil)
	request.Header.Set("Accept-Encoding", "br, gzip")
	first := httptest.NewRecorder()
	built.ServeHTTP(first, request)
	if first.Header().Get("Content-Encoding") != "gzip" || first.Body.Len() >= len(script) {
		t.Fatalf("not compressed: %v, %d bytes", first.Header(), first.Body.Len())
	}
	reader, err := gzip.NewReader(first.Body)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil || string(plain) != script {
		t.Fatalf("expands to something else (%v)", err)
	}
	request.Header.Set("If-None-Match", first.Header().Get("ETag"))
	again := httptest.NewRecorder()
	built.ServeHTTP(again, request)
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Fatalf("second answer %d with %d bytes", again.Code, again.Body.Len())
	}
}

func TestHandlerWithoutABuildSaysHowToAddThePages(t *testing.T) {
	answer := httptest.NewRecorder()
	handler(fstest.MapFS{".keep": {}}).ServeHTTP(answer, httptest.NewRequest("GET", "/w/default/runs", nil))
	if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), "run <code>make</code>") {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
}

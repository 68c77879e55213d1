// Package web serves the browser workspace that Vite builds from this folder.
// It stands at the outer edge: it holds files, knows no evidence, and talks to
// the API only from the browser.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed all:dist
var dist embed.FS

// ContentSecurityPolicy is what the pages need and nothing more: scripts,
// styles, pictures and requests of the same origin, no inline code, no frames.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// notBuilt is shown when the program was built without the pages.
const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Kernelwake</title>
<h1>Kernelwake is running, without its pages</h1>
<p>This program was built before the browser workspace was. The API and the command line work as they are.</p>
<p>To add the pages: install Node 20 or newer, run <code>make</code> in the source folder, and start the program again.</p>
<p><a href="/api/docs">The API</a> · <a href="/healthz">Health</a></p>
</html>
`

// asset is one file ready to send.
type asset struct {
	plain, compressed []byte
	tag, kind         string
}

// Handler serves the pages: a file where there is one, else index.html, so
// that a link into the workspace opens on the screen it names. Built files
// carry a hash in their name and may be cached for ever; pages are asked for
// again each time.
func Handler() http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return handler(files)
}

func handler(files fs.FS) http.Handler {
	var cache sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET works here", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		found, ok := load(files, &cache, name)
		if !ok && strings.HasPrefix(name, "assets/") {
			http.Error(w, "no such file; reload the page to get the current version", http.StatusNotFound)
			return
		}
		if !ok {
			name = "index.html"
			if found, ok = load(files, &cache, name); !ok {
				found = &asset{plain: []byte(notBuilt), kind: "text/html; charset=utf-8"}
			}
		}
		send(w, r, name, found)
	})
}

// load returns a file of the build, compressed once.
func load(files fs.FS, cache *sync.Map, name string) (*asset, bool) {
	if held, ok := cache.Load(name); ok {
		return held.(*asset), true
	}
	if name == "" || strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, ".") {
		return nil, false
	}
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, false
	}
	sum := sha256.Sum256(content)
	made := &asset{plain: content, tag: `"` + hex.EncodeToString(sum[:12]) + `"`, kind: contentType(name)}
	if len(content) > 1024 && !strings.HasPrefix(made.kind, "image/png") && !strings.HasPrefix(made.kind, "font/") {
		made.compressed = squeeze(content)
	}
	cache.Store(name, made)
	return made, true
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

func squeeze(content []byte) []byte {
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, _ = writer.Write(content) // a buffer takes everything
	_ = writer.Close()
	return out.Bytes()
}

func send(w http.ResponseWriter, r *http.Request, name string, found *asset) {
	header := w.Header()
	header.Set("Content-Type", found.kind)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", ContentSecurityPolicy)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Vary", "Accept-Encoding")
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if found.tag != "" {
		header.Set("ETag", found.tag)
		if r.Header.Get("If-None-Match") == found.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := found.plain
	if found.compressed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = found.compressed
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body) // a client that went away is no error of ours
}

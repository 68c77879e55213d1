package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/format"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/importing"
	"kernelwake/internal/library"
	"kernelwake/web"
)

// Options are what a server runs with.
type Options struct {
	// Data is the folder everything is kept in.
	Data string
	// Listen is the address; port 0 picks a free one.
	Listen string
	// BootstrapToken becomes an operator-and-admin token on the first start.
	BootstrapToken string
	// Out gets the lines for people: the address, the sign-in link.
	Out io.Writer
	Log *slog.Logger
	// CacheBytes bounds the parsed forms kept at hand; 0 is the default.
	CacheBytes int64
	// Demo marks the server as one that shows example data.
	Demo bool
	// Ready is told the address once the server answers; may be nil.
	Ready func(Running)
}

// Running is a server that answers.
type Running struct {
	// URL is where it answers.
	URL string
	// SignInLink is the link of the first admin; empty where someone has
	// signed in before.
	SignInLink string
}

const (
	defaultCache = 128 << 20
	// drain is how long requests under way may take once the server stops.
	drain = 20 * time.Second
)

// Serve runs a server until the context ends, then lets requests finish.
func Serve(ctx context.Context, options Options) (err error) {
	began := time.Now()
	opened, err := openStores(ctx, options.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	api, err := wire(ctx, opened, options)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", options.Listen)
	if err != nil {
		return fault.New(fault.Unavailable, "address_unavailable", "can't listen on %s: %v", options.Listen, err).WithCause(err).
			WithHint("stop what listens there, or choose another address with --listen HOST:PORT; port 0 takes a free one")
	}
	running := Running{URL: "http://" + reachable(listener.Addr())}
	if running.SignInLink, err = opened.welcome(ctx, options, running.URL); err != nil {
		listener.Close()
		return err
	}
	if err := writeAddress(options.Data, running.URL); err != nil {
		listener.Close()
		return err
	}
	fmt.Fprintf(options.Out, "listening on %s\n", running.URL)
	options.Log.Info("ready", "url", running.URL, "data", options.Data, "version", Version, "ms", time.Since(began).Milliseconds())
	if options.Ready != nil {
		options.Ready(running)
	}
	return listenUntil(ctx, api.Handler(), listener, options)
}

// wire puts the API over the stores, after clearing what a process that is
// gone left behind.
func wire(ctx context.Context, opened *stores, options Options) (*httpapi.API, error) {
	importer, err := importing.New(importing.Options{
		Records: opened.records, Blobs: opened.blobs, Detect: format.Detect, PendingDir: filepath.Join(opened.dir, pendingFolder),
		Product: "graphsignal-server " + Version, At: killAt(),
	})
	if err != nil {
		return nil, err
	}
	temporary, unfinished, err := importer.Recover(ctx)
	if err != nil {
		return nil, fmt.Errorf("clearing what an earlier process left: %w", err)
	}
	if temporary+unfinished > 0 {
		options.Log.Info("cleared what an earlier process left", "temporary_files", temporary, "unfinished_imports", unfinished)
	}
	cache := options.CacheBytes
	if cache == 0 {
		cache = defaultCache
	}
	return httpapi.New(httpapi.Options{
		Records: opened.records, Blobs: opened.blobs, Library: library.New(opened.records, opened.blobs, cache), Importer: importer,
		Pages: web.Handler(), Log: options.Log, Version: Version, Demo: options.Demo,
	}), nil
}

func listenUntil(ctx context.Context, handler http.Handler, listener net.Listener, options Options) error {
	serving := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(options.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- serving.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	options.Log.Info("stopping", "drain_s", drain.Seconds())
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if err := serving.Shutdown(stopping); err != nil {
		return errors.Join(fmt.Errorf("stopping: requests under way were cut off: %w", err), serving.Close())
	}
	return nil
}

// reachable is the address as a browser on this machine writes it.
func reachable(address net.Addr) string {
	tcp, ok := address.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
	}
	return address.String()
}

// writeAddress leaves the chosen address where scripts find it.
func writeAddress(dir, url string) error {
	path := filepath.Join(dir, addressFile)
	if err := os.WriteFile(path+".new", []byte(url+"\n"), 0o600); err != nil {
		return fmt.Errorf("writing the address file: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("writing the address file: %w", err)
	}
	return nil
}

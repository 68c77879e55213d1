// Package client is the Go client of the API, for the command line: the same
// wire types as package httpapi, and a server's refusal as the failure it was
// there, with code, places and hint.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"kernelwake/internal/fault"
	"kernelwake/internal/httpapi"
)

// Client talks to one server in one workspace.
type Client struct {
	base, token, workspace string
	http                   *http.Client
}

// answerLimit bounds an answer that is held in memory.
const answerLimit = 1 << 30

// New returns a client of the server at an address, with a personal token, in
// a workspace by name or id.
func New(address, token, workspace string) (*Client, error) {
	parsed, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return nil, fault.New(fault.Invalid, "server_address", "%q is no server's address", address).WithHint("give one such as http://127.0.0.1:8080")
	}
	return &Client{base: parsed.String(), token: token, workspace: workspace, http: &http.Client{
		// The token goes to the server it is for and nowhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Address is where the server is.
func (c *Client) Address() string { return c.base }

// in is a path of the workspace.
func (c *Client) in(parts ...string) string {
	path := "/api/v1/workspaces/" + url.PathEscape(c.workspace)
	for _, part := range parts {
		path += "/" + url.PathEscape(part)
	}
	return path
}

// call is one request as the methods of the nouns make it.
type call struct {
	method, path string
	query        any
	body         any
	header       http.Header
}

// do sends a call and decodes the answer into a value; nil takes none.
func (c *Client) do(ctx context.Context, one call, into any) error {
	var body io.Reader
	if one.body != nil {
		data, err := json.Marshal(one.body)
		if err != nil {
			return fmt.Errorf("encoding a request: %w", err)
		}
		body = bytes.NewReader(data)
	}
	answer, err := c.send(ctx, one, body, "application/json")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(into); err != nil {
		return fmt.Errorf("reading the answer to %s %s: %w", one.method, one.path, err)
	}
	return nil
}

// send sends a request and returns a successful answer; a refusal is a
// failure.
func (c *Client) send(ctx context.Context, one call, body io.Reader, contentType string) (*http.Response, error) {
	address := c.base + one.path
	if query := queryOf(one.query).Encode(); query != "" {
		address += "?" + query
	}
	request, err := http.NewRequestWithContext(ctx, one.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	for name, values := range one.header {
		request.Header[name] = values
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", contentType)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	if answer.StatusCode >= 300 {
		defer answer.Body.Close()
		return nil, refusal(answer)
	}
	return answer, nil
}

func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("asking %s: %w", c.base, ctx.Err())
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	return fault.New(fault.Unavailable, "server_unreachable", "the server at %s doesn't answer: %v", c.base, err).
		WithCause(err).WithHint("check that `graphsignal-server serve` runs there, and --server")
}

// refusal is the failure a problem speaks of.
func refusal(answer *http.Response) error {
	data, err := io.ReadAll(io.LimitReader(answer.Body, 4<<20))
	var problem httpapi.Problem
	if err == nil && json.Unmarshal(data, &problem) == nil && problem.Status == answer.StatusCode {
		return problem.Fault()
	}
	return fault.New(fault.Unavailable, "answer_unexpected", "the server answered %s, which Kernelwake doesn't", answer.Status).
		WithHint("check that --server is the address of a Kernelwake server")
}

// edits names the revision an edit was made on.
func edits(revision int64) http.Header {
	return http.Header{"If-Match": {strconv.Quote(strconv.FormatInt(revision, 10))}}
}

// once makes a create harmless to repeat; an empty key doesn't.
func once(key string) http.Header {
	if key == "" {
		return nil
	}
	return http.Header{"Idempotency-Key": {key}}
}

// queryOf is a filter of package httpapi as query parameters: its fields with
// a query tag that aren't empty.
func queryOf(filter any) url.Values {
	values := url.Values{}
	if filter == nil {
		return values
	}
	addQuery(values, reflect.ValueOf(filter))
	return values
}

func addQuery(values url.Values, from reflect.Value) {
	for i := range from.NumField() {
		field, value := from.Type().Field(i), from.Field(i)
		name := field.Tag.Get("query")
		switch {
		case field.Anonymous && value.Kind() == reflect.Struct:
			addQuery(values, value)
		case name != "" && !value.IsZero():
			values.Set(name, fmt.Sprint(value.Interface()))
		}
	}
}

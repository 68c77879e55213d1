package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
)

const (
	// fieldLimit is the most bytes of one field beside the files.
	fieldLimit = 256 << 10
	filePart   = "file"
)

// importFiles receives files and fields in any order and imports them.
func importFiles(a *API, w http.ResponseWriter, r *http.Request) error {
	admitted := scopeOf(r.Context())
	upload := a.Importer.Begin()
	defer upload.Discard()
	fields, err := receive(r, upload, "workload", "run", "lens", "replicate_group", "dims", "setup_id", "via", "keep_secrets")
	if err != nil {
		return err
	}
	request, err := importRequest(fields)
	if err != nil {
		return err
	}
	answer, err := upload.Import(r.Context(), admitted.actor, admitted.workspaceID, request)
	if err != nil {
		return err
	}
	a.write(w, http.StatusOK, "application/json", answer)
	a.Importer.Reached(importing.Answered)
	return nil
}

func importRequest(fields map[string]string) (importing.Request, error) {
	request := importing.Request{
		Workload: fields["workload"], Run: fields["run"], Group: fields["replicate_group"], SetupID: fields["setup_id"], Via: fields["via"],
		KeepSecrets: fields["keep_secrets"] == "true",
	}
	var err error
	if request.Lens, err = chosenLens(fields["lens"]); err != nil {
		return request, err
	}
	if request.Via == "" {
		request.Via = "api"
	}
	if !slices.Contains([]string{"web", "cli", "demo", "api"}, request.Via) {
		return request, fault.New(fault.Invalid, "via_unknown", "%q is no way an import comes", request.Via).WithHint("use web, cli, demo or api")
	}
	if dims := fields["dims"]; dims != "" {
		if err := readJSON([]byte(dims), &request.Dims); err != nil {
			return request, fault.New(fault.Invalid, "dims_invalid", "the field dims is no JSON object").WithCause(err).WithHint(`send an object such as {"gpu_count": 8}`)
		}
	}
	return request, nil
}

func chosenLens(text string) (lens.ID, error) {
	if text == "" {
		return "", nil
	}
	if _, ok := lens.Find(lens.ID(text)); !ok {
		return "", fault.New(fault.Invalid, "lens_unknown", "%q is no lens", text).WithHint("use inference, training or fleet, or leave it out")
	}
	return lens.ID(text), nil
}

// checkImport says what is in one file. A file that can't be read is an
// answer, not a failure.
func checkImport(a *API, w http.ResponseWriter, r *http.Request) error {
	upload := a.Importer.Begin()
	defer upload.Discard()
	fields, err := receive(r, upload, "lens")
	if err != nil {
		var unread *unreadable
		if !errors.As(err, &unread) {
			return err
		}
		checked, err := importing.Refused(unread.file, "", unread.err)
		if err != nil {
			return err
		}
		a.write(w, http.StatusOK, "application/json", checked)
		return nil
	}
	chosen, err := chosenLens(fields["lens"])
	if err != nil {
		return err
	}
	checked, err := upload.Check(r.Context(), chosen)
	if err != nil {
		return err
	}
	a.write(w, http.StatusOK, "application/json", checked)
	return nil
}

// unreadable is a refusal of a file, with the file's name.
type unreadable struct {
	file evidence.File
	err  error
}

func (u *unreadable) Error() string { return u.err.Error() }
func (u *unreadable) Unwrap() error { return u.err }

// receive reads a multipart body: parts named file go into the upload, the
// others must be known fields.
func receive(r *http.Request, upload *importing.Upload, known ...string) (map[string]string, error) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, encodingRefused(encoding)
	}
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" || parameters["boundary"] == "" {
		return nil, fault.New(fault.Unsupported, "multipart_expected", "an import is a multipart/form-data body, this one is %q", r.Header.Get("Content-Type")).
			WithHint("send each file as a part named file: curl -F file=@capture.json …")
	}
	fields := map[string]string{}
	for body := multipart.NewReader(r.Body, parameters["boundary"]); ; {
		part, err := body.NextRawPart()
		if errors.Is(err, io.EOF) {
			return fields, nil
		}
		if err != nil {
			return nil, broken(err)
		}
		if err := receivePart(r, part, upload, fields, known); err != nil {
			return nil, err
		}
	}
}

func receivePart(r *http.Request, part *multipart.Part, upload *importing.Upload, fields map[string]string, known []string) error {
	if encoding := part.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return encodingRefused(encoding)
	}
	name := part.FormName()
	if name == filePart {
		if err := upload.Add(r.Context(), part.FileName(), part, part.Header.Get("X-Content-SHA256")); err != nil {
			return &unreadable{evidence.File{Name: part.FileName()}, err}
		}
		return nil
	}
	if !slices.Contains(known, name) {
		return fault.New(fault.Invalid, "field_unknown", "the import has a field %q that nothing reads", name).WithHint("the fields are file, %s", strings.Join(known, ", "))
	}
	if _, twice := fields[name]; twice {
		return fault.New(fault.Invalid, "field_repeated", "the field %s is there twice", name).WithHint("send it once")
	}
	value, err := io.ReadAll(io.LimitReader(part, fieldLimit+1))
	if err != nil {
		return broken(err)
	}
	if len(value) > fieldLimit {
		return fault.New(fault.TooLarge, "field_too_large", "the field %s may have %d KiB", name, fieldLimit>>10).WithHint("shorten it")
	}
	fields[name] = string(value)
	return nil
}

func encodingRefused(encoding string) error {
	return fault.New(fault.Unsupported, "content_encoding", "an upload with Content-Encoding %q is refused: limits are on the bytes received", encoding).
		WithHint("send the file itself; a gzip file is read as one without any header")
}

func broken(err error) error {
	return fault.New(fault.Invalid, "upload_broken", "the upload can't be read to its end: %v", err).WithCause(err).WithHint("send it again")
}

func describeImport(r huma.Registry, operation *huma.Operation) {
	describeMultipart(r, operation, reflect.TypeFor[importing.Answer](), "The runs and captures made, and what was recognised", map[string]string{
		"workload": "the name of the workload the runs go under", "run": "one name for one run of all files", "lens": "inference, training or fleet",
		"replicate_group": "the name that ties replicates together", "dims": "a JSON object of declared values", "setup_id": "a setup to attach",
		"via": "web, cli, demo or api", "keep_secrets": "true keeps found secrets in the parsed form",
	})
}

func describeCheck(r huma.Registry, operation *huma.Operation) {
	describeMultipart(r, operation, reflect.TypeFor[importing.Checked](), "What is in the file", map[string]string{"lens": "inference, training or fleet"})
}

func describeMultipart(r huma.Registry, operation *huma.Operation, answer reflect.Type, says string, fields map[string]string) {
	operation.Parameters = pathParameters("ws")
	operation.Description = fmt.Sprintf("Each part named file is a capture, up to %d in one import; its header X-Content-SHA256, where given, is checked. Bodies with Content-Encoding are refused.", importing.FilesLimit)
	properties := map[string]*huma.Schema{filePart: {Type: "array", Items: &huma.Schema{Type: "string", Format: "binary"}}}
	for name, says := range fields {
		properties[name] = &huma.Schema{Type: "string", Description: says}
	}
	operation.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"multipart/form-data": {Schema: &huma.Schema{Type: "object", Required: []string{filePart}, Properties: properties}},
	}}
	operation.Responses = map[string]*huma.Response{"200": {
		Description: says, Content: map[string]*huma.MediaType{"application/json": {Schema: r.Schema(answer, true, "")}},
	}}
}

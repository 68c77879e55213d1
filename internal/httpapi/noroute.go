package httpapi

import (
	"net/http"
	"strings"

	"kernelwake/internal/fault"
)

// everythingElse is what the API is asked for and no route takes.
const everythingElse = "/api/"

// methods are those that the routes use.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete}

// refuseRoute answers what no route takes: 405 with the methods that the path
// has, else 404.
func (a *API) refuseRoute(w http.ResponseWriter, r *http.Request) {
	allowed := a.allowed(r)
	if len(allowed) == 0 {
		a.writeProblem(w, r, fault.New(fault.NotFound, "route_not_found", "there is no %s %s", r.Method, r.URL.Path).WithHint("see /api/docs for the routes there are"))
		return
	}
	takes := strings.Join(allowed, ", ")
	w.Header().Set("Allow", takes)
	a.writeProblem(w, r, &Problem{
		Type: "method_not_allowed", Title: "Not allowed here", Status: http.StatusMethodNotAllowed, RequestID: requestID(r.Context()),
		Detail: r.Method + " isn't what " + r.URL.Path + " takes", Hint: "send " + takes + "; see /api/docs for the routes there are", Errors: []fault.Problem{},
	})
}

// allowed lists the methods under which a route has the request's path.
func (a *API) allowed(r *http.Request) []string {
	var found []string
	for _, method := range methods {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := a.mux.Handler(other); pattern != everythingElse {
			found = append(found, method)
		}
	}
	return found
}

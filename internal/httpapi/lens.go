package httpapi

import (
	"context"

	"kernelwake/internal/lens"
)

func lenses(*API, context.Context, *struct{}) (*struct{ Body []lens.Lens }, error) {
	return &struct{ Body []lens.Lens }{lens.All}, nil
}

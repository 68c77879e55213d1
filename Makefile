# Two commands set everything up: `make demo` and `make test`.
# They need Go 1.26, Node 20 and npm; the rest they fetch by version.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unversioned)
SERVER := bin/graphsignal-server
GO_SOURCES := $(shell find cmd internal web -name '*.go' -not -path '*/node_modules/*') go.mod go.sum
WEB_SOURCES := $(shell find web/src web/public web/index.html web/*.json web/*.ts -type f 2>/dev/null)

.PHONY: build demo test lint check gen e2e bench alarms crash fuzz clean tools-present

build: $(SERVER)

tools-present:
	@command -v go >/dev/null || { echo "Go is missing: install Go 1.26 or newer from https://go.dev/dl"; exit 1; }
	@command -v npm >/dev/null || { echo "Node is missing: install Node 20 or newer with npm from https://nodejs.org"; exit 1; }

$(SERVER): web/dist/index.html $(GO_SOURCES) | tools-present
	go build -trimpath -ldflags "-s -w -X kernelwake/internal/server.Version=$(VERSION)" -o $@ ./cmd/graphsignal-server

web/node_modules/.installed: web/package-lock.json | tools-present
	cd web && npm ci --no-audit --no-fund --loglevel=error
	touch $@

web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && npm run --silent build

# demo: the server on a scratch folder, filled with example data, signed in.
demo: build
	$(SERVER) demo

# test: every test that needs nothing but this repository.
test: build
	go vet ./...
	go test $(GO_TEST_FLAGS) ./...
	cd web && npm run --silent check

lint: web/node_modules/.installed
	@unformatted=$$(go tool -modfile=tools/go.mod gofumpt -l cmd internal web/*.go *.go); [ -z "$$unformatted" ] || { echo "gofumpt would change: $$unformatted"; exit 1; }
	go vet ./...
	go tool -modfile=tools/go.mod staticcheck ./...
	cd web && npm run --silent lint

# gen: what is generated from the code; `check` fails when it has drifted.
gen: build
	go generate ./...
	cd web && npm run --silent gen

check: lint test gen
	git diff --exit-code --stat -- api docs web/src/api

# e2e: headless Chromium against the real binary (CHROMIUM names another browser).
e2e: build
	cd web && npm run --silent e2e

bench: build
	./internal/benchmark/run

alarms:
	go run ./internal/expected/alarms

crash: build
	KERNELWAKE_CRASH_SECONDS=$${KERNELWAKE_CRASH_SECONDS:-60} go test -count=1 -v -run 'Kill' ./internal/server/...

# fuzz: each decoder for a bounded time.
FUZZ_SECONDS ?= 15
fuzz:
	./.ci/fuzz $(FUZZ_SECONDS)

clean:
	rm -rf bin web/dist/assets web/dist/index.html web/node_modules

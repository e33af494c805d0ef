# simrun: `make run` prints the main table, `make test` runs every test.

GO       ?= go
BIN      := bin/simrun
FUZZTIME ?= 60s

.PHONY: build run test test-long fuzz report measured bench fmt vet clean

build:
	$(GO) build -o $(BIN) ./cmd/simrun

run: build
	@$(BIN) table --measure

test: vet
	$(GO) test ./...

# The long forms: a million random instances per instruction set, then every fuzz target.
test-long: vet
	SIMRUN_LONG=1 $(GO) test -timeout 180m ./...
	$(MAKE) fuzz

# -list prints the names of the fuzz targets of a package; one target runs at a time.
fuzz:
	@$(GO) list ./... | while read -r pkg; do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "fuzz $$pkg $$f"; \
	    $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$pkg </dev/null || exit 1; \
	  done; \
	done

# The committed tables hold predicted values only, so the same tree gives the same bytes.
report: build
	$(BIN) table --format markdown > reports/table.md.new
	$(BIN) table --format json > reports/table.json.new
	mv reports/table.md.new reports/table.md
	mv reports/table.json.new reports/table.json

# Measured values of this computer, apart from the predicted ones because they change with it.
measured: build
	$(BIN) table --measure --cpu x86-64-ssse3 --format markdown > reports/measured.md.new
	mv reports/measured.md.new reports/measured.md

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./isa/... ./sim/... ./programs/...

fmt:
	gofmt -s -w .

vet:
	@test -z "$$(gofmt -s -l .)" || { echo "not formatted (make fmt):"; gofmt -s -l .; exit 1; }
	$(GO) vet ./...

clean:
	rm -rf bin

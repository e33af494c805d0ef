# simrun: `make run` prints the main table, `make test` runs every test.

GO       ?= go
BIN      := bin/simrun
FUZZTIME ?= 60s

.PHONY: build run test test-long fuzz report schedules measured bench fmt vet clean

build:
	$(GO) build -o $(BIN) ./cmd/simrun

run: build
	@$(BIN) table --measure

# A busy computer takes longer than the ten minutes that a package has by default.
test: vet
	$(GO) test -timeout 20m ./...

# The long forms (foreign.Count in the tests says how many cases), then every fuzz target.
test-long: vet
	SIMRUN_LONG=1 $(GO) test -timeout 180m ./...
	$(MAKE) fuzz

# -list prints the names of the fuzz targets of a package; one target runs at a time. Making a new input smaller is cut
# short, or it takes most of the time.
fuzz:
	@$(GO) list ./... | while read -r pkg; do \
	  names=$$($(GO) test -list '^Fuzz' $$pkg) || exit 1; \
	  for f in $$(echo "$$names" | grep '^Fuzz'); do \
	    echo "fuzz $$pkg $$f"; \
	    $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg </dev/null || exit 1; \
	  done; \
	done

# The committed tables and the outputs shown in README.md and docs/ hold predicted values only, so
# the same tree gives the same bytes. make test fails when they are not those of the tree.
report:
	$(GO) test ./costmodel -run '^TestAccuracyPage$$' -update
	$(GO) test ./internal/bench -run '^(TestCatalogue|TestGains|TestMechanisms|TestCoreFigures|TestGCC)$$' -update
	$(GO) test ./cmd/simrun -run '^TestDocs$$' -update

# Stored schedules on the CPUs that the M4 and the FE310 inherit from, of the kernels whose names match KERNELS. A schedule is
# only replaced by a better one of the same code and CPU file, so EVALS and SEED may differ from run to run.
EVALS   ?= 20000
SEED    ?= 1
KERNELS ?= *
schedules: build
	for cpu in cortex-m3 sifive-e31 core2-merom core2-penryn znver3; do \
	  $(BIN) list kernels --cpu $$cpu | while read -r kernel file rest; do \
	    case $$kernel in $(KERNELS)) ;; *) continue ;; esac; \
	    $(BIN) tune $$kernel --cpu $$cpu --seed $(SEED) --evals $(EVALS) </dev/null \
	      -o ciphers/$$(dirname $$file)/$$(echo $$kernel | tr /- __).$$cpu.sched || exit 1; \
	  done || exit 1; \
	done

# Measured values of this computer beside the predicted ones, apart from the other tables because they change with it.
measured: build
	$(BIN) table --measure --cpu core2-merom,core2-penryn,x86-64-ssse3,znver3 --format markdown > reports/measured.md.new
	mv reports/measured.md.new reports/measured.md

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./ciphers ./internal/... ./isa/... ./programs/... ./sim/...

fmt:
	gofmt -s -w .

vet:
	@test -z "$$(gofmt -s -l .)" || { echo "not formatted (make fmt):"; gofmt -s -l .; exit 1; }
	$(GO) vet ./...

clean:
	rm -rf bin

# Every target that a person calls has a "##" line; `make help` shows them.

IMAGE ?= rollcall.dev/rollcall:dev
CLUSTER ?= rollcall
KUBERNETES_VERSION ?=
ARCH ?= $(shell go env GOARCH)

# ROLLCALL is the program built for this machine.
ROLLCALL := bin/rollcall

# One set of flags for every build, so that the program, its image, the tests
# and vet share what is compiled.
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -trimpath
GOBUILD := go build -ldflags '-s -w'

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

.PHONY: build
build: ## Build rollcall for this machine, as bin/rollcall
	@echo "==> Build rollcall (some minutes the first time, seconds afterwards)"
	@$(GOBUILD) -o $(ROLLCALL) ./cmd/rollcall

.PHONY: cluster
cluster: build ## Bring up a kind cluster, or leave the healthy one that is there
	@$(ROLLCALL) kind create --name $(CLUSTER) $(if $(KUBERNETES_VERSION),--kubernetes-version $(KUBERNETES_VERSION))

.PHONY: clean-cluster
clean-cluster: build ## Take the kind cluster away
	@$(ROLLCALL) kind delete --name $(CLUSTER)

# The binaries are built on this machine, not in the image build: it needs no
# base image, shares the Go build cache and crosses architectures for nothing.
# /tmp is there for whatever runs as another user than root.
binaries-%:
	@mkdir -p dist/linux-$*/tmp && chmod 1777 dist/linux-$*/tmp
	@for program in rollcall workload; do \
		GOOS=linux GOARCH=$* $(GOBUILD) -o dist/linux-$*/$$program ./cmd/$$program || exit 1; \
	done

# The legacy builder is enough, and some engines have no other.
.PHONY: image
image: binaries-$(ARCH) ## Build rollcall's image for this machine's architecture
	@DOCKER_BUILDKIT=0 docker build --quiet --build-arg TARGETARCH=$(ARCH) --tag $(IMAGE) . 2>/dev/null \
		|| DOCKER_BUILDKIT=0 docker build --build-arg TARGETARCH=$(ARCH) --tag $(IMAGE) .

.PHONY: image-archives
image-archives: image-archive-amd64 image-archive-arm64 ## Build rollcall's image for amd64 and arm64, as dist/rollcall-ARCH.tar

image-archive-%: binaries-%
	@GOOS= GOARCH= go run ./kind/imagearchive -arch $* -programs dist/linux-$* -tag $(IMAGE) -output dist/rollcall-$*.tar

.PHONY: load
load: image build ## Load rollcall's image into the kind cluster
	@$(ROLLCALL) kind load --name $(CLUSTER) $(IMAGE)

# staticcheck is a module of its own, so that the product's go.mod stays small.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: test
test: ## Check and test everything that needs no cluster (3 minutes, 10 the first time)
	@echo "==> Check the form of the code: gofmt, vet, staticcheck"
	@test -z "$$(gofmt -l cmd fixtures framework kind suites)" || { echo "gofmt would change:"; gofmt -l cmd fixtures framework kind suites; exit 1; }
	@go vet ./...
	@go run $(STATICCHECK) ./...
	@echo "==> Run the tests"
	@go test ./...

.PHONY: docs
docs: build ## Write docs/requirements.md and docs/mutants.md anew
	@$(ROLLCALL) list -o markdown > docs/requirements.md
	@$(ROLLCALL) kind mutants --results docs/mutants.json --markdown > docs/mutants.md

# How far the run reaches; see the README.
LEVEL ?= namespace
OUT ?= out

.PHONY: conformance
conformance: cluster load ## Bring up a cluster and run rollcall in it as a Job; report in out/
	@$(ROLLCALL) job --context kind-$(CLUSTER) --level $(LEVEL) --image $(IMAGE) --out $(OUT)

# MUTANT is a name, a component such as kubelet, or ci for a small set of all
# components; several are separated by spaces. Reports and results outlive it.
# Three clusters share all mutants out among them: what takes long is waiting for
# what does not come. Some mutants are tried in one.
MUTANT_CLUSTERS ?= $(CLUSTER)$(if $(MUTANT),, $(CLUSTER)-2 $(CLUSTER)-3)

# The time limits are those of a busy machine, and a mutant that keeps a promise
# from coming true is seen only when one has passed.
MUTANT_SCALE ?= 0.5

MUTANT_RESULTS ?= docs/mutants.json

.PHONY: mutants
mutants: build ## Break one promise of the cluster at a time and see that it is caught (all: an hour; MUTANT=name, MUTANT=ci)
	@for name in $(MUTANT_CLUSTERS); do $(ROLLCALL) kind create --name $$name || exit; done
	@$(MAKE) --no-print-directory image
	@$(ROLLCALL) kind mutants $(MUTANT_CLUSTERS:%=--name %) --image $(IMAGE) --timeout-scale $(MUTANT_SCALE) --results $(MUTANT_RESULTS) $(MUTANT)

# MISHAP is a regular expression for the names of tests; it is empty for all.
MISHAP ?=

.PHONY: mishaps
mishaps: cluster load ## Kill runs, refuse their Pods, take nodes and the API server away, and see that nothing is left (20 minutes; MISHAP=name)
	@go test ./kind/mishaps -count 1 -v -timeout 60m -run '$(MISHAP)' \
		-cluster $(CLUSTER) -image $(IMAGE) -program $(CURDIR)/$(ROLLCALL) -reports $(CURDIR)/$(OUT)/mishaps

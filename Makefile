# What a person or a CI runs. The logic is in Go programs under scripts/.
# make without a target lists them.

# Packages whose code is concurrent: their tests run under the race detector.
RACE = ./internal/apikey/... ./internal/app/... ./internal/clock/... ./internal/commit/... \
	./internal/ids/... ./internal/ledger/... ./internal/localserver/... ./internal/outbox/... \
	./internal/queue/... ./internal/ratelimit/... ./internal/recall/... ./internal/search/... ./internal/store/... ./internal/work/... \
	./internal/httpapi ./internal/lambdawork/... \
	./internal/factsearch/... ./internal/run/... ./internal/webhook/...

# Packages that leave concurrency to those who call them: of their tests, those that race.
RACES = ./internal/consolidate ./internal/recall/rank ./internal/search/analysis

RACED = $$(go list $(RACE) | grep -vxF "$$(go list $(RACES))")

# staticcheck's own set, and package comments.
CHECKS = inherit,ST1000

FUZZTIME = 10s

.PHONY: coldstart synth deploy destroy estimate synth-test help integration run test check lint fmt unit race functions build bench bench-check bench-screen acceptance fuzz openapi

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

run: ## Start the service on this machine; nothing to configure
	go run ./scripts/local

test: check unit race functions ## All that must pass: format, linters, tests, race detector, all functions for AWS

check: lint
	@unformatted=$$(gofmt -l $$(go list -f '{{.Dir}}' ./...)); if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi

lint: ## go vet, staticcheck and errcheck, in the versions of go.mod
	go vet ./...
	go tool staticcheck -checks $(CHECKS) ./...
	go tool errcheck ./...

fmt: ## Format all Go files
	gofmt -w $$(go list -f '{{.Dir}}' ./...)

unit:
	go run ./scripts/gotest $$(go list ./... | grep -vxF "$(RACED)")

race:
	go run ./scripts/gotest -race $(RACED)
	go run ./scripts/gotest -race -run Races $(RACES)

functions:
	go run ./scripts/build

build: ## The local server and every function, into .bin/
	go build -trimpath -o .bin/holdfast ./scripts/local
	go run ./scripts/build -out .bin/functions

bench: ## Measure ranking, speed and kill -9; ARGS="-parts speed -sizes 10000"
	HOLDFAST_RATE_KEY_PER_MINUTE=0 HOLDFAST_RATE_TENANT_PER_MINUTE=0 go run ./scripts/bench $(ARGS)

bench-check: ## Measure ranking and fail where it is worse than scripts/bench/baseline.json by more than .005
	go run ./scripts/bench -parts recall,made -compare scripts/bench/baseline.json $(ARGS)

bench-screen: ## Measure the screening rules: false alarms and attacks found
	go run ./scripts/screenbench $(ARGS)

integration: ## The suites and the service on real engines: DynamoDB and SQS emulated, a real OpenSearch node
	scripts/integration.sh

coldstart: ## How long functions take from start to their first event
	go run ./scripts/build -out .bin/functions
	go run ./scripts/coldstart $(ARGS)

synth: ## Write the CloudFormation templates into cdk.out/; ARGS="-c stage=prod"
	go run ./scripts/cdk synth $(ARGS)

deploy: ## Deploy to AWS with the account and Region of the environment; ARGS="-c stage=prod"
	go run ./scripts/cdk deploy $(ARGS)

destroy: ## Take a deployment down; stage prod refuses without -c allowDestroy=true
	go run ./scripts/cdk destroy $(ARGS)

estimate: ## What a deployment costs a month at a stated load
	go run ./scripts/estimate $(ARGS)

synth-test: ## Vet, lint and assert the templates; needs Node 20
	go vet -tags infra ./infra
	go tool staticcheck -tags infra -checks $(CHECKS) ./infra
	go tool errcheck -tags infra ./infra
	go test -tags infra ./infra

acceptance: ## Run the black-box cases beside the repository, if they are there; ARGS="--family memory"
	go run ./scripts/acceptance $(if $(BASE),-base $(BASE)) -cases ../shared/acceptance/run -- $(ARGS)

fuzz: ## Every fuzz target for FUZZTIME
	@failed=; for pkg in $$(go list ./...); do \
		for name in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "== $$pkg $$name"; \
			go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) $$pkg || failed="$$failed $$name"; \
		done; \
	done; if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

openapi: ## Write the OpenAPI document anew
	go test ./internal/openapi -count 1 -update

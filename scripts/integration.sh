#!/usr/bin/env bash
# The suites against real engines, without a container engine: MiniStack for
# DynamoDB and SQS, a real OpenSearch node. Both are fetched once into .engines/,
# pinned, and run on loopback. What it started it stops.
set -euo pipefail
cd "$(dirname "$0")/.."
export MINISTACK_PORT=${MINISTACK_PORT:-4566} OPENSEARCH_PORT=${OPENSEARCH_PORT:-9200}

stop() {
	scripts/engines/ministack.sh stop || true
	scripts/engines/opensearch.sh stop || true
}
trap stop EXIT

aws=$(scripts/engines/ministack.sh start)
search=$(scripts/engines/opensearch.sh start)
echo "== engines: $aws (DynamoDB, SQS), $search (OpenSearch)"

suite() { # name, packages and flags
	local name=$1 start=$SECONDS
	shift
	env HOLDFAST_TEST_DYNAMODB_URL="$aws" HOLDFAST_TEST_SQS_URL="$aws" HOLDFAST_TEST_OPENSEARCH_URL="$search" \
		go run ./scripts/gotest -tags integration "$@"
	echo "== $name: $((SECONDS - start)) s"
}

suite "table" ./internal/store/dynamo
suite "queues" ./internal/queue/sqs
suite "index" ./internal/search/opensearch

scripts/engines/ministack.sh reset
settings=$(mktemp)
go run ./scripts/emulate -endpoint "$aws" -opensearch "$search" >"$settings"
start=$SECONDS
ENGINES_ENV=$settings go run ./scripts/gotest -tags integration -run OnRealEngines ./internal/e2e
rm -f "$settings"
echo "== the service on real engines: $((SECONDS - start)) s"

# The deployment: every route and worker a function of its own behind the HTTP API.
scripts/engines/ministack.sh reset
start=$SECONDS
cdk=(go run ./scripts/cdk)
target=(-endpoint "$aws" -c stage=test -c arch=amd64 -c "searchEndpoint=$search" -c cors=https://app.example)
"${cdk[@]}" -endpoint "$aws" bootstrap
"${cdk[@]}" "${target[@]}" deploy
go run ./scripts/verifydeploy -endpoint "$aws"
echo "== deployed and verified: $((SECONDS - start)) s"
start=$SECONDS
env $(go run ./scripts/deployed -endpoint "$aws") go run ./scripts/gotest -tags integration -run OnTheDeployedAPI ./internal/e2e
echo "== the deployed service: $((SECONDS - start)) s"
"${cdk[@]}" -reuse "${target[@]}" destroy
echo "== destroyed"

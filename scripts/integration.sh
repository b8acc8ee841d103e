#!/usr/bin/env bash
# The product against real engines, without a container engine: MiniStack for AWS, a
# real OpenSearch node. Both are fetched once into .engines/, pinned, and run on
# loopback. What it started it stops, also after a failure. Each part leaves a log in
# .engines/logs, and the end tells each in a line: passed, failed or skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
export MINISTACK_PORT=${MINISTACK_PORT:-4566} OPENSEARCH_PORT=${OPENSEARCH_PORT:-9200}
logs=.engines/logs
mkdir -p "$logs"
rm -f "$logs"/*.log
summary=() failed=0 broken=0 forwarder=

stop() {
	[ -z "$forwarder" ] || kill "$forwarder" 2>/dev/null || true
	scripts/engines/ministack.sh stop || true
	scripts/engines/opensearch.sh stop || true
}
trap stop EXIT

# part NAME COMMAND...: one part, whose output is its log. Parts of the deployment
# are skipped once one of them has failed.
part() {
	local name=$1 start=$SECONDS
	shift
	echo "== $name"
	if "$@" >"$logs/$name.log" 2>&1; then
		summary+=("passed   $name, $((SECONDS - start)) s")
		grep -hE 'tests passed|SKIPPED|0 differ|repaired' "$logs/$name.log" || true
		return 0
	fi
	summary+=("failed   $name, $((SECONDS - start)) s; see $logs/$name.log")
	tail -n 60 "$logs/$name.log"
	failed=1
	return 1
}
deployment() {
	if [ "$broken" = 1 ]; then
		summary+=("skipped  $1: an earlier part of the deployment failed")
		return
	fi
	part "$@" || broken=1
}

aws=$(scripts/engines/ministack.sh start)
search=$(scripts/engines/opensearch.sh start)
echo "== engines: $aws (AWS), $search (OpenSearch)"

suite() {
	env HOLDFAST_TEST_DYNAMODB_URL="$aws" HOLDFAST_TEST_SQS_URL="$aws" HOLDFAST_TEST_OPENSEARCH_URL="$search" \
		go run ./scripts/gotest -tags integration -count=1 "$1"
}
part table suite ./internal/store/dynamo || true
part queues suite ./internal/queue/sqs || true
part index suite ./internal/search/opensearch || true

real() {
	scripts/engines/ministack.sh reset
	go run ./scripts/emulate -endpoint "$aws" -opensearch "$search" >"$logs/settings"
	ENGINES_ENV=$PWD/$logs/settings go run ./scripts/gotest -tags integration -count=1 -run OnRealEngines ./internal/e2e
}
part service real || true

# The deployment: every route and worker a function of its own behind the HTTP API.
target=(-endpoint "$aws" -c stage=test -c arch=amd64 -c "searchEndpoint=$search" -c cors=https://app.example)
deploy() {
	scripts/engines/ministack.sh reset
	go run ./scripts/cdk -endpoint "$aws" bootstrap
	go run ./scripts/cdk "${target[@]}" deploy
}
walk() {
	env $(go run ./scripts/deployed -endpoint "$aws") \
		go run ./scripts/gotest -tags integration -count=1 -run OnTheDeployedAPI ./internal/e2e
}
deployment deploy deploy
deployment verify-deploy go run ./scripts/verifydeploy -endpoint "$aws"
deployment deployed-walk walk

# The black-box cases beside the repository tell how far the product has come: many
# wait for later releases, so their count is told and decides nothing.
cases=../shared/acceptance/run
if [ -x "$cases" ] && [ "$broken" = 0 ]; then
	go build -o .bin/deployed ./scripts/deployed
	.bin/deployed -endpoint "$aws" -serve 127.0.0.1:8391 &
	forwarder=$!
	eval "$(.bin/deployed -endpoint "$aws" | grep '^DEPLOYED_KEY=')"
	ROOT_KEY=$DEPLOYED_KEY timeout 900 go run ./scripts/acceptance -base http://127.0.0.1:8391 -cases "$cases" -- \
		--family memory --fast >"$logs/acceptance.log" 2>&1 || true
	summary+=("told     acceptance on the deployment, memory: $(grep -E '[0-9]+ cases? passed|[0-9]+ passed' "$logs/acceptance.log" | tail -n 1)")
else
	summary+=("skipped  acceptance on the deployment: no cases beside the repository, or no deployment")
fi
deployment destroy go run ./scripts/cdk -reuse "${target[@]}" destroy

printf '== %s\n' "${summary[@]}"
exit "$failed"

#!/usr/bin/env bash
# Runs one OpenSearch node with the k-NN plugin in a single JVM on this machine's
# loopback address, from Maven artifacts: no container, no package, root or not.
#
#   scripts/engines/opensearch.sh start      fetch it once, start it, wait until it serves
#   scripts/engines/opensearch.sh status     fails when it does not run
#   scripts/engines/opensearch.sh stop       end it; its indexes stay
#   scripts/engines/opensearch.sh clean      end it and forget its indexes
#   scripts/engines/opensearch.sh checksums  write the checksums of what was fetched
#
# start and status print the address and nothing else; the rest goes to standard
# error. Each command may be repeated. Needs Java 17 or later; to fetch, also mvn and unzip.
#
#   ENGINES_DIR       where everything lies (default: .engines in the repository)
#   OPENSEARCH_PORT   its HTTP port, at most 9299 (default 9200)
#   OPENSEARCH_HEAP   heap of the JVM (default 512m)
#   OPENSEARCH_JVM    its flags (default: those of a quick start; empty to measure speed)
#   MAVEN_REPO_LOCAL  Maven's local repository (default: inside ENGINES_DIR)
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/opensearch" && pwd)
port=${OPENSEARCH_PORT:-9200}
heap=${OPENSEARCH_HEAP:-512m}
flags=${OPENSEARCH_JVM--XX:+UseSerialGC -XX:TieredStopAtLevel=1}
address=http://127.0.0.1:$port
mkdir -p "${ENGINES_DIR:=$source_dir/../../../.engines}"
base=$(cd "$ENGINES_DIR" && pwd)/opensearch
dist=$base/dist   # jars of the pinned version
state=$base/$port # of the node on this port: log, process id, indexes
pid_file=$state/pid
log=$state/log
cluster=holdfast-$port

note() { echo "opensearch: $*" >&2; }
die() { note "$*"; exit 1; }

# fetch gathers the jars of pom.xml in the given folder.
fetch() {
  local tool
  for tool in mvn unzip; do command -v "$tool" >/dev/null || die "$tool is needed to fetch the node"; done
  mvn --batch-mode --quiet -Dstyle.color=never --file "$source_dir/pom.xml" \
    -Dmaven.repo.local="${MAVEN_REPO_LOCAL:-$base/maven}" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DoutputDirectory="$1" >&2
}

# verify compares what lies in a folder with the list: no file may differ, lack or be
# there beside those.
verify() {
  (cd "$1" && sha256sum --check --strict --quiet "$source_dir/SHA256SUMS") >&2 &&
    [[ $(find "$1" -type f | wc -l) == $(wc -l <"$source_dir/SHA256SUMS") ]]
}

# install lays out the node. The copy of the list tells a finished installation of
# this version.
install() {
  cmp -s "$source_dir/SHA256SUMS" "$dist/SHA256SUMS" && return
  local fresh=$base/fresh attempt
  for attempt in 1 2 3; do
    rm -rf "$fresh"
    note "fetching the node into $base (60 MB)"
    fetch "$fresh/lib" && break
    [[ $attempt == 3 ]] && die "mvn could not fetch it"
    sleep $((10 * attempt))
  done
  verify "$fresh/lib" || die "what was fetched is not what SHA256SUMS lists"
  unzip -q "$fresh"/lib/opensearch-knn-*.zip '*.jar' -d "$fresh/knn"
  cp "$source_dir/SHA256SUMS" "$fresh/"
  rm -rf "$dist"
  mv "$fresh" "$dist"
}

# checksums is for the one who changes a version.
checksums() {
  local fresh=$base/fresh
  rm -rf "$fresh"
  fetch "$fresh/lib"
  (cd "$fresh/lib" && LC_ALL=C sha256sum -- *) >"$source_dir/SHA256SUMS"
}

# pid prints our node's process id. An id that another program has meanwhile got does
# not count.
pid() {
  [[ -s $pid_file ]] || return 1
  local id
  id=$(<"$pid_file")
  [[ $(ps -o args= -p "$id" 2>/dev/null) == *"-clusterName $cluster "* ]] && echo "$id"
}

listens() { (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# ask PATH prints the answer, past any proxy of the environment.
ask() { curl --fail --silent --noproxy '*' --max-time 5 "$address$1"; }

# serves tells that the node which answers is ours and can allocate shards.
serves() {
  [[ $(ask '/_cluster/health?wait_for_status=yellow&timeout=1s&filter_path=cluster_name,timed_out' 2>/dev/null) == \
    "{\"cluster_name\":\"$cluster\",\"timed_out\":false}" ]]
}

configure() {
  mkdir -p "$state/config" "$state/tmp"
  cat >"$state/config/opensearch.yml" <<YML
discovery.type: single-node
network.host: 127.0.0.1
transport.port: 0
action.auto_create_index: false # an index is made on purpose or not at all
cluster.routing.allocation.disk.threshold_enabled: false # a full disk is the tester's affair
YML
}

# launch runs the node as the leader of a process group of its own. The runner counts
# ports from the one below.
launch() {
  local java=java
  [[ -n ${JAVA_HOME:-} ]] && java=$JAVA_HOME/bin/java
  # shellcheck disable=SC2086 # several flags
  exec setsid "$java" "-Xms$heap" "-Xmx$heap" $flags -XX:+ExitOnOutOfMemoryError \
    -Djava.awt.headless=true -Djava.io.tmpdir="$state/tmp" \
    -cp "$dist/lib/*:$dist/knn/*" org.codelibs.opensearch.runner.OpenSearchRunner \
    -clusterName "$cluster" -numOfNode 1 -baseHttpPort $((port - 1)) \
    -basePath "$state/node" -confPath "$state/config" \
    -pluginTypes org.opensearch.knn.plugin.KNNPlugin
}

start() {
  # the runner would take the next free port in place of one that is taken or too high
  ((port <= 9299)) || die "OPENSEARCH_PORT must be at most 9299"
  if pid >/dev/null; then
    wait_until_ready "$(pid)"
  else
    listens && die "something else listens on port $port; set OPENSEARCH_PORT"
    install
    configure
    launch >"$log" 2>&1 </dev/null &
    echo $! >"$pid_file"
    wait_until_ready $!
  fi
  echo "$address"
}

wait_until_ready() {
  local deadline=$((SECONDS + 600))
  until serves; do
    if ((SECONDS > deadline)) || ! kill -0 "$1" 2>/dev/null; then
      tail -n 20 "$log" >&2
      stop
      die "it did not start; the end of $log is above"
    fi
    sleep 0.2
  done
}

stop() {
  local id
  if id=$(pid); then
    kill -TERM "$id" 2>/dev/null || true
    for _ in {1..150}; do
      kill -0 "$id" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL -- "-$id" 2>/dev/null || true
    note "stopped"
  fi
  rm -f "$pid_file"
}

status() {
  { pid && serves; } >/dev/null || die "not running at $address"
  echo "$address"
}

clean() {
  stop
  rm -rf "$state"
}

case ${1:-} in
start | stop | status | clean | checksums) "$1" ;;
*)
  note "usage: opensearch.sh start|stop|status|clean|checksums"
  exit 2
  ;;
esac

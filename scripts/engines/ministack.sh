#!/usr/bin/env bash
# Runs MiniStack, an emulator of AWS in Python, on this machine's loopback address.
#
#   scripts/engines/ministack.sh start    install it once, start it, wait until it answers
#   scripts/engines/ministack.sh status   fails when it does not run
#   scripts/engines/ministack.sh reset    forget every table, queue, stack and function
#   scripts/engines/ministack.sh stop     end it and the functions that it started
#
# start and status print the address and nothing else; the rest goes to standard
# error. Each command may be repeated. Needs python3 (3.10 or later, with venv).
#
#   ENGINES_DIR      where everything lies (default: .engines in the repository)
#   MINISTACK_PORT   its port (default 4566)
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/ministack" && pwd)
port=${MINISTACK_PORT:-4566}
address=http://127.0.0.1:$port
mkdir -p "${ENGINES_DIR:=$source_dir/../../../.engines}"
base=$(cd "$ENGINES_DIR" && pwd)/ministack
venv=$base/venv
state=$base/$port # of the server on this port: log, process id, working files
pid_file=$state/pid
log=$state/log

note() { echo "ministack: $*" >&2; }
die() { note "$*"; exit 1; }

# install makes the virtual environment of exactly the files that requirements.txt
# names. The copy of that file tells a finished installation of this version.
install() {
  cmp -s "$source_dir/requirements.txt" "$venv/requirements.txt" && return
  note "installing into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv" || die "python3 -m venv failed (on Debian: apt-get install python3-venv)"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --retries 10 --timeout 60 \
    --require-hashes --only-binary :all: -r "$source_dir/requirements.txt" >&2
  cp "$source_dir/requirements.txt" "$venv/requirements.txt"
}

# call METHOD PATH asks the server, past any proxy of the environment.
call() {
  "$venv/bin/python" -c '
import sys, urllib.request
ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
try:
    ask(urllib.request.Request(sys.argv[2], method=sys.argv[1]), timeout=10).close()
except OSError as problem:
    sys.exit(str(problem))
' "$1" "$address$2"
}

answers() { call GET /_ministack/health 2>/dev/null; }

# pid prints our server's process id. An id that another program has meanwhile got
# does not count.
pid() {
  [[ -s $pid_file ]] || return 1
  local id
  id=$(<"$pid_file")
  [[ $({ ps -o args= -p "$id" || tr '\0' ' ' <"/proc/$id/cmdline"; } 2>/dev/null) == *"$state/hypercorn.toml"* ]] && echo "$id"
}

configure() {
  rm -rf "$state"
  mkdir -p "$state/home" "$state/tmp"
  # One process, since the state is in its memory; connections live as long as the
  # clients want, since one that is closed under a request looks like a lost answer.
  cat >"$state/hypercorn.toml" <<TOML
bind = ["127.0.0.1:$port"]
workers = 0
keep_alive_timeout = 120
keep_alive_max_requests = 1000000000
errorlog = "-"
loglevel = "WARNING"
TOML
}

# launch runs the server in place of the shell. Its functions inherit its environment,
# so it gets only what they may see: no proxies, no bundle of certificates, no real
# credentials. AWS_ENDPOINT_URL sends their SDK clients here.
launch() {
  local region=${AWS_REGION:-us-east-1}
  cd "$state"
  exec env -i PATH="$PATH" HOME="$state/home" TMPDIR="$state/tmp" LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    GATEWAY_PORT="$port" BIND_HOST=127.0.0.1 MINISTACK_HOST=localhost IOT_MTLS_ENABLED=0 \
    STATE_DIR="$state/state" S3_DATA_DIR="$state/s3" \
    AWS_ENDPOINT_URL="$address" AWS_REGION="$region" AWS_DEFAULT_REGION="$region" \
    AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test \
    "$venv/bin/python" "$source_dir/serve.py" "$state/hypercorn.toml"
}

start() {
  install
  if pid >/dev/null; then
    answers || die "process $(pid) runs but does not answer at $address; see $log"
  else
    answers && die "something else answers at $address; set MINISTACK_PORT"
    configure
    launch >"$log" 2>&1 </dev/null &
    echo $! >"$pid_file"
    wait_until_ready $!
  fi
  echo "$address"
}

wait_until_ready() {
  local deadline=$((SECONDS + 300))
  until answers; do
    if ((SECONDS > deadline)) || ! kill -0 "$1" 2>/dev/null; then
      tail -n 20 "$log" >&2
      stop
      die "it did not start; the end of $log is above"
    fi
    sleep 0.1
  done
}

stop() {
  local id
  if id=$(pid); then
    kill -TERM -- "-$id" 2>/dev/null || true
    for _ in {1..50}; do
      kill -0 "$id" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL -- "-$id" 2>/dev/null || true # and whatever function is left
    note "stopped"
  fi
  rm -f "$pid_file"
}

status() {
  { pid && answers; } >/dev/null || die "not running at $address"
  echo "$address"
}

case ${1:-} in
start | stop | status) "$1" ;;
reset)
  status >/dev/null
  call POST /_ministack/reset
  ;;
*)
  note "usage: ministack.sh start|stop|status|reset"
  exit 2
  ;;
esac

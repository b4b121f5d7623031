# shellcheck shell=bash
# Starts Varnish in front of a server, with the VCL of the folder varnish, and stops it again. Everything that varnishd
# keeps is in a temporary folder, so that an ordinary user can run any number of them.

VARNISH_HOME= # the temporary folder
VARNISH_PID=  # varnishd's own process, the parent of the one that serves

COUNTS_PID=   # who tells the cache what it has counted
COUNTS_EVERY=5 # seconds; counts.vcl keeps what it is told for some times as long

varnish() {
  local listen=${ORESTES_LISTEN:-127.0.0.1:8090} backend=${ORESTES_BACKEND:-127.0.0.1:8080}
  local secret=${ORESTES_PURGE_SECRET:-} memory=${ORESTES_MEMORY:-256m} mistakes=()
  read_varnish_flags "$@"
  require_address listen "$listen"
  require_address backend "$backend"
  [[ $memory =~ ^[1-9][0-9]*[kmg]$ ]] || mistakes+=("--memory is not a size such as 256m: $memory")
  [[ ${#mistakes[@]} -eq 0 ]] || fail 2 "${mistakes[@]}"
  find_varnish
  make_varnish_home "$backend"
  export ORESTES_PURGE_SECRET=$secret
  run_varnish "$listen" "$memory"
}

# Sets the variables of `varnish` from flags of the forms --key value and --key=value; adds to mistakes what it does not know.
read_varnish_flags() {
  local flag value
  while (($# > 0)); do
    flag=${1%%=*} value=${1#*=}
    if [[ $1 != *=* ]]; then
      value=${2-}
      (($# > 1)) || mistakes+=("$1 needs a value")
      shift "$(($# > 1))"
    fi
    case $flag in
      --listen) listen=$value ;;
      --backend) backend=$value ;;
      --purge-secret) secret=$value ;;
      --memory) memory=$value ;;
      *) mistakes+=("unknown flag: $flag") ;;
    esac
    shift
  done
}

# Notes a mistake unless $2, the value of flag $1, is HOST:PORT; only a port to listen on may be 0.
require_address() {
  local address='^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})$' least=1
  [[ $1 != listen ]] || least=0
  if [[ ! $2 =~ $address ]] || ((10#${BASH_REMATCH[2]} > 65535 || 10#${BASH_REMATCH[2]} < least)); then
    mistakes+=("--$1 is not HOST:PORT: $2")
  fi
}

# Varnish 7 or newer; Debian puts varnishd where only root looks.
find_varnish() {
  local version=
  PATH=$PATH:/usr/sbin:/usr/local/sbin
  if command -v varnishd >/dev/null; then
    version=$(varnishd -V 2>&1 | sed -n 's/^varnishd (varnish-\([0-9]*\).*/\1/p') || fail 2 "varnishd does not tell its version"
  fi
  [[ ${version:-0} -ge 7 ]] || fail 2 "Varnish 7 or newer is needed on the PATH (Debian package: varnish); found: ${version:-none}"
  command -v varnishadm >/dev/null || fail 2 "varnishadm is needed on the PATH; it comes with Varnish"
}

# Copies the VCL to where the user that root's varnishd turns into can read it, beside the address of the server.
make_varnish_home() {
  local host=${1%:*}
  VARNISH_HOME=$(mktemp -d "${TMPDIR:-/tmp}/orestes-varnish.XXXXXX")
  # not in a subshell that is ended just after it began, which still has this
  trap '[[ $BASHPID != "$$" ]] || rm -rf "$VARNISH_HOME"' EXIT
  cp -R "$ROOT/varnish/default.vcl" "$ROOT/varnish/classes.vcl" "$ROOT/varnish/lib" "$VARNISH_HOME"
  host=${host#[} host=${host%]}
  printf 'backend server {\n    .host = "%s";\n    .port = "%s";\n}\n' "$host" "${1##*:}" >"$VARNISH_HOME/backend.vcl"
  if has_xkey; then echo 'include "lib/classes-xkey.vcl";' >"$VARNISH_HOME/classes.vcl"; fi
  chmod -R a+rX "$VARNISH_HOME"
}

# Whether varnishd finds the module for surrogate keys (Debian package: varnish-modules), asked by a configuration that needs it.
has_xkey() {
  printf 'vcl 4.1;\nimport xkey;\nbackend nowhere none;\n' >"$VARNISH_HOME/probe.vcl"
  varnishd -C -f "$VARNISH_HOME/probe.vcl" -n "$VARNISH_HOME/probe" >/dev/null 2>&1
}

# Runs varnishd until it ends or this process is stopped. Reasons for its settings are in
# docs/decisions/caching.md.
run_varnish() {
  local code=0 stopped=no
  varnishd -F -a "$1" -f "$VARNISH_HOME/default.vcl" -n "$VARNISH_HOME/work" -s "malloc,$2" \
    -p "vcl_path=$VARNISH_HOME" -p http_gzip_support=off -p pipe_timeout=300 \
    >"$VARNISH_HOME/output" 2>&1 &
  VARNISH_PID=$!
  trap 'kill -TERM "$VARNISH_PID" 2>/dev/null; stopped=yes' TERM INT
  announce_varnish "${1%:*}"
  tell_counts "${1%:*}" 2>/dev/null &
  COUNTS_PID=$!
  while kill -0 "$VARNISH_PID" 2>/dev/null; do wait "$VARNISH_PID" && code=0 || code=$?; done
  # it may have ended by itself; what it ended with says nothing of varnishd
  kill "$COUNTS_PID" 2>/dev/null || true
  wait "$COUNTS_PID" || true
  [[ $stopped == no ]] || return 0
  varnish_ended "$1" "$code"
}

# Prints the ready line as soon as varnishd serves on host $1; nothing if it ends before.
announce_varnish() {
  local port
  for ((tries = 0; tries < 600; tries++)); do
    if port=$(varnish_port); then
      echo "ready on http://$1:$port (Varnish)"
      return
    fi
    kill -0 "$VARNISH_PID" 2>/dev/null || return 0
    sleep 0.1
  done
  say 'Varnish does not answer for a minute'
  kill -TERM "$VARNISH_PID"
}

# Prints the port in use; fails while nothing is served.
varnish_port() {
  local work=$VARNISH_HOME/work
  varnishadm -n "$work" -t 1 status 2>/dev/null | grep -q running || return 1
  varnishadm -n "$work" debug.listen_address 2>/dev/null | awk '$3 > 0 { print $3; found = 1; exit } END { exit !found }'
}

# Tells the cache that listens on host $1 again and again what it has counted, for as long as it runs: answers from copies, which are all that
# were not got otherwise, answers that were fetched, and what it did not look up. What that itself adds is taken off: what is told here is
# fetched, by its way of counting, and servers that ask get copies. How much that is stands in the copy as well, so that it is right whether or
# not the last one told arrived.
tell_counts() {
  local host=${1#[} port told=0 asked=0 started=0 hits misses
  local -A count=([uptime]=0)
  host=${host%]}
  [[ -n $ORESTES_PURGE_SECRET ]] && command -v varnishstat >/dev/null && port=$(varnish_port) || return 0
  # says nothing, so to read from it is to sleep, which always fails by its time-out, without a process that would have to be ended
  exec 8<> <(:)
  while kill -0 "$VARNISH_PID"; do
    # counts begin anew with the process that serves
    if read_varnish_counts && ((count[uptime] < started)); then told=0 asked=0; fi
    started=${count[uptime]}
    if ((started > 0)); then
      # just before the copy that counts it is replaced: what asks in between is taken for a client
      read -r told asked < <(ask_counts "$host" "$port" "$told" "$asked") || true
      hits=$((count[client_req] - count[s_synth] - count[s_pass] - count[s_pipe] - count[cache_miss] - asked))
      misses=$((count[cache_miss] - told))
      put_counts "$host" "$port" "hits=$((hits > 0 ? hits : 0)) misses=$((misses > 0 ? misses : 0))\
 passed=$((count[s_pass] + count[s_pipe])) seconds=${count[uptime]} told=$((told + 1)) asked=$asked" || true
    fi
    read -r -t "$COUNTS_EVERY" -u 8 || true
  done
}

# Sets the elements of `count` by the names of Varnish's own counters.
read_varnish_counts() {
  local name value
  while read -r name value _; do count[${name#MAIN.}]=$value; done \
    < <(varnishstat -n "$VARNISH_HOME/work" -1 -f MAIN.uptime -f MAIN.client_req -f MAIN.cache_miss -f MAIN.s_pass -f MAIN.s_pipe -f MAIN.s_synth)
}

# Prints how many copies of counts were stored and how often one was asked for, from the copy at $1:$2; $3 and $4 are what was known.
ask_counts() {
  local name value counts='' since='' missing=0
  while read -r name value; do
    case ${name,,} in
      orestes-counts:) counts=$value ;;
      orestes-asked:) since=$value ;;
    esac
  done < <(request_counts "$1" "$2" GET '')
  # what came without an answer may still be in the next one
  if [[ -z $since ]]; then echo "$3 $4" && return; fi
  # a copy that says that nothing was told was fetched as well
  [[ -n $counts ]] || missing=1
  [[ $counts =~ told=([0-9]+)\ asked=([0-9]+) ]] && set -- "$1" "$2" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  echo "$(($3 + missing)) $(($4 + since))"
}

# Stores a copy of the counts $3 at $1:$2.
put_counts() {
  request_counts "$1" "$2" PUT "$3" >/dev/null
}

# Sends a request for counts with method $3 to $1:$2, telling $4, and prints the head of the answer.
request_counts() (
  exec 9<>"/dev/tcp/$1/$2" || exit
  printf '%s /-/varnish/counts HTTP/1.1\r\nHost: varnish\r\nConnection: close\r\nOrestes-Purge-Secret: %s\r\nOrestes-Counts: %s\r\n\r\n' \
    "$3" "$ORESTES_PURGE_SECRET" "$4" >&9
  while IFS=$'\r' read -r -t 2 line _ <&9 && [[ -n $line ]]; do echo "$line"; done
)

# Says why varnishd, told to listen on $1, ended by itself with code $2, and ends with a code of ours.
varnish_ended() {
  sed 's/^/varnishd: /' "$VARNISH_HOME/output" >&2
  if grep -qi 'address already in use' "$VARNISH_HOME/output"; then fail 5 "the address is in use: $1"; fi
  fail 1 "Varnish ended with code $2"
}

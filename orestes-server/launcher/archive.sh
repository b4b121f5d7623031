# shellcheck shell=bash
# The class-data archive: the classes of a short training run, parsed and laid out, so that a start need not do it
# again. One per Java and place, since the JVM refuses it for any other. Without it the server starts as well, slower.

# Makes the archive unless it exists, cannot be written, or could not be made before.
ensure_archive() {
  local archive
  archive=$(archive_file)
  if is_whole "$archive" || [[ -e $archive.failed || ! -w $PRODUCT ]]; then return; fi
  (
    locked
    if ! is_whole "$archive"; then make_archive "$archive"; fi
  ) 9>"$BUILD/lock"
}

archive_file() {
  local key
  key=$(printf '%s\n' "$ROOT" "$JAVA_IDENTITY" | cksum)
  printf '%s/classes-%s-%s.jsa\n' "$PRODUCT" "$JAVA_FEATURE" "${key%% *}"
}

make_archive() {
  local archive=$1 scratch
  say 'preparing fast starts'
  scratch=$(mktemp -d)
  (train "$archive.new" "$scratch") >>"$BUILD_LOG" 2>&1 || true
  cat "$scratch/output" >>"$BUILD_LOG" 2>/dev/null || true
  rm -rf "$scratch"
  if [[ -s $archive.new ]]; then
    size_of "$archive.new" >"$archive.size"
    mv -f "$archive.new" "$archive"
  else
    : >"$archive.failed"
  fi
}

# Whether archive $1 is there in full: the JVM checks much, but a cut-off archive kills it.
is_whole() {
  [[ -r $1 && -r $1.size && $(size_of "$1") == "$(<"$1.size")" ]]
}

size_of() {
  wc -c <"$1"
}

# Starts a server in folder $2, asks it a few things, stops it, and has its JVM write archive $1. Runs in a subshell.
train() {
  local pid port
  # shellcheck disable=SC2046 # names of variables hold no spaces
  unset $(compgen -v ORESTES_) JAVA_OPTS
  choose_jvm_flags
  "$JAVA" "${JVM_FLAGS[@]}" -XX:ArchiveClassesAtExit="$1" -jar "$PRODUCT/orestes-server.jar" \
    --port 0 --data "$2/data" --root-password training-only >"$2/output" 2>&1 9>&- &
  pid=$!
  port=$(port_when_ready "$2/output" "$pid") && exercise "$port"
  kill -TERM "$pid"
  wait "$pid"
}

# Prints the port that process $2 says in file $1 that it serves on; fails if it ends or needs over a minute.
port_when_ready() {
  local line
  for ((tries = 0; tries < 600; tries++)); do
    if line=$(grep -m 1 '^ready on http://' "$1"); then
      [[ $line =~ ^ready\ on\ http://[^/\ ]*:([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
      return
    fi
    kill -0 "$2" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

# A little of everything that a client does first; what the answers are does not matter here.
exercise() {
  local port=$1 login='{"username": "root", "password": "training-only"}'
  request "$port" GET /v1/connect
  request "$port" GET /v1/schema
  request "$port" GET /v1/bloomfilter
  request "$port" GET '/v1/db/User/query?q=%7B%22username%22%3A%22root%22%7D'
  request "$port" POST /v1/db/User/login "$login"
  request "$port" POST /v1/db/Training '{"text": "none"}'
  request "$port" GET /dashboard
}

# Sends method $2, path $3 and JSON $4 to local port $1 and reads the whole answer.
request() {
  local body=${4:-}
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 0
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s' \
    "$2" "$3" "${#body}" "$body" >&3
  timeout 5 cat <&3 >/dev/null || true
  exec 3>&-
}

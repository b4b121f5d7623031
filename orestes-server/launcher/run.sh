# shellcheck shell=bash
# Starts the server: chooses the JVM's flags for this machine and becomes the JVM, so that signals reach it.

JVM_FLAGS=()

start() {
  find_java
  ensure_built
  ensure_archive
  choose_jvm_flags
  use_archive
  run_server "$@"
}

# Runs the command that brings servers to a team's schema files.
schema() {
  find_java
  ensure_built
  exec "$JAVA" -Xmx128m -XX:+UseSerialGC -XX:-UsePerfData -Dfile.encoding=UTF-8 -jar "$PRODUCT/orestes-server.jar" schema "$@"
}

# Writes the types of a running server's classes, by the command of the SDK.
types() {
  require_node
  ensure_sdk
  exec node "$ROOT/js-sdk/bin/orestes.js" types "$@"
}

# Reasons for these flags are in docs/decisions/app.md.
choose_jvm_flags() {
  JVM_FLAGS=(
    "-Xmx$(heap_megabytes)m" -Xss512k -XX:MaxDirectMemorySize=256m
    -XX:+ExitOnOutOfMemoryError -XX:-UsePerfData
    "-Djava.library.path=$PRODUCT/native" "-Djna.boot.library.path=$PRODUCT/native"
    -Dfile.encoding=UTF-8 -Djava.awt.headless=true
  )
  choose_collector
  if ((JAVA_FEATURE >= 22)); then JVM_FLAGS+=(--enable-native-access=ALL-UNNAMED); fi
  if ((JAVA_FEATURE >= 23)); then JVM_FLAGS+=(--sun-misc-unsafe-memory-access=allow); fi
}

# The JVM does not start with two collectors, so one in JAVA_OPTS takes the place of ours.
choose_collector() {
  if [[ ${JAVA_OPTS:-} =~ -XX:\+Use[A-Za-z0-9]+GC ]]; then
    return
  elif (($(processors) > 1)); then
    JVM_FLAGS+=(-XX:+UseG1GC -XX:MaxGCPauseMillis=20 -Xms64m "-XX:MaxNewSize=$((2 * $(young_megabytes)))m"
      -XX:GCTimeRatio=2 -XX:G1PeriodicGCInterval=60000)
  else
    JVM_FLAGS+=(-XX:+UseSerialGC -Xms96m "-Xmn$(young_megabytes)m")
  fi
}

# Prints a quarter of the memory this process may use, at least 128 MB and at most 2 GB.
heap_megabytes() {
  local quarter=$(($(memory_megabytes) / 4))
  echo $((quarter < 128 ? 128 : quarter > 2048 ? 2048 : quarter))
}

# Prints the part of the heap for new objects: 64 MB, less in a small heap.
young_megabytes() {
  local quarter=$(($(heap_megabytes) / 4))
  echo $((quarter < 64 ? quarter : 64))
}

# Prints the smaller of the machine's memory and the control group's limit; 2048 where neither can be read.
memory_megabytes() {
  local kilobytes limit
  kilobytes=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo 2>/dev/null) || kilobytes=$((2048 * 1024))
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null) || limit=max
  if [[ $limit =~ ^[0-9]{1,17}$ ]] && ((limit / 1024 < kilobytes)); then kilobytes=$((limit / 1024)); fi
  echo $((kilobytes / 1024))
}

processors() {
  nproc 2>/dev/null || getconf _NPROCESSORS_ONLN
}

# A damaged or foreign archive is ignored without a word: then the JVM loads classes from the jars.
use_archive() {
  local archive
  archive=$(archive_file)
  if is_whole "$archive"; then
    JVM_FLAGS+=("-XX:SharedArchiveFile=$archive" -Xshare:auto "-Xlog:disable" "-Xlog:all=error:stderr" "-Xlog:cds*=off:stderr")
  fi
}

run_server() {
  local extra=()
  read -r -a extra <<<"${JAVA_OPTS:-}" || true
  export ORESTES_DATA=${ORESTES_DATA:-$ROOT/data}
  export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
  exec "$JAVA" "${JVM_FLAGS[@]}" ${extra[@]+"${extra[@]}"} -jar "$PRODUCT/orestes-server.jar" "$@"
}

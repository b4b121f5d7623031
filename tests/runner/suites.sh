# shellcheck shell=bash
# Runs the test suites and sums their results. A suite is the Java modules' unit tests, the SDK's, or a folder of tests/
# with a script `run`, which puts JUnit XML into $ORESTES_TEST_REPORTS. Suites run side by side, one per processor.

RESULTS=$BUILD/test
# Seconds after which a suite has hung; the slowest takes half of it, and more on a machine that is very busy.
SUITE_LIMIT=${ORESTES_TEST_SUITE_LIMIT:-3600}

run_tests() {
  local fast=no full=no
  case ${1:-} in
    --fast) fast=yes ;;
    --full) full=yes ;;
    --soak)
      [[ ${2:-60} =~ ^[1-9][0-9]{0,3}$ ]] || fail 2 "--soak takes a whole number of minutes from 1 to 9999, not: $2"
      export ORESTES_TEST_SOAK=${2:-60}
      full=yes
      SUITE_LIMIT=$((SUITE_LIMIT + ORESTES_TEST_SOAK * 60))
      ;;
    '') ;;
    *) fail 2 "unknown flag: $1 (only --fast, --full and --soak)" ;;
  esac
  find_java
  find_build_tools
  require_writable
  JAVA_HOME=$(java_home)
  export JAVA_HOME
  discard_old_results
  set -m
  trap stop_suites EXIT
  trap 'exit 130' INT TERM
  run_unit_suites
  if [[ $fast == no ]]; then run_product_suites; fi
  trap - EXIT
  "$JAVA" "$ROOT/tests/runner/Report.java" "$RESULTS"
}

discard_old_results() {
  rm -rf "$RESULTS" "$ROOT"/{schema,invalidb-cluster,orestes-server,tests/*}/target/surefire-reports
  mkdir -p "$RESULTS"
}

run_unit_suites() {
  local wanted
  wanted=$(fingerprint "${PRODUCT_SOURCES[@]}")
  : >>"$BUILD_LOG"
  build_sdk || say 'js-sdk does not build'
  if [[ -f $ROOT/js-sdk/package.json ]]; then begin_suite js-sdk test_sdk; fi
  build_dashboard || say 'the dashboard does not build'
  if [[ -f $ROOT/orestes-server/dashboard/package.json ]]; then begin_suite dashboard test_dashboard; fi
  begin_suite java test_java "$wanted"
  await_fewer_than 1
}

# The Java modules, formatted as they should be; leaves the product they make where ./orestes start finds it.
test_java() {
  local goals=(verify)
  [[ -z ${CI:-} && ! -e $BUILD/unfinished ]] || goals=(clean verify)
  [[ $fast == no ]] || goals=("${goals[@]/verify/test}")
  : >"$BUILD/unfinished"
  maven "${goals[@]}" -ntp -Dmaven.test.failure.ignore=true || return 1
  rm -f "$BUILD/unfinished"
  collect_surefire
  if [[ $fast == no ]]; then (locked && assemble_product "$1") 9>"$BUILD/lock"; fi
}

# A module with tests but no results has not run; that must not look like success.
collect_surefire() {
  local module
  for module in schema invalidb-cluster orestes-server; do
    [[ ! -d $ROOT/$module/src/test ]] || cp -R "$ROOT/$module/target/surefire-reports" "$ORESTES_TEST_REPORTS/$module"
  done
}

test_sdk() {
  build_sdk || { tail -n 60 "$BUILD_LOG" && return 1; }
  cd "$ROOT/js-sdk" && install_packages && npm run check &&
    npm test -- --reporter=default --reporter=junit --outputFile.junit="$ORESTES_TEST_REPORTS/js-sdk.xml"
}

test_dashboard() {
  build_dashboard || { tail -n 60 "$BUILD_LOG" && return 1; }
  cd "$ROOT/orestes-server/dashboard" && install_packages && npm run check &&
    npm test -- --reporter=default --reporter=junit --outputFile.junit="$ORESTES_TEST_REPORTS/dashboard.xml"
}

# Everything that needs the built product, without the long part (docs/testing.md) unless all is wanted.
# Without one each of these suites has failed. Those that take longest begin first, so that no
# processor is left with one of them at the end. Histories and the browser do not run side by side (network.lock): the browser is last.
run_product_suites() {
  local name ready=no names=(system mongo)
  if [[ $full == yes ]]; then names=(system histories mongo); else export ORESTES_TEST_EXCLUDED_TAGS=full; fi
  if [[ $(<"$RESULTS/java/exit-code") == 0 ]]; then ready=yes && ensure_archive; fi
  for name in "${names[@]}" $(other_suites) browser; do
    if [[ $ready == yes ]]; then begin_suite "$name" "$ROOT/tests/$name/run"; else mkdir -p "$RESULTS/$name"; fi
  done
  await_fewer_than 1
}

# Those whose order does not matter.
other_suites() {
  local folder
  for folder in "$ROOT"/tests/*/; do
    case $(basename "$folder") in env | runner | support | bench | system | histories | mongo | browser) ;; *) basename "$folder" ;; esac
  done
}

# Starts command $2… as suite $1 as soon as a processor is free.
begin_suite() {
  await_fewer_than "$(processors)"
  mkdir -p "$RESULTS/$1/reports"
  say "running $1"
  run_suite "$@" &
  echo "$! $(date +%s)" >"$RESULTS/$1/process"
}

run_suite() {
  local name=$1 home=$RESULTS/$1 code=0
  shift
  SECONDS=0
  ORESTES_TEST_REPORTS=$home/reports "$@" >"$home/log" 2>&1 </dev/null || code=$?
  echo "$SECONDS" >"$home/seconds"
  echo "$code" >"$home/exit-code"
  say "finished $name after $SECONDS s, exit code $code"
}

# Waits until fewer than $1 suites run, and says every half minute which ones do.
await_fewer_than() {
  local waited=0
  while (($(jobs -rp | wc -l) >= $1)); do
    sleep 0.2
    waited=$((waited + 1))
    if ((waited % 150 == 0)); then look_after_suites; fi
  done
}

# Names the suites that run, and ends those that have hung.
look_after_suites() {
  local home pid begun names=()
  for home in "$RESULTS"/*/; do
    home=${home%/}
    [[ -f $home/process && ! -f $home/exit-code ]] || continue
    read -r pid begun <"$home/process"
    names+=("${home##*/} ($(($(date +%s) - begun)) s)")
    if (($(date +%s) - begun > SUITE_LIMIT)); then end_hung_suite "$home" "$pid"; fi
  done
  say "still running: ${names[*]-}"
}

# Ends the suite in folder $1, process group $2. What its Java processes were waiting for goes to its log, for the report.
end_hung_suite() {
  local process
  say "${1##*/} takes longer than $SUITE_LIMIT s and is ended"
  for process in $(ps -A -o pid=,pgid=,comm= | awk -v group="$2" '$2 == group && $3 == "java" { print $1 }'); do
    "$JAVA_HOME/bin/jcmd" "$process" Thread.print >>"$1/threads" 2>&1 || true
  done
  kill -TERM -- "-$2" 2>/dev/null || true
  sleep 5
  kill -KILL -- "-$2" 2>/dev/null || true
  [[ ! -f $1/threads ]] || awk '/^"(main|junit-)/,/^$/' "$1/threads" >>"$1/log"
  echo "$SUITE_LIMIT" >"$1/seconds"
  echo hung >"$1/exit-code"
}

# Ends what still runs when the tests are interrupted; each suite is a process group.
stop_suites() {
  local pid
  for pid in $(jobs -rp); do kill -TERM -- "-$pid" 2>/dev/null || true; done
}

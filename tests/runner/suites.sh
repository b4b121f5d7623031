# shellcheck shell=bash
# Runs the test suites and sums their results. A suite is the Java modules' unit tests, the SDK's, or a folder of tests/
# with a script `run`, which puts JUnit XML into $ORESTES_TEST_REPORTS. Suites run side by side, one per processor.

RESULTS=$BUILD/test

run_tests() {
  local fast=no
  case ${1:-} in
    --fast) fast=yes ;;
    --soak)
      [[ ${2:-60} =~ ^[1-9][0-9]{0,3}$ ]] || fail 2 "--soak takes a whole number of minutes from 1 to 9999, not: $2"
      export ORESTES_TEST_SOAK=${2:-60}
      ;;
    '') ;;
    *) fail 2 "unknown flag: $1 (only --fast and --soak)" ;;
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

# Everything that needs the built product. Without one each of these suites has failed.
run_product_suites() {
  local folder name ready=no
  if [[ $(<"$RESULTS/java/exit-code") == 0 ]]; then ready=yes && ensure_archive; fi
  for folder in "$ROOT"/tests/*/; do
    name=$(basename "$folder")
    case $name in env | runner | bench) continue ;; esac
    if [[ $ready == yes ]]; then begin_suite "$name" "$folder/run"; else mkdir -p "$RESULTS/$name"; fi
  done
  await_fewer_than 1
}

# Starts command $2… as suite $1 as soon as a processor is free.
begin_suite() {
  await_fewer_than "$(processors)"
  mkdir -p "$RESULTS/$1/reports"
  say "running $1"
  run_suite "$@" &
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
    if ((waited % 150 == 0)); then say "still running after $((waited / 5)) s"; fi
  done
}

# Ends what still runs when the tests are interrupted; each suite is a process group.
stop_suites() {
  local pid
  for pid in $(jobs -rp); do kill -TERM -- "-$pid" 2>/dev/null || true; done
}

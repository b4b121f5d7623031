# shellcheck shell=bash
# Runs the test suites and sums their results. A suite is the Java modules' unit tests, those of the
# SDK, those of the dashboard, or a folder of tests/ with a script `run`, which puts JUnit XML into
# $ORESTES_TEST_REPORTS. A run of all of them builds everything once and runs suites side by side.
# One suite, or one test of it, runs alone by its name.

# shellcheck source=tests/env/maven.sh
source "$ROOT/tests/env/maven.sh"

RESULTS=$BUILD/test
# Seconds after which a suite has hung. The slowest takes a quarter of it, and more on a very busy
# machine.
SUITE_LIMIT=${ORESTES_TEST_SUITE_LIMIT:-7200}
# Tenths of a second that all suites together have to end by a signal.
STOP_TENTHS=200

run_tests() {
  local fast=no full=no one='' words=1
  # only the arguments decide what runs, whatever the shell has exported
  unset ORESTES_TEST_SCOPE ORESTES_TEST_BUILT
  case ${1:-} in
    --fast) fast=yes ;;
    --full) full=yes ;;
    --soak)
      [[ ${2:-60} =~ ^[1-9][0-9]{0,3}$ ]] || fail 2 "--soak takes a whole number of minutes from 1 to 9999, not: $2"
      export ORESTES_TEST_SOAK=${2:-60}
      full=yes
      words=2
      SUITE_LIMIT=$((SUITE_LIMIT + ORESTES_TEST_SOAK * 60))
      ;;
    '') ;;
    -*) fail 2 "unknown flag: $1 (only --fast, --full and --soak)" ;;
    *)
      require_suite "$1"
      one=$1
      words=2
      [[ $one != fuzz ]] || words=1
      # a run of all suites or of another one, of which this may be a test, keeps its own results
      RESULTS=$BUILD/test-one/$one
      ;;
  esac
  (($# <= words)) || fail 2 "too many arguments: ${*:words+1}"
  # docs/testing.md lists what a suite leaves out then
  if [[ $full == no && -z $one ]]; then export ORESTES_TEST_SCOPE=short; fi
  # servers of the short part live for seconds, in which optimised code does not pay for its compilation
  if [[ $full == no ]]; then export JAVA_OPTS="-XX:TieredStopAtLevel=1 ${JAVA_OPTS:-}"; fi
  find_java
  find_build_tools
  require_writable
  JAVA_HOME=$(java_home)
  export JAVA_HOME
  rm -rf "$RESULTS"
  mkdir -p "$RESULTS"
  set -m
  trap stop_suites EXIT
  trap 'exit 130' INT TERM
  if [[ -n $one ]]; then
    run_one_suite "$@"
  else
    rm -rf "$ROOT"/{schema,invalidb-cluster,orestes-server,tests/*}/target/surefire-reports
    run_all_suites
  fi
  trap - EXIT
  "$JAVA" "$ROOT/tests/runner/Report.java" "$RESULTS"
}

# Names every suite, those of units first.
suite_names() {
  printf '%s\n' java js-sdk dashboard
  other_suites
  printf '%s\n' system mongo histories browser
}

require_suite() {
  suite_names | grep -xF -- "$1" >/dev/null || fail 2 "unknown suite: $1 (only $(suite_names | sort | paste -sd ' '))"
}

# Runs suite $1 with its long part, or only the test $2 of it: Class#method in Java, else the test's name.
run_one_suite() {
  local name=$1 flag chosen=()
  if [[ -n ${2:-} ]]; then
    # Bash 3 has no mapfile
    while IFS= read -r flag; do chosen+=("$flag"); done < <(selection "$name" "$2")
    # tests that were not chosen are reported as skipped, which is no failure then
    : >"$RESULTS/chosen"
  fi
  case $name in
    java) begin_suite java run_java_tests ${chosen[@]+"${chosen[@]}"} ;;
    js-sdk) begin_suite js-sdk test_sdk ${chosen[@]+"${chosen[@]}"} ;;
    dashboard) begin_suite dashboard test_dashboard ${chosen[@]+"${chosen[@]}"} ;;
    *) begin_suite "$name" "$ROOT/tests/$name/run" ${chosen[@]+"${chosen[@]}"} ;;
  esac
  await run_fewer_than 1
  say "its output is in $RESULTS/$name/log"
}

# Prints the arguments, one a line, by which suite $1 runs only the test $2.
selection() {
  case $1 in
    js-sdk | dashboard) printf '%s\n' -t "$(as_pattern "$2")" ;;
    browser | client | compose | docs | sdk) printf '%s\n' "--test-name-pattern=$(as_pattern "$2")" ;;
    varnish | scripts) printf '%s\n' "$2" ;;
    *) printf '%s\n' "-Dtest=$2" ;;
  esac
}

# Prints a regular expression that matches the text $1 and no other.
as_pattern() {
  sed 's/[][\\.*^$+?(){}|/]/\\&/g' <<<"$1"
}

# Unit tests by flags of Maven; modules without a test among them have no results.
run_java_tests() {
  local reports
  rm -rf "$ROOT"/{schema,invalidb-cluster,orestes-server}/target/surefire-reports
  maven test -ntp -Dmaven.test.failure.ignore=true -DfailIfNoTests=false "$@" || return 1
  for reports in "$ROOT"/{schema,invalidb-cluster,orestes-server}/target/surefire-reports; do
    [[ ! -d $reports ]] || cp -R "$reports" "$ORESTES_TEST_REPORTS/$(basename "${reports%/target/*}")"
  done
}

# Builds everything and runs the suites on it. Those that need no Java begin while it is compiled.
# Without a build only they run; each of the others has failed.
run_all_suites() {
  local name built=no
  if build_all; then
    built=yes
    export ORESTES_TEST_BUILT=yes
  fi
  while IFS= read -r name; do
    [[ ! -d $RESULTS/$name || $name == java ]] || continue
    case $built-$name in
      yes-java) begin_suite java test_java ;;
      yes-*) begin_suite "$name" "$ROOT/tests/$name/run" ;;
      *) mkdir -p "$RESULTS/$name" ;;
    esac
  done < <(suites_of_java)
  await run_fewer_than 1
}

# Names the suites of this run that need Java, some twice. Those that take longest come first, so
# that no processor is left with one of them at the end. Histories and the browser do not run side
# by side (network.lock): they are far from each other.
suites_of_java() {
  case $fast-$full in
    yes-*) echo java ;;
    no-yes)
      printf '%s\n' system histories java mongo zookeeper fuzz
      other_suites
      echo browser
      ;;
    *)
      printf '%s\n' system java browser mongo zookeeper fuzz
      other_suites
      ;;
  esac
}

# Begins the suites that need no Java, as soon as what they need of the pages is built.
begin_suites_without_java() {
  await has_ended pages
  begin_suite js-sdk test_sdk
  begin_suite dashboard test_dashboard
  [[ $fast == no ]] || return 0
  begin_suite varnish "$ROOT/tests/varnish/run"
  begin_suite scripts "$ROOT/tests/scripts/run"
}

# Compiles all of Java while the SDK and the dashboard are built, and then makes the product of
# them. The results of these steps are among those of suite java. If one fails, its output is what
# that suite says.
build_all() {
  local step wanted failed=''
  wanted=$(fingerprint "${PRODUCT_SOURCES[@]}")
  : >>"$BUILD_LOG"
  begin_suite compile compile_java
  begin_suite pages build_pages
  begin_suites_without_java
  await has_ended compile
  if [[ $fast == no && $(<"$RESULTS/compile/exit-code") == 0 ]]; then
    begin_suite pack pack_product "$wanted"
    await has_ended pack
  fi
  for step in pack pages compile; do
    if [[ -d $RESULTS/$step && $(<"$RESULTS/$step/exit-code") != 0 ]]; then failed=$step; fi
  done
  if [[ -n $failed ]]; then mv "$RESULTS/$failed" "$RESULTS/java"; else mkdir "$RESULTS/java"; fi
  for step in compile pages pack; do
    if [[ -d $RESULTS/$step ]]; then mv "$RESULTS/$step" "$RESULTS/java"; fi
  done
  [[ -z $failed ]]
}

# The suites of both packages run nevertheless, and build them once more.
build_pages() {
  { build_sdk && build_dashboard; } || { tail -n 60 "$BUILD_LOG" && return 1; }
}

# Compiles the Java modules and their tests, and checks their format. Resources wait for the
# product: the pages among them are being built.
compile_java() {
  local goals=(test-compile)
  [[ $fast == yes ]] || goals+=(com.diffplug.spotless:spotless-maven-plugin:check -Ptests)
  [[ -z ${CI:-} && ! -e $BUILD/unfinished ]] || goals=(clean "${goals[@]}")
  : >"$BUILD/unfinished"
  # compilation at tier 1 only, which saves a third of the time
  MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1} \
    maven "${goals[@]}" -T 1C -ntp -Dmaven.resources.skip=true || return 1
  [[ $fast == no ]] || rm -f "$BUILD/unfinished"
}

# Packs what is compiled, and leaves it where ./orestes start finds it, under fingerprint $1. Unit tests
# are suite java.
pack_product() {
  rm -rf "$ROOT/orestes-server/target/lib"
  # a fresh jar would make Maven compile anew what is built on it
  maven package -ntp -Dmaven.main.skip=true -Dmaven.test.skip=true -pl orestes-server -am ||
    return 1
  # suites that run side by side share these folders
  maven resources:testResources -ntp -Ptests || return 1
  rm -f "$BUILD/unfinished"
  (locked && assemble_product "$1") 9>"$BUILD/lock" || return 1
  ensure_archive
}

# Runs the unit tests of the Java modules, which are compiled.
test_java() {
  local flag flags=()
  while IFS= read -r flag; do flags+=("$flag"); done < <(flags_for_what_is_built)
  maven test -ntp -Dmaven.test.failure.ignore=true "${flags[@]}" || return 1
  collect_surefire
}

# A module with tests but no results has not run; that must not look like success.
collect_surefire() {
  local module
  for module in schema invalidb-cluster orestes-server; do
    [[ ! -d $ROOT/$module/src/test ]] ||
      cp -R "$ROOT/$module/target/surefire-reports" "$ORESTES_TEST_REPORTS/$module" || return 1
  done
}

test_sdk() {
  build_sdk || { tail -n 60 "$BUILD_LOG" && return 1; }
  cd "$ROOT/js-sdk" && install_packages && npm run check &&
    npm test -- --reporter=default --reporter=junit --outputFile.junit="$ORESTES_TEST_REPORTS/js-sdk.xml" "$@"
}

test_dashboard() {
  build_dashboard || { tail -n 60 "$BUILD_LOG" && return 1; }
  cd "$ROOT/orestes-server/dashboard" && install_packages && npm run check &&
    npm test -- --reporter=default --reporter=junit --outputFile.junit="$ORESTES_TEST_REPORTS/dashboard.xml" "$@"
}

# Names the suites whose order does not matter.
other_suites() {
  local folder
  for folder in "$ROOT"/tests/*/; do
    case $(basename "$folder") in system | histories | mongo | browser) continue ;; esac
    [[ ! -x $folder/run ]] || basename "$folder"
  done
}

# Starts command $2… as suite $1 as soon as a processor is free.
begin_suite() {
  await run_fewer_than "$(processors)"
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
  end_leftovers >>"$home/log" || code=leftovers
  echo "$SECONDS" >"$home/seconds"
  # seconds then have a decimal point, which Report.java reads
  LC_ALL=C
  times >"$home/times"
  echo "$code" >"$home/exit-code"
  say "finished $name after $SECONDS s, exit code $code"
}

# Kills what the suite of this shell has left running in its process group, and names it. Fails if
# there is any. A process that is about to end has a second for it.
end_leftovers() {
  local self left
  # $$ is the runner's, and Bash 3 has no BASHPID
  self=$(exec sh -c 'echo $PPID')
  left=$(leftovers "$self")
  [[ -z $left ]] || { sleep 1 && left=$(leftovers "$self"); }
  [[ -n $left ]] || return 0
  printf 'the suite has left processes running, which are killed:\n%s\n' "$left"
  awk '{ print $1 }' <<<"$left" | xargs kill -KILL 2>/dev/null || true
  return 1
}

# Prints the processes of group $1 but for its leader, and for those that list them.
leftovers() {
  local lister
  lister=$(exec sh -c 'echo $PPID')
  ps -A -o pid=,ppid=,pgid=,stat=,args= |
    awk -v group="$1" -v lister="$lister" \
      '$3 == group && $1 != group && $1 != lister && $2 != lister && $4 !~ /^Z/'
}

# Waits until command $@ succeeds, and says every half minute which suites run.
await() {
  local waited=0
  until "$@"; do
    sleep 0.2
    waited=$((waited + 1))
    if ((waited % 150 == 0)); then look_after_suites; fi
  done
}

run_fewer_than() {
  (($(jobs -rp | wc -l) < $1))
}

has_ended() {
  [[ -f $RESULTS/$1/exit-code ]]
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

# Ends what still runs when the tests are interrupted; each suite is a process group. A process that
# a suite started after the signal, or that does not end by it, is killed.
stop_suites() {
  local pid group waited=0 groups=()
  for pid in $(jobs -rp); do
    groups+=("$pid")
    kill -TERM -- "-$pid" 2>/dev/null || true
  done
  for group in ${groups[@]+"${groups[@]}"}; do
    while ((waited < STOP_TENTHS)) && kill -0 -- "-$group" 2>/dev/null; do
      sleep 0.1
      waited=$((waited + 1))
    done
    kill -KILL -- "-$group" 2>/dev/null || true
  done
}

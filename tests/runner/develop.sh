# shellcheck shell=bash
# Commands for people who change the sources: format and bench. The tests are in suites.sh.

# shellcheck source=tests/runner/suites.sh
source "$ROOT/tests/runner/suites.sh"

# Formats Java with Spotless and every npm package that has a script of that name with its own formatter.
format_sources() {
  local package
  find_java
  find_build_tools
  maven -q -Ptests com.diffplug.spotless:spotless-maven-plugin:apply
  for package in "$ROOT"/js-sdk "$ROOT"/orestes-server/dashboard "$ROOT"/tests/*; do
    [[ -f $package/package.json ]] || continue
    (cd "$package" && install_packages && npm run --silent --if-present format)
  done
}

# Runs benchmark $1, or all of them; the flags go to the benchmarks. Their names, which --help lists, need no server.
run_benchmark() {
  local bench=$ROOT/tests/bench
  [[ -f $bench/pom.xml ]] || fail 1 "there are no benchmarks in $bench"
  find_java
  find_build_tools
  if ! asks_for_help "$@"; then
    ensure_built
    ensure_archive
  fi
  say 'building the benchmarks'
  maven -q -Ptests package -Dmaven.test.skip=true -pl tests/bench -am >&2
  exec "$JAVA" -XX:+UseG1GC -XX:MaxGCPauseMillis=10 -Dorestes.root="$ROOT" -cp "$bench/target/classes:$bench/target/lib/*" io.orestes.bench.Main "$@"
}

# Installs what the package in the current folder locks, unless that is installed already.
install_packages() {
  [[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --no-audit --no-fund
}

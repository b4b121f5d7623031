# shellcheck shell=bash
# Maven for suites in Java. To be sourced.

# Prints, one a line, the flags by which Maven takes classes as they are if a whole run has built
# them (ORESTES_TEST_BUILT). Suites share modules: one that compiled would pull classes from under
# another. Maven's search for changes compares lists that it writes anew each time, so that two of
# them could see half a list; without it, only a source that is newer than its class is compiled.
flags_for_what_is_built() {
  [[ ${ORESTES_TEST_BUILT:-} != yes ]] || printf '%s\n' \
    -Dmaven.main.skip=true -Dmaven.compiler.useIncrementalCompilation=false -Denforcer.skip=true
}

# Becomes a Maven that runs the tests of module $1, from the root; further arguments go to Maven.
# It only tests, and packs nothing: modules see the classes of each other.
exec_tests_of() {
  local module=$1 flag flags=()
  shift
  while IFS= read -r flag; do flags+=("$flag"); done < <(flags_for_what_is_built)
  [[ -z ${ORESTES_TEST_REPORTS:-} ]] || flags+=("-Dorestes.reports=$ORESTES_TEST_REPORTS")
  [[ ${ORESTES_TEST_SCOPE:-} != short ]] || flags+=(-DexcludedGroups=full)
  exec mvn -B -ntp -Dstyle.color=never -Ptests -pl "$module" -am test \
    -Dmaven.test.failure.ignore=true ${flags[@]+"${flags[@]}"} "$@"
}

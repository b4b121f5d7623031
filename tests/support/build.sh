#!/usr/bin/env bash
# Builds the test kit, on which all Java suites are built, unless it is what its sources say. Suites
# run side by side, so one at a time does. Maven finds nothing to do there afterwards.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

stamp=tests/support/target/built

is_fresh() {
  [[ -e $stamp && -z $(find pom.xml tests/support/pom.xml tests/support/src -newer "$stamp" -print -quit) ]]
}

mkdir -p .build
exec 8>.build/support.lock
if command -v flock >/dev/null; then flock 8; fi
is_fresh || {
  mvn -B -ntp -q -Dstyle.color=never -Ptests -pl tests/support package -DskipTests=true
  touch "$stamp"
}

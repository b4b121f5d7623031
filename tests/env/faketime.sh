#!/usr/bin/env bash
# Prints the path of the library that sets the clock of a program that loads it: ORESTES_TEST_FAKETIME, or a fresh one from the
# Debian package libfaketime.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# Debian installs it in the folder of the machine's architecture.
installed() {
  local library
  for library in /usr/lib/*/faketime/libfaketimeMT.so.1; do
    [[ ! -e $library ]] || { echo "$library" && return; }
  done
  return 1
}

if [[ -n ${ORESTES_TEST_FAKETIME:-} ]]; then
  [[ -e $ORESTES_TEST_FAKETIME ]] || { echo "ORESTES_TEST_FAKETIME names no file: $ORESTES_TEST_FAKETIME" >&2 && exit 1; }
  echo "$ORESTES_TEST_FAKETIME"
else
  installed || { install_debian_package libfaketime >&2 && installed; } || {
    echo "libfaketime is needed and could not be installed: install the Debian package libfaketime, or set ORESTES_TEST_FAKETIME" >&2
    exit 1
  }
fi

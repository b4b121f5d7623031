#!/usr/bin/env bash
# Prints the path of wrk: ORESTES_TEST_WRK, the one on the PATH, or a fresh one from the Debian package of that name.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

if [[ -n ${ORESTES_TEST_WRK:-} ]]; then
  command -v "$ORESTES_TEST_WRK" || { echo "ORESTES_TEST_WRK names no program: $ORESTES_TEST_WRK" >&2 && exit 1; }
else
  from_debian_package wrk wrk ORESTES_TEST_WRK
fi

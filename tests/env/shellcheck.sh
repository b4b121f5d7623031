#!/usr/bin/env bash
# Prints the path of shellcheck: ORESTES_TEST_SHELLCHECK, the one on the PATH, or a fresh one from the Debian package of that name.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

if [[ -n ${ORESTES_TEST_SHELLCHECK:-} ]]; then
  command -v "$ORESTES_TEST_SHELLCHECK" || { echo "ORESTES_TEST_SHELLCHECK names no program: $ORESTES_TEST_SHELLCHECK" >&2 && exit 1; }
else
  from_debian_package shellcheck shellcheck ORESTES_TEST_SHELLCHECK
fi

#!/usr/bin/env bash
# Prints the path of go: ORESTES_TEST_GO, the one on the PATH, or a fresh one from the Debian package golang-go.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

if [[ -n ${ORESTES_TEST_GO:-} ]]; then
  command -v "$ORESTES_TEST_GO" || { echo "ORESTES_TEST_GO names no program: $ORESTES_TEST_GO" >&2 && exit 1; }
else
  from_debian_package go golang-go ORESTES_TEST_GO
fi

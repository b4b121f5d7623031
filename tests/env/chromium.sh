#!/usr/bin/env bash
# Prints the path of chromium: ORESTES_TEST_CHROMIUM, the one on the PATH, or a fresh one from the Debian package of that name.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

if [[ -n ${ORESTES_TEST_CHROMIUM:-} ]]; then
  command -v "$ORESTES_TEST_CHROMIUM" || { echo "ORESTES_TEST_CHROMIUM names no program: $ORESTES_TEST_CHROMIUM" >&2 && exit 1; }
else
  from_debian_package chromium chromium ORESTES_TEST_CHROMIUM
fi

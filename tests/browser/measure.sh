#!/usr/bin/env bash
# Measures the dashboard of a running server in Chromium, for `./orestes bench dashboard`: tests/browser/measure.sh BASE ROUNDS, as whom ORESTES_TOKEN says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# shellcheck source=tests/browser/prepare.sh
source prepare.sh
exec node bench/dashboard.js "$@"

# shellcheck shell=bash
# What driving Chromium needs, for scripts that are in tests/browser: the program, and the packages of this folder.

ORESTES_TEST_CHROMIUM=$(../env/chromium.sh)
export ORESTES_TEST_CHROMIUM
[[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --no-audit --no-fund >&2

# Chromium gives up what it is fetching when an address of this machine comes or goes (ERR_NETWORK_CHANGED): tests/histories waits
mkdir -p ../../.build
exec 7>../../.build/network.lock
if command -v flock >/dev/null; then flock --shared 7; fi

# shellcheck shell=bash
# Provides Chromium and the packages of this folder, for scripts in tests/browser.

ORESTES_TEST_CHROMIUM=$(../env/chromium.sh)
export ORESTES_TEST_CHROMIUM
[[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --no-audit --no-fund >&2

# Chromium aborts requests when an address of this machine changes (ERR_NETWORK_CHANGED), so
# tests/histories waits
mkdir -p ../../.build
exec 7>../../.build/network.lock
if command -v flock >/dev/null; then flock --shared 7; fi

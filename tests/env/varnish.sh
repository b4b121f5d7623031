#!/usr/bin/env bash
# Prints the path of varnishd: ORESTES_TEST_VARNISHD, the one on the PATH, or a fresh one from the Debian package varnish, which
# brings varnishadm and varnishtest along. Has the package varnish-modules beside it, for surrogate keys.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# Debian installs it where only root's PATH leads.
PATH=$PATH:/usr/sbin

if [[ -n ${ORESTES_TEST_VARNISHD:-} ]]; then
  command -v "$ORESTES_TEST_VARNISHD" || { echo "ORESTES_TEST_VARNISHD names no program: $ORESTES_TEST_VARNISHD" >&2 && exit 1; }
else
  from_debian_package varnishd varnish ORESTES_TEST_VARNISHD
  [[ -n $(find /usr/lib -path '*/varnish/vmods/libvmod_xkey.so' -print -quit) ]] || install_debian_package varnish-modules >&2
fi

#!/usr/bin/env bash
# Prints the path of ip, which makes network namespaces: ORESTES_TEST_IP, the one on the PATH, or a
# fresh one from the Debian package iproute2. Fails where namespaces cannot be made, such as for
# users other than root.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# Debian installs it where only root's PATH leads.
PATH=$PATH:/usr/sbin:/sbin

if [[ -n ${ORESTES_TEST_IP:-} ]]; then
  ip=$(command -v "$ORESTES_TEST_IP") || { echo "ORESTES_TEST_IP names no program: $ORESTES_TEST_IP" >&2 && exit 1; }
else
  ip=$(from_debian_package ip iproute2 ORESTES_TEST_IP)
fi
if ! { "$ip" netns add "oh$$" && "$ip" netns del "oh$$"; } >&2; then
  echo "network namespaces are needed and cannot be made here: that takes root, or the capability CAP_SYS_ADMIN" >&2
  exit 1
fi
echo "$ip"

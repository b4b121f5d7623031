#!/usr/bin/env bash
# Prints the path of a command that runs program $1 without waiting for the disk: what it writes
# survives the sudden end of the process, but not that of the machine. The tests end processes only,
# and would fail on a disk that stalls for half a minute, as those of shared machines may. Installs
# the Debian package eatmydata if it is not there.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

program=$1
eatmydata=$(from_debian_package eatmydata eatmydata PATH)
cache=$(dirname "${BASH_SOURCE[0]}")/../../.build/unsynced
mkdir -p "$cache"
command=$(cd "$cache" && pwd)/$(basename "$program")
fresh=$(mktemp "$command.XXXXXX")
printf '#!/bin/sh\nexec %q -- %q "$@"\n' "$eatmydata" "$program" > "$fresh"
chmod 755 "$fresh"
mv "$fresh" "$command"
echo "$command"

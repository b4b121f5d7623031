#!/usr/bin/env bash
# Prints the path of a command that is program $1 but does not wait for the disk: what it writes survives the end of the process,
# however sudden, and not that of the machine. The tests end processes only, and a disk that stands still for half a minute, as
# those of shared machines may, would fail them. Installs the Debian package eatmydata if it is not there.
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

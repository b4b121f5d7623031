# shellcheck shell=bash
# Installs a program from a Debian package, for the scripts beside this one. To be sourced; it runs
# nothing by itself.

# Prints the path of program $1, installing Debian package $2 if it is not there.
from_debian_package() {
  command -v "$1" || {
    install_debian_package "$2" >&2
    command -v "$1"
  } || {
    echo "$1 is needed and could not be installed: install the Debian package $2, or set $3" >&2
    return 1
  }
}

# Installs one package at a time: apt waits for the lock of what is installed, but not for that of
# its lists.
install_debian_package() (
  exec 8>"${TMPDIR:-/tmp}/orestes-debian.lock"
  flock 8
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  command -v apt-get >/dev/null || return 1
  if (($(id -u) != 0)); then apt=(sudo -n "${apt[@]}"); fi
  "${apt[@]}" install --no-install-recommends "$1" || {
    "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "$1"
  }
)

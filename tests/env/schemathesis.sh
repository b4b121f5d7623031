#!/usr/bin/env bash
# Prints the path of a Python that has schemathesis and everything else that
# tests/fuzz/requirements.txt locks: ORESTES_TEST_SCHEMATHESIS, or one in .build/schemathesis, made
# anew whenever that file changes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
locked=$here/../fuzz/requirements.txt
cache=$here/../../.build/schemathesis

runs() { "$1" -c 'import openapi_spec_validator, schemathesis' 2>/dev/null; }

fail() {
  echo "$1" >&2
  exit 1
}

install() {
  rm -rf "$cache"
  mkdir -p "$(dirname "$cache")"
  python3 -m venv "$cache" >&2 || return 1
  "$cache/bin/python" -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r "$locked" >&2 || return 1
  cp "$locked" "$cache/installed.txt"
}

if [[ -n ${ORESTES_TEST_SCHEMATHESIS:-} ]]; then
  runs "$ORESTES_TEST_SCHEMATHESIS" || fail "ORESTES_TEST_SCHEMATHESIS names no Python with schemathesis: $ORESTES_TEST_SCHEMATHESIS"
  command -v "$ORESTES_TEST_SCHEMATHESIS"
else
  cmp -s "$locked" "$cache/installed.txt" || install || fail "schemathesis is needed and could not be had: set ORESTES_TEST_SCHEMATHESIS"
  runs "$cache/bin/python" || fail "schemathesis does not run here (Python 3.11 or newer is needed): set ORESTES_TEST_SCHEMATHESIS"
  echo "$(cd "$cache/bin" && pwd)/python"
fi

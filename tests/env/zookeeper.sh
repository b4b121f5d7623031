#!/usr/bin/env bash
# Prints the path of the jar that starts a ZooKeeper server and names its other jars:
# ORESTES_TEST_ZOOKEEPER, or that of the Debian package zookeeper, which is installed if it is not
# there.
set -euo pipefail
# shellcheck source=tests/env/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

readonly JAR=/usr/share/java/zookeeper.jar

if [[ -n ${ORESTES_TEST_ZOOKEEPER:-} ]]; then
  [[ -r $ORESTES_TEST_ZOOKEEPER ]] || { echo "ORESTES_TEST_ZOOKEEPER names no file: $ORESTES_TEST_ZOOKEEPER" >&2 && exit 1; }
  echo "$ORESTES_TEST_ZOOKEEPER"
else
  [[ -r $JAR ]] || install_debian_package zookeeper >&2 || {
    echo "ZooKeeper is needed and could not be installed: install the Debian package zookeeper, or set ORESTES_TEST_ZOOKEEPER" >&2
    exit 1
  }
  echo "$JAR"
fi

# shellcheck shell=bash
# Flags for programs that live for seconds, as servers of tests do: code is compiled once and quickly, not again for speed.
# A start takes about half the time of processors by that. To be sourced.
export JAVA_OPTS=${JAVA_OPTS:--XX:TieredStopAtLevel=1}
export MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1}

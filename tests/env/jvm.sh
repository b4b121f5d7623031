# shellcheck shell=bash
# Flags for programs that live for seconds, such as servers of tests: code is compiled once and
# quickly, not again for speed. This halves the processor time of a start. To be sourced.
export JAVA_OPTS=${JAVA_OPTS:--XX:TieredStopAtLevel=1}
export MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1}

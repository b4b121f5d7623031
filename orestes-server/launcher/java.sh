# shellcheck shell=bash
# Finds Java 17 or newer, in JAVA_HOME and then on the PATH, without starting it where its release file tells the version.

JAVA=          # the java program
JAVA_FEATURE=0 # its feature release, e.g. 17
JAVA_IDENTITY= # text that differs between any two builds of Java

# Sets JAVA and its companions, or ends the launcher with a list of what was found.
find_java() {
  local found=() candidate
  for candidate in "${JAVA_HOME:+$JAVA_HOME/bin/java}" "$(command -v java || true)"; do
    [[ -n $candidate ]] || continue
    if use_java "$candidate"; then return; fi
    found+=("found: $candidate ($(describe_java))")
  done
  [[ ${#found[@]} -gt 0 ]] || found=("found: none (JAVA_HOME is not set, and there is no java on the PATH)")
  fail 2 "Java 17 or newer is needed; set JAVA_HOME or put it on the PATH" "${found[@]}"
}

# Whether program $1 is a Java that is new enough.
use_java() {
  JAVA=$1 JAVA_FEATURE=0
  [[ -x $JAVA ]] || return 1
  JAVA_IDENTITY=$(identify_java "$JAVA") || return 1
  JAVA_FEATURE=$(feature_of "$JAVA_IDENTITY")
  ((JAVA_FEATURE >= 17))
}

describe_java() {
  if [[ ! -x $JAVA ]]; then
    echo 'no such program'
  elif ((JAVA_FEATURE == 0)); then
    echo 'does not run or names no version'
  else
    echo "Java $JAVA_FEATURE"
  fi
}

# Prints what a Java says of itself: its release file, or else the output of -version.
identify_java() {
  local home
  home=$(dirname "$(folder_of "$1")")
  if [[ -r $home/release ]]; then cat "$home/release"; else "$1" -version 2>&1; fi
}

# Prints the feature release in identity $1: 17 for "17.0.15", 8 for "1.8.0_402", 0 if there is none.
feature_of() {
  if [[ $1 =~ (JAVA_VERSION=|version\ )\"(1\.)?([0-9]+) ]]; then echo "${BASH_REMATCH[3]}"; else echo 0; fi
}

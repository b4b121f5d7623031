# shellcheck shell=bash
# Builds the product into .build/product, once per state of its sources. The folder is a copy, so that neither a
# later build nor a test run pulls files from under a running server.

PRODUCT=$BUILD/product
BUILD_LOG=$BUILD/build.log

# Everything the SDK, the dashboard and the product are made of.
SDK_SOURCES=(
  js-sdk/bin js-sdk/src js-sdk/package.json js-sdk/package-lock.json js-sdk/tsconfig.json js-sdk/tsconfig.build.json
  js-sdk/LICENSE js-sdk/README.md
)
DASHBOARD_SOURCES=("${SDK_SOURCES[@]}" orestes-server/dashboard)
PRODUCT_SOURCES=(
  pom.xml .mvn schema "${DASHBOARD_SOURCES[@]}"
  invalidb-cluster/pom.xml invalidb-cluster/src/main
  orestes-server/pom.xml orestes-server/src/main orestes-server/launcher/build.sh
)

# Makes sure that .build/product is what the sources say. Writes nothing when it already is.
ensure_built() {
  local wanted
  wanted=$(fingerprint "${PRODUCT_SOURCES[@]}")
  if is_built "$wanted"; then return; fi
  require_writable
  (
    locked
    if ! is_built "$wanted"; then build_product "$wanted"; fi
  ) 9>"$BUILD/lock"
}

require_writable() {
  mkdir -p "$BUILD" 2>/dev/null || true
  [[ -w $BUILD ]] || fail 1 "$ROOT must be built first, and $(id -un) may not write there: run ./orestes build as its owner"
}

is_built() {
  [[ -r $PRODUCT/fingerprint && $(<"$PRODUCT/fingerprint") == "$1" ]]
}

# Prints a hash over names and contents of all files under the given paths that go into a build.
fingerprint() {
  (
    cd "$ROOT" || exit
    existing=()
    for path in "$@"; do [[ ! -e $path ]] || existing+=("$path"); done
    find "${existing[@]}" \( -name node_modules -o -name dist -o -name target -o -name coverage \) -prune \
      -o -type f -print0 | LC_ALL=C sort -z | xargs -0 "${SHA256[@]}" | "${SHA256[@]}" | cut -d ' ' -f 1
  )
}

if command -v sha256sum >/dev/null; then SHA256=(sha256sum); else SHA256=(shasum -a 256); fi

# Waits until no other launcher builds here. The lock is file descriptor 9 and ends with the calling subshell.
locked() {
  command -v flock >/dev/null || return 0
  flock -n 9 && return
  say 'waiting for another build in this folder'
  flock 9
}

build_product() {
  find_build_tools
  say "building; the first time takes a few minutes (log: $BUILD_LOG)"
  : >"$BUILD_LOG"
  build_sdk || build_failed
  build_dashboard || build_failed
  compile_product || build_failed
  assemble_product "$1" || build_failed
}

build_failed() {
  tail -n 40 "$BUILD_LOG" >&2
  fail 1 "the build failed; the lines above end the log $BUILD_LOG"
}

find_build_tools() {
  require_version Maven 3.8 "$(JAVA_HOME=$(java_home) mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')"
  [[ ! -f $ROOT/js-sdk/package.json ]] || require_node
  [[ -x ${JAVA%/*}/javac ]] || fail 2 "building needs a JDK, and $JAVA is not part of one (no javac beside it)"
}

require_node() {
  require_version Node 20 "$(node -v 2>/dev/null | tr -d v)"
}

# Ends the launcher unless version $3 of tool $1 is at least $2.
require_version() {
  local smallest
  smallest=$(printf '%s\n%s\n' "$2" "$3" | sort -V | head -n 1)
  [[ -n $3 && $smallest == "$2" ]] || fail 2 "building needs $1 $2 or newer on the PATH; found: ${3:-none}"
}

# Makes sure that the SDK, which needs neither Maven nor a JDK, is what its sources say.
ensure_sdk() {
  if is_sdk_built "$(fingerprint "${SDK_SOURCES[@]}")"; then return; fi
  require_writable
  (
    locked
    : >"$BUILD_LOG"
    build_sdk || build_failed
  ) 9>"$BUILD/lock"
}

# Whether the SDK was last built from sources of fingerprint $1.
is_sdk_built() {
  local stamp=$BUILD/js-sdk.fingerprint
  [[ -d $ROOT/js-sdk/dist && -r $stamp && $(<"$stamp") == "$1" ]]
}

# Builds the SDK unless its last build was from the same sources.
build_sdk() {
  local wanted
  [[ -f $ROOT/js-sdk/package.json ]] || return 0
  wanted=$(fingerprint "${SDK_SOURCES[@]}")
  if is_sdk_built "$wanted"; then return; fi
  say 'building js-sdk'
  (cd "$ROOT/js-sdk" && npm ci --no-audit --no-fund && npm run build) >>"$BUILD_LOG" 2>&1 || return 1
  # names of its files change with their contents, and Maven removes none
  rm -rf "$ROOT/orestes-server/target/classes/sdk"
  printf '%s\n' "$wanted" >"$BUILD/js-sdk.fingerprint"
}

# Builds the dashboard, with the SDK that is built, unless its last build was from the same sources.
build_dashboard() {
  local stamp=$BUILD/dashboard.fingerprint folder=$ROOT/orestes-server/dashboard wanted
  [[ -f $folder/package.json ]] || return 0
  wanted=$(fingerprint "${DASHBOARD_SOURCES[@]}")
  [[ ! -d $folder/dist || ! -r $stamp || $(<"$stamp") != "$wanted" ]] || return 0
  say 'building the dashboard'
  (cd "$folder" && npm ci --no-audit --no-fund && npm run build) >>"$BUILD_LOG" 2>&1 || return 1
  # as above
  rm -rf "$ROOT/orestes-server/target/classes/dashboard"
  printf '%s\n' "$wanted" >"$stamp"
}

# Compiles and packs the Java modules; from scratch if the last attempt did not come to its end.
compile_product() {
  local unfinished=$BUILD/unfinished goals=(package)
  [[ ! -e $unfinished ]] || goals=(clean package)
  : >"$unfinished"
  rm -rf "$ROOT/orestes-server/target/lib"
  maven "${goals[@]}" -Dmaven.test.skip=true -pl orestes-server -am 2>&1 | tee -a "$BUILD_LOG" | maven_progress || return 1
  rm -f "$unfinished"
}

# Runs Maven on the root project with the Java that was found.
maven() {
  (cd "$ROOT" && JAVA_HOME=$(java_home) mvn -B -Dstyle.color=never "$@")
}

java_home() {
  dirname "$(folder_of "$JAVA")"
}

# Turns Maven's output into a line per module, and one per hundred files it had to fetch.
maven_progress() {
  awk '/^\[INFO\] Building .*\[[0-9]+\/[0-9]+\]$/ {
         step = $NF; gsub(/[][]/, "", step); sub(/^\[INFO\] Building /, ""); sub(/ +[^ ]+ +\[.*/, "")
         print "orestes: building " step " " $0; fflush() }
       /Downloaded from/ && ++fetched % 100 == 0 { print "orestes:   " fetched " files fetched"; fflush() }' >&2
}

# Puts what Maven left in target into .build/product, under fingerprint $1.
assemble_product() {
  local target=$ROOT/orestes-server/target fresh=$BUILD/product.new
  rm -rf "$fresh" "$BUILD/product.old"
  mkdir -p "$fresh/native"
  cp -R "$target/lib" "$fresh/lib" || return 1
  cp "$target"/orestes-server-*.jar "$fresh/orestes-server.jar" || return 1
  unpack_native "$fresh" >>"$BUILD_LOG" 2>&1 || say 'the native libraries for this platform were not all unpacked'
  printf '%s\n' "$1" >"$fresh/fingerprint"
  [[ ! -e $PRODUCT ]] || mv "$PRODUCT" "$BUILD/product.old"
  mv "$fresh" "$PRODUCT"
}

# Unpacks the native libraries for this platform where the JVM looks first, which spares every start doing so.
unpack_native() {
  local lib=$1/lib rocksdb jna sodium
  read -r rocksdb jna sodium < <(native_libraries) || return 1
  cd "$1/native" &&
    unpack "$lib"/rocksdbjni-*.jar "$rocksdb" "${rocksdb/rocksdbjni-*./rocksdbjni.}" &&
    unpack "$lib"/jna-*.jar "com/sun/jna/$jna" "${jna##*/}" &&
    unpack "$lib"/lazysodium-java-*.jar "$sodium" "${sodium##*/}"
}

# Unpacks file $2 of jar $1 into the current folder, as $3.
unpack() {
  (mkdir unpacking && cd unpacking && "$(java_home)/bin/jar" xf "$1" "$2") && mv "unpacking/$2" "$3" && rm -r unpacking
}

# Prints the names that the jars of RocksDB, JNA and lazysodium give to their libraries for this platform.
native_libraries() {
  local libc=
  ! ldd --version 2>&1 | grep -qi musl || libc=-musl
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) echo "librocksdbjni-linux64$libc.so linux-x86-64/libjnidispatch.so linux64/libsodium.so" ;;
    Linux-aarch64) echo "librocksdbjni-linux-aarch64$libc.so linux-aarch64/libjnidispatch.so arm64/libsodium.so" ;;
    Darwin-x86_64) echo 'librocksdbjni-osx-x86_64.jnilib darwin-x86-64/libjnidispatch.jnilib mac/libsodium.dylib' ;;
    Darwin-arm64) echo 'librocksdbjni-osx-arm64.jnilib darwin-aarch64/libjnidispatch.jnilib mac_arm/libsodium.dylib' ;;
    *) return 1 ;;
  esac
}

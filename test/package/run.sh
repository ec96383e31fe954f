#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: test/package/run.sh [BUILD]     (default: build)
#
# Installs BUILD into a temporary folder and lets the project in this folder use
# it: from the installation, from a moved copy, and from the build tree itself.
# Prints `ok - ...` or `not ok - ...` per check; fails if one failed.
#
# The functions are called through check().
# shellcheck disable=SC2317
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/graupel package.XXXXXX") # a space, on purpose
trap 'rm -rf "$work"' EXIT
log=$work/log
failed=0

# check NAME COMMAND...: one check; its output is shown only if it failed.
check() {
  local name=$1
  shift
  if "$@" >"$log" 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/    /' "$log" | tail -n 40
    failed=1
  fi
}

refuses() { ! "$@"; }

says() { # says TEXT COMMAND...: the output has TEXT, whatever the status
  local text=$1 output
  shift
  output=$("$@" 2>&1) || true
  printf '%s\n' "$output"
  # CMake breaks the lines of its messages.
  [[ $(tr -s '[:space:]' ' ' <<<"$output") == *"$text"* ]]
}

# The configured build knows where its BOLT headers are.
bolt_include=$(sed -n 's/^GRAUPEL_BOLT_INCLUDE_DIR:[A-Z]*=//p' "$build/CMakeCache.txt")

configure() { # configure BINARY-DIR PACKAGE-DIR [OPTION...]
  local binary=$1 package=$2
  shift 2
  cmake -S "$here" -B "$binary" -G Ninja "-DGraupel_DIR=$package" "$@"
}

# uses LABEL PACKAGE-DIR [OPTION...]: the project configures, builds, and its
# program still works after the plugin's graupel-bolt wrote it anew.
uses() {
  local label=$1 package=$2 binary=$work/consumer-$1
  shift 2
  check "$label: the project configures" configure "$binary" "$package" "$@"
  check "$label: its plugins and its optimized program are built" cmake --build "$binary"
  check "$label: the plugin's pass ran" grep -E '^census: [1-9][0-9]* functions, [1-9][0-9]* blocks$' "$binary/census.log"
  check "$label: the optimized program works" same_greeting "$binary"
}

same_greeting() {
  diff <("$1/greet" wet snow pellets) <("$1/greet.bolt" wet snow pellets) &&
    ! cmp -s "$1/greet" "$1/greet.bolt"
}

# shares LABEL PACKAGE-DIR GRAUPEL: so does a program over distributed shared memory.
shares() {
  local label=$1 package=$2 graupel=$3 binary=$work/dsm-$1
  check "$label: the project of distributed memory configures" \
    cmake -S "$here/dsm" -B "$binary" -G Ninja "-DGraupel_DIR=$package" \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_BUILD_TYPE=Release
  check "$label: its programs are built" cmake --build "$binary"
  check "$label: three nodes share memory" says "sum 49995000" "$graupel" dsm run -n 3 "$binary/shared"
  check "$label: and the same without Graupel" says "sum 49995000" "$binary/alone"
}

# places LABEL PACKAGE-DIR: so does one that places memory.
places() {
  local label=$1 package=$2 binary=$work/numa-$1
  check "$label: the project that places memory configures" \
    cmake -S "$here/numa" -B "$binary" -G Ninja "-DGraupel_DIR=$package" -DCMAKE_BUILD_TYPE=Release
  check "$label: its program is built" cmake --build "$binary"
  check "$label: memory is placed" says "64 of 64 pages right" "$binary/placed"
}

rewritten() { # rewritten FILE...: by graupel-bolt, each
  local file
  for file; do
    readelf -SW "$file" | grep -F .note.bolt_info || return
  done
}

# optimizes LABEL PACKAGE-DIR GRAUPEL: so does one that is optimized when it is
# built, where this machine lets it run with other images in place.
optimizes() {
  local label=$1 package=$2 graupel=$3 binary=$work/optimize-$1
  if ! "$graupel" doctor >"$log" 2>&1; then
    echo "# $label: not optimized: $(grep ^bad "$log" | head -n 1)"
    return
  fi
  check "$label: the project that is optimized configures" \
    cmake -S "$here/optimize" -B "$binary" -G Ninja "-DGraupel_DIR=$package" -DCMAKE_INSTALL_PREFIX="$binary/installed"
  check "$label: its program is built" cmake --build "$binary" --target sums
  check "$label: it is not installed yet" says "build the target sums-optimized" cmake --install "$binary"
  check "$label: it is optimized" cmake --build "$binary"
  check "$label: it is made once" says "no work to do" cmake --build "$binary"
  check "$label: it is installed" cmake --install "$binary"
  check "$label: so are program and library that are optimized" \
    rewritten "$binary"/installed/bin/sums "$binary"/installed/lib/libsum.so
  check "$label: the one loads the other" says "$binary/installed/bin/../lib/libsum.so" ldd "$binary/installed/bin/sums"
  check "$label: they work" says "$("$binary/CMakeFiles/sums.graupel/linked/sums" 50)" "$binary/installed/bin/sums" 50
}

# instruments GRAUPEL-BOLT PROGRAM: finds BOLT's runtime library and profiles.
instruments() {
  "$1" "$2" -o "$work/greet.inst" -instrument "-instrumentation-file=$work/greet.fdata" &&
    "$work/greet.inst" wet snow pellets && test -s "$work/greet.fdata"
}

prefix=$work/first
check "it installs" cmake --install "$build" --prefix "$prefix"
config=$(find "$prefix" -name GraupelConfig.cmake -printf '%P\n')
package=$(dirname "${config:-none/none}")

check "the installed graupel-bolt starts" "$prefix/bin/graupel-bolt" --version
XDG_STATE_HOME=$work/learn "$prefix/bin/graupel" learn -- true >"$work/learn.log" 2>&1 || true
check "graupel learn finds its agent" refuses grep -q libgraupel-agent.so "$work/learn.log"
check "the license is installed" grep -rq "LLVM Exceptions to the Apache 2.0 License" "$prefix/share/doc"
check "no header of BOLT is installed" refuses test -e "$prefix/include/bolt"
check "the package names neither source nor build tree" refuses \
  grep -rnF -e "$(cd "$here/../.." && pwd)" -e "$build" -e "$prefix" "$prefix/$package"

with_headers=("-DGRAUPEL_BOLT_INCLUDE_DIR=$bolt_include")
uses installed "$prefix/$package" "${with_headers[@]}" -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Release
check "installed: it instruments" instruments "$prefix/bin/graupel-bolt" "$work/consumer-installed/greet"
shares installed "$prefix/$package" "$prefix/bin/graupel"
places installed "$prefix/$package"
optimizes installed "$prefix/$package" "$prefix/bin/graupel"

check "a project without BOLT's headers is refused" refuses configure "$work/no-headers" "$prefix/$package"
check "... and told which variable to set" says "pass -DGRAUPEL_BOLT_INCLUDE_DIR=DIR/include" \
  configure "$work/no-headers" "$prefix/$package"
check "... and which script fetches them" says "share/graupel/fetch-bolt-headers.sh DIR" \
  configure "$work/no-headers" "$prefix/$package"
check "another version is refused" says 'compatible with requested version "99.0"' \
  configure "$work/version" "$prefix/$package" -DCONSUMER_GRAUPEL_VERSION=99.0

mkdir "$work/elsewhere"
mv "$prefix" "$work/elsewhere/second"
prefix=$work/elsewhere/second
uses moved "$prefix/$package" "${with_headers[@]}" -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Debug
check "moved: it instruments" instruments "$prefix/bin/graupel-bolt" "$work/consumer-moved/greet"

shares moved "$prefix/$package" "$prefix/bin/graupel"
places moved "$prefix/$package"
optimizes moved "$prefix/$package" "$prefix/bin/graupel"

uses build-tree "$build/cmake" -DCMAKE_CXX_COMPILER=clang++-22
shares build-tree "$build/cmake" "$build/bin/graupel"
places build-tree "$build/cmake"
optimizes build-tree "$build/cmake" "$build/bin/graupel"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/fetch-libstdcxx.sh [DEST]
#
# Puts the sources and tests of libstdc++ into DEST (default: build/libstdcxx):
# those of the release whose headers clang uses, from Debian's package
# gcc-N-source. runtime/libstdcxx compiles some with checks for programs under
# distributed shared memory; nothing of them is part of Graupel.
# GRAUPEL_GCC_SOURCE names the package's file where it is already.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
dest=$(realpath -m "${1:-$root/build/libstdcxx}")
# What is needed; sources without one of these folders are fetched again.
folders=(src libsupc++ config/io config/locale/gnu config/os/gnu-linux testsuite)

die() { echo "fetch-libstdcxx: error: $*" >&2; exit 1; }

command -v clang++-22 >/dev/null || die "clang++-22 not found; install clang-22 first"
release=$(echo '#include <bits/c++config.h>' | clang++-22 -E -dM -x c++ - 2>/dev/null |
  sed -n 's/^#define _GLIBCXX_RELEASE //p')
[ -n "$release" ] || die "clang++-22 finds no headers of libstdc++; install libstdc++-12-dev"
has_all() {
  local folder
  [ "$(cat "$dest/RELEASE" 2>/dev/null)" = "$release" ] || return
  for folder in "${folders[@]}"; do [ -d "$dest/$folder" ] || return; done
}
if has_all; then
  echo "libstdc++ $release's sources are in place"
  exit 0
fi

mkdir -p "$(dirname "$dest")"
work=$(mktemp -d "$(dirname "$dest")/libstdcxx.XXXXXX")
trap 'rm -rf "$work"' EXIT
package=${GRAUPEL_GCC_SOURCE:+$(realpath "$GRAUPEL_GCC_SOURCE")}
if [ -z "$package" ]; then
  for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || die "$tool not found; unpack libstdc++-v3 of GCC $release as $dest yourself, and put '$release' into $dest/RELEASE"
  done
  echo "Fetching libstdc++'s sources from gcc-$release-source (80 MB, once)"
  apt=(apt-get -q -o APT::Sandbox::User=root)
  cd "$work"
  if ! "${apt[@]}" download "gcc-$release-source" >log 2>&1; then
    # The machine's lists may be old or absent; these are private.
    mkdir -p lists/partial
    apt+=(-o "Dir::State::lists=$work/lists")
    { "${apt[@]}" update && "${apt[@]}" download "gcc-$release-source"; } >log 2>&1 ||
      { tail -5 log >&2; die "cannot download gcc-$release-source; is there a network?"; }
  fi
  package=$(ls "$work"/*.deb)
fi
mkdir "$work/new"
dpkg-deb --fsys-tarfile "$package" | tar x -C "$work" --wildcards '*/gcc-*.tar.*'
tar xJf "$work"/usr/src/*/gcc-*.tar.xz -C "$work/new" --strip-components=2 --wildcards \
  "${folders[@]/#/*/libstdc++-v3/}"
[ -d "$work/new/src" ] || die "${package##*/} holds no libstdc++"
echo "$release" >"$work/new/RELEASE"
rm -rf "$dest"
mv "$work/new" "$dest"
echo "libstdc++ $release: $(find "$dest" -name '*.cc' | wc -l) sources"

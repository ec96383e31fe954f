#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/fetch-bolt-headers.sh [--tests] [DEST]
#
# Puts BOLT's public headers into DEST/include (default: build/bolt-headers) or,
# with --tests, its tests into DEST/test (default: build/bolt-tests).
# GRAUPEL_LLVM_TARBALL names the source package's tarball where it is already.
#
# Debian ships BOLT's libraries without their headers. They are taken from the
# Debian source package of the same upstream version; nothing of it is compiled
# and the user's apt configuration is neither read nor written: the sources
# file and the package lists used here are private.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
part=include
name=headers
witness=include/bolt/Core/BinaryContext.h
if [ "${1:-}" = --tests ]; then
  part=test
  name=tests
  witness=test/X86/lit.local.cfg
  shift
fi
dest=${1:-$root/build/bolt-$name}
suite=trixie # the suite that serves LLVM 22's source package
package=llvm-toolchain-22

die() { echo "fetch-bolt-headers: error: $*" >&2; exit 1; }

command -v llvm-config-22 >/dev/null || die "llvm-config-22 not found; install llvm-22-dev first"
version=$(llvm-config-22 --version)
if [ -f "$dest/$witness" ] && [ "$(cat "$dest/VERSION" 2>/dev/null)" = "$version" ]; then
  echo "BOLT $version $name are in place"
  exit 0
fi
[ -n "${GRAUPEL_LLVM_TARBALL:-}" ] || command -v apt-get >/dev/null || die "apt-get not found; unpack bolt/include of LLVM $version yourself and configure with -DGRAUPEL_BOLT_INCLUDE_DIR=PATH"

mkdir -p "$(dirname "$dest")"
work=$(mktemp -d "$(dirname "$dest")/bolt-$name.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/archives/partial"

download() {
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | sort -u | head -1) || true
  # apt names no mirror before its first update, or after its lists were removed.
  mirror=${mirror:-http://deb.debian.org/debian}
  cat > "$work/parts/graupel.sources" <<EOF
Types: deb-src
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
EOF
  apt=(apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts"
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work" -o APT::Sandbox::User=root)

  cd "$work"
  log=$work/log
  echo "Fetching BOLT's $name from the source package of LLVM $version (200 MB, once)"
  # apt-get update calls an unreachable mirror a warning.
  if ! LC_ALL=C "${apt[@]}" update >"$log" 2>&1 || grep -q 'Failed to fetch' "$log"; then
    tail -5 "$log" >&2
    die "cannot reach the Debian mirror $mirror; is there a network?"
  fi
  "${apt[@]}" source --download-only --tar-only "$package" >"$log" 2>&1 ||
    { tail -5 "$log" >&2; die "cannot download the source package $package"; }
  tarball=$(ls "$package"_*.orig.tar.xz)
}

tarball=${GRAUPEL_LLVM_TARBALL:-}
if [ -n "$tarball" ]; then
  tarball=$(realpath "$tarball")
  cd "$work"
else
  download
fi
case ${tarball##*/} in
  "${package}_$version.orig.tar.xz") ;;
  *) die "the source package is $tarball, but LLVM $version is installed; update both (apt-get upgrade) or configure with -DGRAUPEL_BOLT_INCLUDE_DIR=PATH" ;;
esac
tar xJf "$tarball" --wildcards --strip-components=2 "*/bolt/$part/*"
[ -f "$witness" ] || die "the source package holds no bolt/$part"
echo "$version" > VERSION
mkdir new
mv "$part" VERSION new/
rm -rf "$dest"
mv new "$dest"
echo "BOLT $version $name: $(find "$dest/$part" -type f | wc -l) files"

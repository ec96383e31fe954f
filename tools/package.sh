#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/package.sh [--build DIR] [--output DIR] [--fast] deb|tarball
#
# Makes what others install, in build/packages or the folder that --output names:
#
#   deb      graupel_VERSION_amd64.deb, graupel-dev and graupel-doc, of the build in
#            build/, for Debian 12
#   tarball  graupel-VERSION-x86_64-linux.tar.xz, of a build in build-tarball/, for
#            any x86-64 Linux with glibc 2.31 or newer
#
#   --build DIR   of this build instead
#   --output DIR  into this folder
#   --fast        larger files in less time, to test them
#
# Sets up what is missing, as tools/quickstart.sh does.
set -euo pipefail
# shellcheck source=tools/lib/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

kind=
build=
fast=0
output=$graupel_root/build/packages
while [ $# != 0 ]; do
  case $1 in
    deb | tarball) kind=$1 ;;
    --fast) fast=1 ;;
    --build | --output)
      [ $# -ge 2 ] || die "$1 needs a folder; see --help"
      mkdir -p "$2"
      if [ "$1" = --build ]; then build=$(realpath "$2"); else output=$(realpath "$2"); fi
      shift
      ;;
    -h | --help) sed -n '4,/^set -/{s/^# \{0,1\}//;/^set -/d;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "unknown argument $1; see --help" ;;
  esac
  shift
done
[ -n "$kind" ] || die "say what to make, deb or tarball; see --help"

# The newest C library that the tarball may need; that of tools/fetch-portable-root.sh.
oldest_glibc=2.31
portable_root=$graupel_build/portable-root

version=$(sed -n 's/^project(Graupel VERSION \([0-9.]*\).*/\1/p' "$graupel_root/CMakeLists.txt")
tarball=graupel-$version-x86_64-linux
stage=

# shellcheck disable=SC2317
clean_up() {
  stop_ticker
  [ -z "$stage" ] || rm -rf "$stage"
}
trap clean_up EXIT

configure_build() { # configure_build [OPTION...]
  use_preset -B "$build" "$@"
}

make_deb() {
  local compression=xz
  [ $fast = 0 ] || compression=gzip
  (cd "$build" && cpack -G DEB -B "$stage" -D CPACK_DEBIAN_COMPRESSION_TYPE=$compression) &&
    mkdir -p "$output" && cp "$stage"/*.deb "$output"
}

# What is in the archives that were linked, and under which terms.
copy_licenses() { # copy_licenses FOLDER
  local package
  mkdir -p "$1"
  for package in llvm-22-dev libbolt-22-dev libstdc++-12-dev zlib1g-dev libzstd-dev libsqlite3-dev \
    libhwloc-dev libcpp-httplib-dev libc6-dev; do
    cp -L "/usr/share/doc/$package/copyright" "$1/$package" || return 1
  done
}

# Fails if one of the files needs a newer C library, or another library.
check_needs() { # check_needs FILE...
  local file newest needed status=0
  for file in "$@"; do
    newest=$(objdump -T "$file" | grep -o 'GLIBC_2[0-9.]*' | sort -uV | tail -n 1)
    needed=$(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }' |
      grep -vxE '(libc|libm|libdl|librt|libpthread)\.so\.[0-9]+|ld-linux-x86-64\.so\.2' || true)
    echo "${file##*/}: ${newest:-no glibc}"
    if [ -n "$needed" ]; then
      echo "error: ${file##*/} needs" $needed
      status=1
    fi
    if [ "$(printf '%s\n' "GLIBC_$oldest_glibc" "$newest" | sort -V | tail -n 1)" != "GLIBC_$oldest_glibc" ]; then
      echo "error: ${file##*/} needs $newest"
      status=1
    fi
  done
  return $status
}

# The same bits from the same files.
make_tarball() {
  local tree=$stage/$tarball component file binaries=() modified
  for component in graupel graupel-dev graupel-doc license; do
    cmake --install "$build" --component "$component" --prefix "$tree" || return 1
  done
  for file in "$tree"/bin/* "$tree"/lib/*.so; do
    [ "$(head -c 4 "$file")" = $'\177ELF' ] || continue
    strip --strip-unneeded "$file" || return 1
    binaries+=("$file")
  done
  check_needs "${binaries[@]}" || return 1
  copy_licenses "$tree/share/doc/graupel/licenses" || return 1
  modified=$(git -C "$graupel_root" log -1 --format=%cI 2>/dev/null || date -Iseconds)
  mkdir -p "$output"
  tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w --mtime="$modified" \
    -cf - "$tarball" | xz "-$([ $fast = 1 ] && echo 0 || echo 6)" -T2 >"$output/$tarball.tar.xz"
}

packages=("${packages_build[@]}" binutils)
[ $kind = tarball ] || packages+=(dpkg-dev)
step_total=6
prepare_logs
ensure_packages "${packages[@]}"
ensure_bolt_headers
if [ $kind = deb ]; then
  ensure_libstdcxx
  build=${build:-$graupel_build}
  must configure "Configuring" "The last lines name the cause." configure_build \
    "-DGRAUPEL_LIBSTDCXX_DIR=$graupel_build/libstdcxx"
else
  build=${build:-$graupel_root/build-tarball}
  must portable-root "The C library of Debian 11 (10 MB are fetched once)" \
    "It takes a network." "$graupel_root/tools/fetch-portable-root.sh" "$portable_root"
  must configure "Configuring" "The last lines name the cause." configure_build -DGRAUPEL_BUILD_TESTS=OFF \
    "-DGRAUPEL_PORTABLE_ROOT=$portable_root" "-DGRAUPEL_HTTP_INCLUDE_DIR=$portable_root/include"
fi
must package-build "Building" "If the sources are unchanged, please report this with the log." \
  cmake --build "$build"
stage=$(mktemp -d "${TMPDIR:-/tmp}/graupel-package.XXXXXX")
must "package-$kind" "Packing" "The last lines name the cause." "make_$kind"
ls -l "$output" | awk -v kind="$kind" 'NF > 8 && (kind == "deb") == /\.deb$/ { printf "%8.1f MB  %s\n", $5 / 1e6, $9 }'

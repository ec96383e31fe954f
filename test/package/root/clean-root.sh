#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: test/package/root/clean-root.sh [--make] [--full] deb|tarball [FOLDER]
#
# Installs the packages or the tarball of FOLDER (default: build/packages) in a bare
# Debian 12 or, for the tarball, Debian 11, makes a program faster there (inside.sh),
# and uninstalls. Prints `ok - ...` or `not ok - ...` per check; fails if one failed.
#
#   --make   makes them first, in build/roots/packages (tools/package.sh --fast)
#   --full   deb: also what is recommended, clang among it, and programs of graupel
#            dsm, stride and numa (plugins.sh)
#
# The bare systems are made by debootstrap, once: build/roots. All mounts are in a
# mount namespace of their own and end with it. Needs root, and a network the first
# time, for the deb always; elsewhere it is not supported.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
graupel_root=$(cd "$here/../../.." && pwd)
roots=$graupel_root/build/roots
full=0
make=0
kind=
packages=
for argument in "$@"; do
  case $argument in
    --full) full=1 ;;
    --make) make=1 ;;
    deb | tarball) kind=$argument ;;
    -h | --help) sed -n '4,/^set -/{s/^# \{0,1\}//;/^set -/d;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "error: unknown option $argument; see --help" >&2; exit 1 ;;
    *) packages=$(realpath -m "$argument") ;;
  esac
done
case $kind in
  deb) suite=bookworm ;;
  tarball) suite=bullseye ;;
  *) echo "error: say what to install, deb or tarball; see --help" >&2; exit 1 ;;
esac

if [ -z "$packages" ]; then
  packages=$([ $make = 1 ] && echo "$roots/packages" || echo "$graupel_root/build/packages")
fi

skip() {
  echo "ok - the $kind in a bare $suite # SKIP $1"
  exit 0
}
[ "$(id -u)" = 0 ] || skip "only root can make one"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
unshare --mount --pid --fork true 2>/dev/null || skip "there are no mount namespaces"

extra=()
[ $full = 0 ] || extra=(pkg-config)
mirror=http://deb.debian.org/debian
work=$(mktemp -d "${TMPDIR:-/tmp}/graupel-root.XXXXXX")
root=$work/root
failed=0
trap 'rm -rf --one-file-system "$work"' EXIT

# A bare system with a compiler and man, packed.
make_bare_system() {
  local archive=$roots/$suite.tar.gz
  [ ! -f "$archive" ] || return 0
  mkdir -p "$roots"
  unshare --mount --propagation private debootstrap --variant=minbase \
    --include=gcc,libc6-dev,man-db,ca-certificates "$suite" "$root" "$mirror" >"$work/log" 2>&1 || return 1
  rm -rf "$root"/var/cache/apt/archives/*.deb
  tar -C "$root" -cf - . | gzip -1 >"$archive.new" && mv "$archive.new" "$archive" || return 1
  rm -rf --one-file-system "$root"
}

# in_root COMMAND...: with /proc and /dev, whatever the command mounts.
in_root() {
  # shellcheck disable=SC2016
  unshare --mount --propagation private --pid --fork --kill-child sh -c '
    root=$1; shift
    mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
      exec chroot "$root" env -i PATH="$GRAUPEL_PATH" HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"' \
    sh "$root" "$@"
}
export GRAUPEL_PATH=/usr/sbin:/usr/bin:/sbin:/bin

check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/    /' "$work/log" | tail -n 40
    failed=1
    return 1
  fi
}

# All files but what apt and dpkg note down, and, with what is recommended, adduser.
list_files() {
  local folder pruned=()
  for folder in proc dev sys tmp run test debs etc/gshadow- var/log var/cache var/lib/apt var/lib/dpkg; do
    pruned+=(-path "./$folder" -prune -o)
  done
  (cd "$root" && find . "${pruned[@]}" -print | sort)
}

nothing_is_left() { diff "$work/before" <(list_files); }

install_deb() {
  local recommends=--no-install-recommends
  [ $full = 0 ] || recommends=--install-recommends
  in_root apt-get -q install -y "$recommends" "${files[@]/#*\//./debs/}" "${extra[@]}"
}

prepare_deb() {
  printf 'deb %s %s main\n' "$mirror" bookworm "$mirror" bookworm-updates \
    "$mirror-security" bookworm-security >"$root/etc/apt/sources.list"
  in_root apt-get -q -o Acquire::Retries=2 update
}

test_deb() {
  prepare_deb >"$work/log" 2>&1 && ! grep -q 'Failed to fetch' "$work/log" ||
    skip "its packages cannot be fetched: $(tail -n 1 "$work/log")"
  mkdir "$root/debs"
  cp "${files[@]}" "$root/debs"
  list_files >"$work/before"
  begin=$(date +%s)
  check "apt installs the packages" install_deb || return 0
  echo "# installed in $(($(date +%s) - begin)) s: $(grep 'Need to get\|additional disk space' "$work/log" | xargs)"
  in_root sh /test/inside.sh /test "$begin" || failed=1
  [ $full = 0 ] || in_root sh /test/plugins.sh /test || failed=1
  check "apt removes them" in_root apt-get -q purge -y --auto-remove \
    graupel graupel-dev graupel-doc "${extra[@]}" || true
  check "nothing is left" nothing_is_left || true
}

test_tarball() {
  list_files >"$work/before"
  begin=$(date +%s)
  check "the tarball is unpacked" tar -xf "${files[0]}" -C "$root/opt" || return 0
  tree=/opt/$(ls "$root/opt")
  GRAUPEL_PATH=$tree/bin:$GRAUPEL_PATH in_root sh /test/inside.sh /test "$begin" || failed=1
  rm -rf "$root/test/state"
  check "it is moved" mv "$root$tree" "$root/opt/moved"
  GRAUPEL_PATH=/opt/moved/bin:$GRAUPEL_PATH in_root sh /test/inside.sh /test |
    sed 's/^\(not ok\|ok\) - /&moved: /' || failed=1
  rm -rf "$root/opt/moved"
  check "nothing is left" nothing_is_left || true
}

make_bare_system || skip "debootstrap failed: $(tail -n 1 "$work/log")"
if [ $make = 1 ]; then
  rm -f "$packages"/graupel*
  "$graupel_root/tools/package.sh" --fast --output "$packages" "$kind" ||
    { echo "not ok - the $kind is made"; exit 1; }
fi
shopt -s nullglob
if [ $kind = deb ]; then
  files=("$packages"/graupel_*_amd64.deb "$packages"/graupel-dev_*.deb "$packages"/graupel-doc_*.deb)
else
  files=("$packages"/graupel-*-x86_64-linux.tar.xz)
fi
if [ ${#files[@]} != $([ $kind = deb ] && echo 3 || echo 1) ]; then
  echo "error: $packages does not hold one $kind; run tools/package.sh $kind" >&2
  exit 1
fi
mkdir -p "$root"
tar -C "$root" -xpf "$roots/$suite.tar.gz"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/hosts "$root/etc/hosts"
mkdir "$root/test"
cp "$here"/*.sh "$here"/*.c "$here"/../dsm/shared.c "$here"/../numa/placed.c "$root/test"
"test_$kind"
exit $failed

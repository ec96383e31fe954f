#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/fetch-portable-root.sh [DEST]     (default: build/portable-root)
#
# Puts into DEST what programs are linked with that shall run on any x86-64 Linux
# since 2020: the C library of Debian 11 (glibc 2.31) and libgcc of its compiler;
# and, as DEST/include/httplib.h, cpp-httplib as a header alone, which Debian
# packages as a shared library only. cmake/GraupelPortable.cmake uses it.
#
# apt fetches and verifies everything (10 MB). The user's apt configuration is
# neither read nor written: the sources file and the lists used here are private.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
dest=${1:-$root/build/portable-root}
packages=(libc6 libc6-dev libgcc-s1 libgcc-10-dev)
stamp="bullseye: ${packages[*]}; bookworm: cpp-httplib"

die() { echo "fetch-portable-root: error: $*" >&2; exit 1; }

if [ "$(cat "$dest/CONTENTS" 2>/dev/null)" = "$stamp" ]; then
  echo "The C library of Debian 11 is in place"
  exit 0
fi
command -v apt-get >/dev/null || die "apt-get was not found; this works on Debian only"

mkdir -p "$(dirname "$dest")"
work=$(mktemp -d "$(dirname "$dest")/portable-root.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/archives/partial" "$work/new"
log=$work/log

# apt_get MIRROR ARGUMENT...: with our own sources, as if nothing were installed.
apt_get() {
  local mirror=$1
  shift
  cat >"$work/parts/graupel.sources" <<EOF
Types: deb
URIs: $mirror
Suites: bullseye
Components: main
Architectures: amd64
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
EOF
  LC_ALL=C apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts" \
    -o "Dir::State::lists=$work/lists" -o Dir::State::status=/dev/null -o "Dir::Cache=$work" \
    -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@" >"$log" 2>&1
}

# Debian 11 moves to the archive at the end of its life.
fetch() {
  local mirror
  cd "$work"
  for mirror in http://deb.debian.org/debian http://archive.debian.org/debian; do
    # apt-get update calls an unreachable mirror a warning.
    if apt_get "$mirror" update && ! grep -q 'Failed to fetch' "$log" &&
      apt_get "$mirror" download "${packages[@]}" &&
      apt_get "$mirror" source --download-only --tar-only cpp-httplib; then
      return 0
    fi
  done
  tail -5 "$log" >&2
  die "cannot fetch ${packages[*]} of Debian 11; is there a network?"
}

# Absolute links would lead out of the folder.
keep_links_inside() {
  local link target
  while read -r link; do
    target=$(readlink "$link")
    ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$work/new$target")" "$link"
  done < <(find "$work/new" -type l -lname '/*')
}

echo "Fetching the C library of Debian 11 (10 MB, once)"
fetch
for package in "$work"/*.deb; do
  dpkg-deb -x "$package" "$work/new"
done
rm -rf "$work/new/usr/share" "$work/new/etc"
keep_links_inside
mkdir "$work/new/include"
tar xf "$work"/cpp-httplib_*.orig.tar.* --wildcards --strip-components=1 -C "$work/new/include" '*/httplib.h'
for file in usr/lib/x86_64-linux-gnu/libc_nonshared.a usr/lib/gcc/x86_64-linux-gnu/10/libgcc_eh.a include/httplib.h; do
  [ -f "$work/new/$file" ] || die "the packages hold no $file"
done
echo "$stamp" >"$work/new/CONTENTS"
rm -rf "$dest"
mv "$work/new" "$dest"
echo "The C library of Debian 11 is in $dest"

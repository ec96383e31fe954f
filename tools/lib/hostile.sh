#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/lib/hostile.sh ROOT BUILD REPORT SHARD SHARDS [SECONDS]
#
# Runs the tests of programs and passes where they have it hard, as many as end
# within SECONDS, and writes lit's REPORT. `tools/check.sh --hostile` runs all of
# them (shard 1 of 1), CI one shard of ten. A test that fails here depends on
# something that it should not depend on:
#
#   load       a busy process on each processor
#   user       an ordinary user without a home, a name or a login; file mode 077
#   path       tests and build are reached through a folder with blanks in its name
#   locale     Turkish, whose small I has no dot, and whose decimals have a comma
#   terminal   20 columns, 5 lines
#   processor  glibc chooses its functions as on a processor of 2006 (SSE3, no AVX)
#   time zone  a quarter of an hour away from the others
#
# What needs root (the user, the path) is left out for others, with a line that says so.
set -euo pipefail

# shellcheck source=tools/lib/test_copy.sh
. "$(dirname "${BASH_SOURCE[0]}")/test_copy.sh"
root=$1 build=$2 report=$3 shard=$4 shards=$5 seconds=${6:-}
# In a mount namespace of our own, so that nothing is left mounted.
if [ "$(id -u)" = 0 ] && [ -z "${GRAUPEL_HOSTILE_INSIDE:-}" ]; then
  GRAUPEL_HOSTILE_INSIDE=1 exec unshare --mount --propagation private "$0" "$@"
fi

here=$(mktemp -d /tmp/graupel-hostile.XXXXXX)
blank="$here/a path with blanks"
busy=
# The build is mounted below this folder: only what was made here is removed, and
# nothing at all from a folder that something is mounted on.
# shellcheck disable=SC2317
cleanup() {
  [ -z "$busy" ] || kill "$busy" 2>/dev/null || true
  umount "$blank/build" 2>/dev/null || true
  [ ! -L "$blank/build" ] || rm "$blank/build"
  rm -rf "$here/source" "$here/locale"
  rmdir "$blank/build" "$blank" "$here" 2>/dev/null || true
}
trap cleanup EXIT

mkdir -p "$blank/build"
copy_tests "$root" "$build" "$here/source"
cp -r "$build/numa-guest" "$here/source/guests" 2>/dev/null || mkdir "$here/source/guests"
as_user=()
if [ "$(id -u)" = 0 ]; then
  mount --bind "$build" "$blank/build"
  mount -o remount,bind,ro "$blank/build"
  user=54321
  chown -R $user:$user "$here/source"
  chmod 755 "$here" "$blank"
  as_user=(setpriv "--reuid=$user" "--regid=$user" --clear-groups)
  if ! "${as_user[@]}" test -x "$build/bin/graupel"; then
    echo "note: other users cannot read $build, so root runs the tests"
    as_user=()
  fi
else
  rmdir "$blank/build"
  ln -s "$build" "$blank/build"
  echo "note: the tests run as $(id -un), and the path with blanks is a link; root can do more"
fi
sed -i "s|^config.graupel_bin_dir = .*|config.graupel_bin_dir = '$blank/build/bin'|" \
  "$here/source/build/test/lit.site.cfg.py"

mkdir "$here/locale"
if localedef -i tr_TR -f UTF-8 "$here/locale/tr_TR.UTF-8" 2>/dev/null; then
  export LOCPATH="$here/locale" GRAUPEL_TEST_LOCALE=tr_TR.UTF-8
else
  echo "note: the Turkish locale cannot be made (Debian package locales), so it is C"
fi
if command -v stress >/dev/null; then
  stress --quiet --cpu "$(nproc)" &
  busy=$!
else
  echo "note: the program stress is missing, so the machine is idle"
fi

umask 077
# The C library asks the processor what it can, and chooses memcpy and its like, and
# how the dynamic linker saves registers, by that.
older=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-BMI1,-BMI2,-LZCNT,-MOVBE,-FMA
older=$older,-ERMS,-FSRM,-RTM,-SSE4_1,-SSE4_2,-SSSE3,-POPCNT,-XSAVE,-XSAVEC
export GLIBC_TUNABLES=glibc.cpu.hwcaps=$older
export COLUMNS=20 LINES=5 TZ=Asia/Kathmandu HOME="$here/source/home/that/is/not/there" \
  GRAUPEL_TEST_GUESTS="$here/source/guests"
touch "$here/source/report.json"
[ ${#as_user[@]} = 0 ] || chown "$user" "$here/source/report.json"
bound=()
[ -z "$seconds" ] || bound=(--max-time "$seconds")
status=0
cd "$here/source"
"${as_user[@]}" lit-22 -v --timeout 3600 -o "$here/source/report.json" \
  --num-shards "$shards" --run-shard "$shard" "${bound[@]}" "$here/source/build/test" || status=$?
cp "$here/source/report.json" "$report"
exit $status

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: inside.sh FOLDER [BEGIN]
#
# Run in a clean root by clean-root.sh, with Graupel installed: makes the program in
# FOLDER faster in both ways, and asks for what else was installed. BEGIN, seconds
# since 1970, is when the installation began.
set -u
cd "$1" || exit 1
begin=${2:-}
export LC_ALL=C XDG_STATE_HOME="$1/state"
# shellcheck source=test/package/root/checks.sh
. ./checks.sh

other_image() { [ "$(graupel run -- ./program size)" != "$(./program size)" ]; }

check "a program is compiled and linked with relocations" gcc -O2 -Wl,--emit-relocs program.c -o program
./program 300 >expected
check "graupel-bolt instruments it" graupel-bolt program -o program.instrumented -instrument
check "the instrumented program works" same expected ./program.instrumented 300
check "and counts" test -s program.instrumented.gprofile
check "graupel-bolt optimizes it" graupel-bolt program -o program.faster -data=program.instrumented.gprofile
check "the optimized program works" same expected ./program.faster 300
[ -z "$begin" ] || echo "# $(($(date +%s) - begin)) s from the beginning of the installation to the first optimized program"
check "it is another one" sh -c "! cmp -s program program.faster"
check "so is one that is proved" graupel-bolt program -o program.proved -data=program.instrumented.gprofile -hco -verify

check "graupel learn" same expected graupel learn -- ./program 300
check "graupel optimize" graupel optimize ./program
check "graupel run" same expected graupel run -- ./program 300
check "it runs the optimized program" other_image

check "graupel names its version" says "graupel 0." graupel --version
check "graupel-bolt names its own and LLVM's" says "(LLVM 22." graupel-bolt --version
if command -v python3 >log; then
  check "graupel-bisect starts" graupel-bisect --help
fi
check "graupel-ui starts" sh -c "graupel-ui 2>&1 | grep -q 'part of .graupel ui'"
check "graupel numa finds this machine" graupel numa topology
check "the manual has a page of graupel" says graupel.1 man -w graupel
check "one of graupel-bolt" says graupel-bolt.1 man -w graupel-bolt
check "and shows it" says "learn" man graupel
exit $failed

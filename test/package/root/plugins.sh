#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: plugins.sh FOLDER
#
# Run in a clean root by clean-root.sh, with Graupel and all that it recommends
# installed: programs of graupel dsm, stride and numa.
set -u
cd "$1" || exit 1
# shellcheck source=test/package/root/checks.sh
. ./checks.sh
share=/usr/share/graupel

check "a program for graupel dsm is compiled" \
  clang-22 "--config=$share/graupel-dsm.cfg" -O2 shared.c -o shared
check "two nodes share memory" says "sum 49995000" graupel dsm run -n 2 ./shared
check "its flags are known to pkg-config" says "--config=" pkg-config --cflags --libs graupel-dsm
# shellcheck disable=SC2046
check "they are enough" clang-22 $(pkg-config --cflags --libs graupel-dsm) -O2 shared.c -o shared
check "a program for graupel stride is compiled" \
  clang-22 "--config=$share/graupel-stride.cfg" -O2 -g program.c -o recorded
check "its memory references are recorded" graupel stride record -o recorded.stride -- ./recorded 30
check "and reported" graupel stride report recorded.stride
# shellcheck disable=SC2046
check "a program that places memory is compiled" \
  gcc placed.c -o placed $(pkg-config --cflags --libs graupel-numa)
check "it does" says "pages right" ./placed
check "a program is compiled by graupel-numa.cfg" \
  clang-22 "--config=$share/graupel-numa.cfg" -O2 -g program.c -o sites
check "and runs" same expected ./sites 300
exit $failed

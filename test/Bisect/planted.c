// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// graupel-bisect finds the function that a plugin breaks, and that the plugin does
// it.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O1 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata
// RUN: %t.i
// RUN: %graupel-bisect --test 'test "$({})" = 55' -- graupel-bolt %t.exe -data=%t.fdata -o %t.o --load-bolt-plugin=%plugins/break.so -break-function=third | FileCheck %s
// CHECK: the given command: fails
// CHECK: -lite=0 -max-funcs=
// CHECK: -funcs-no-regex=third: fails
// CHECK: -layout=none: fails
// CHECK: it works with -break-function=third left out
// CHECK: verdict: third is broken by what -break-function=third does; {{.*}}-skip-funcs=third
//
// The same when the broken function is called without a profile.
// RUN: %graupel-bisect --test 'test "$({})" = 55' -- graupel-bolt -o=%t.o %t.exe --load-bolt-plugin=%plugins/break.so -break-function=main | FileCheck %s --check-prefix=MAIN
// MAIN: verdict: main is broken by what -break-function=main does
//
// A program is found in the current folder, and a test that does not end fails,
// with all that it started. (Only the first that fails does not end.)
// RUN: rm -rf %t.dir && mkdir %t.dir && cp %t.exe %t.dir/program
// RUN: echo 'test "$($1)" = 55 && exit; test -e looped && exit 1; echo > looped; sleep 1000 & echo $! > sleeper; wait' > %t.dir/try
// RUN: cd %t.dir && %graupel-bisect --timeout 8 --test 'sh ./try {}' -- graupel-bolt program -o output --load-bolt-plugin=%plugins/break.so -break-function=third | FileCheck %s --check-prefix=LOOP
// LOOP: the given command: fails
// LOOP: verdict: third is broken by what -break-function=third does
// RUN: %limit 60 sh -c 'while :; do grep -qs "^State:.[^XZ]" /proc/$(cat %t.dir/sleeper)/status || exit 0; sleep 0.1; done'
// RUN: cd %t.dir && %graupel-bisect --test 'test "$({})" = 55' -- graupel-bolt program -o output --load-bolt-plugin=%plugins/break.so -break-function=main | FileCheck %s --check-prefix=LIMIT
// LIMIT: a test may take {{[0-9]+}} seconds
// LIMIT: verdict: main is broken
//
// Mistakes are named.
// RUN: not %graupel-bisect --test '{}' -- graupel-bolt %t.exe -o %t.o 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: graupel-bisect: the test succeeds with the output; there is nothing to find
// RUN: not %graupel-bisect --test 'false {}' -- graupel-bolt %t.exe -o %t.o 2>&1 | FileCheck %s --check-prefix=TEST
// TEST: graupel-bisect: the test fails with the program that goes in; correct the test
// RUN: not %graupel-bisect --test '{}' -- graupel-bolt %t.exe 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: graupel-bisect: the command has no -o
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE int first(int X) { return X * 3; }
NOINLINE int second(int X) { return X + 4; }
NOINLINE int third(int X) { return X % 100 + 1; }
NOINLINE int fourth(int X) { return X - 1 + third(X) - third(X); }

int main() {
  printf("%d\n", fourth(third(second(first(17)))) - 1 + 1);
  return 0;
}

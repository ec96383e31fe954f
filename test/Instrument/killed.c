// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// kill -9 at random times loses nothing: the profile has every piece of work that
// the process said it had done, and at most the one more that it was doing.
//
// RUN: rm -f %t.gprofile
// RUN: gcc -O2 -w -I %S/Inputs %s -Wl,--emit-relocs -o %t.plain
// RUN: graupel-bolt %t.plain -instrument -o %t
// RUN: %python %S/Inputs/killed.py %t > %t.said
// RUN: %counts %t.gprofile @%t.said

#include "units.h"
#include <unistd.h>

UNIT(hashed, 1)

KEPT void work(void) {
  for (int I = 0; I < 64; ++I)
    hashed();
}

int main(void) {
  for (;;) {
    work();
    if (write(1, "", 1) != 1)
      return 1;
  }
}

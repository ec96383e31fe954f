// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Where the profile is, and that a program runs on if there cannot be one.
//
// RUN: rm -rf %t && mkdir %t %t/place %t/closed
// RUN: gcc -O2 -w -I %S/Inputs %s -Wl,--emit-relocs -o %t/plain
// RUN: gcc -O2 -w -I %S/Inputs %s -Wl,--emit-relocs -static -o %t/static
//
// Beside the instrumented file, wherever it is run from.
// RUN: cd %t/place && graupel-bolt ../plain -instrument -o ../prog && cd / && %t/prog
// RUN: %counts %t/prog.gprofile unit=100 inChild=10
// A relative name is of the folder where graupel-bolt ran, or of the one where
// the program starts.
// RUN: cd %t/place && graupel-bolt ../plain -instrument -o ../named -instrumentation-file=named.gprofile && cd / && %t/named
// RUN: %counts %t/place/named.gprofile unit=100 inChild=10
// RUN: cd %t/place && env GRAUPEL_PROFILE=relative %t/prog && %counts %t/place/relative unit=100 inChild=10
// RUN: cd %t/place && env GRAUPEL_PROFILE=. %t/prog && %counts %t/place/prog.gprofile unit=100 inChild=10
// One file for each process.
// RUN: graupel-bolt %t/plain -instrument -o %t/each -instrumentation-file=%t/place/each -instrumentation-file-append-pid
// RUN: %t/each && %python -c "import glob; assert len(glob.glob(r'%t/place/each.*')) == 2"
// RUN: graupel-bolt merge -o %t/place/sum %t/place/each.* && %counts %t/place/sum unit=100 inChild=10
// What a link leads to, be it there or not.
// RUN: ln -s target %t/place/link && env GRAUPEL_PROFILE=%t/place/link %t/prog 2>&1 | FileCheck %s -check-prefix LINK --implicit-check-not=graupel
// LINK: done
// RUN: env GRAUPEL_PROFILE=%t/place/link %t/prog && test -L %t/place/link && %counts %t/place/target unit=200 inChild=20
// RUN: ln -s nowhere/target %t/place/dead && env GRAUPEL_PROFILE=%t/place/dead %t/prog 2>&1 | FileCheck %s -check-prefix DEAD
// DEAD: graupel: cannot record the profile {{.*}}/place/dead: No such file or directory (errno 2); the counts of this process are lost
//
// No folder, one that is closed, and one without /proc in a new root: the program
// does its work, and says once what is wrong.
// RUN: env GRAUPEL_PROFILE=/nowhere/x %t/prog 2>&1 | FileCheck %s -check-prefix NOWHERE
// NOWHERE: {{^}}graupel: cannot record the profile /nowhere/x: No such file or directory (errno 2); the counts of this process are lost
// NOWHERE-NOT: graupel
// NOWHERE: done
// RUN: graupel-bolt %t/static -instrument -o %t/jailed -instrumentation-file=/closed/x
// RUN: %python %S/Inputs/jail.py %t/jailed %t 2>&1 | FileCheck %s -check-prefix CLOSED
// CLOSED: {{^graupel: cannot record the profile /closed/x: Permission denied \(errno 13\); the counts of this process are lost$|not root}}
// CLOSED-NOT: graupel
// CLOSED: done
// RUN: graupel-bolt %t/static -instrument -o %t/jailed -instrumentation-file=/place/jailed
// RUN: %python %S/Inputs/jail.py %t/jailed %t 2>&1 | FileCheck %s -check-prefix JAILED
// JAILED-NOT: graupel
// JAILED: done
// RUN: not test -e %t/place/jailed || %counts %t/place/jailed unit=100 inChild=10

#include "units.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

UNIT(unit, 1)
UNIT(inChild, 2)

int main(void) {
  for (int I = 0; I < 100; ++I)
    unit();
  if (chdir("/"))
    return 1;
  pid_t Child = fork();
  if (Child == 0) {
    for (int I = 0; I < 10; ++I)
      inChild();
    _exit(0);
  }
  int Status;
  if (waitpid(Child, &Status, 0) != Child || Status)
    return 2;
  puts("done");
  return 0;
}

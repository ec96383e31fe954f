// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Which file is counted into, and what is said if it cannot be.
//
// RUN: rm -rf %t.* && mkdir %t.dir %t.elsewhere
// RUN: %runtime-build %s -o %t.prog
//
// GRAUPEL_PROFILE is a file, or a folder to put the file in.
// RUN: env GRAUPEL_PROFILE=%t.other %t.prog && %profile %t.other | FileCheck %s
// RUN: env GRAUPEL_PROFILE=%t.dir %t.prog && %profile %t.dir/where.c.tmp.prog.profile | FileCheck %s
// RUN: cd %t.elsewhere && env GRAUPEL_PROFILE=relative %t.prog && %profile relative | FileCheck %s
// RUN: env GRAUPEL_PROFILE= %t.prog && %profile %t.prog.profile | FileCheck %s
// RUN: touch %t.empty && env GRAUPEL_PROFILE=%t.empty %t.prog && %profile %t.empty | FileCheck %s
//
// The path stays what it was when the program changes its folder and forks.
// CHECK:      counter 0 1
// CHECK-NEXT: counter 1 1
//
// Profiles of something else are left alone, whether they are profiles or not.
// RUN: cp %t.prog.profile %t.before
// RUN: %runtime-build %s -o %t.changed --plan 4660 --profile %t.prog.profile
// RUN: %t.changed 2>&1 | FileCheck %s -check-prefix STALE
// RUN: cmp %t.before %t.prog.profile && %profile %t.prog.profile.0000000000001234 | FileCheck %s
// STALE: graupel: the profile {{.*}}.prog.profile is of something else; counting into {{.*}}.prog.profile.0000000000001234 instead
// STALE-NOT: graupel
// RUN: echo precious > %t.text && cp %t.text %t.text.before
// RUN: env GRAUPEL_PROFILE=%t.text %t.prog 2>&1 | FileCheck %s -check-prefix TEXT
// RUN: cmp %t.text %t.text.before && %profile %t.text.0000000000000001 | FileCheck %s
// TEXT: graupel: the profile {{.*}}.text is of something else
// RUN: %python -c "open(r'%t.zeros', 'wb').write(bytes(4096) + b'precious')" && cp %t.zeros %t.zeros.before
// RUN: env GRAUPEL_PROFILE=%t.zeros %t.prog 2>&1 | FileCheck %s -check-prefix ZEROS
// RUN: cmp %t.zeros %t.zeros.before
// ZEROS: graupel: the profile {{.*}}.zeros is of something else
//
// What a program leaves that is killed while it makes the file is completed.
// RUN: %python -c "d=open(r'%t.before','rb').read(); open(r'%t.half', 'wb').write((bytes(4096) + d[4096:4100]).ljust(8192, b'\0'))"
// RUN: env GRAUPEL_PROFILE=%t.half %t.prog 2>&1 | count 0 && %profile %t.half | FileCheck %s
// RUN: %python -c "f=open(r'%t.before','r+b'); f.seek(12); f.write(b'\1')" && cp %t.before %t.sealed
// RUN: env GRAUPEL_PROFILE=%t.sealed %t.prog 2>&1 | FileCheck %s -check-prefix SEALED
// RUN: cmp %t.sealed %t.before
// SEALED: graupel: the profile {{.*}}.sealed is of something else
//
// Nothing makes the program fail.
// RUN: env GRAUPEL_PROFILE=/nowhere/at/all %t.prog 2>&1 | FileCheck %s -check-prefix MISSING
// MISSING: {{^}}graupel: cannot record the profile /nowhere/at/all: No such file or directory (errno 2); the counts of this process are lost{{$}}
// MISSING-NOT: graupel
// RUN: env GRAUPEL_PROFILE=/dev/null %t.prog 2>&1 | FileCheck %s -check-prefix DEVICE
// DEVICE: graupel: cannot record the profile /dev/null: it is not a regular file; the counts
// RUN: sh -c 'ulimit -f 1; exec env GRAUPEL_PROFILE=%t.limit %t.prog' 2>&1 | FileCheck %s -check-prefix LIMIT
// LIMIT: graupel: cannot record the profile {{.*}}: File too large (errno 27)
// RUN: not ls %t.limit
// One that exists may be as large as it is, but nothing is written to it.
// RUN: env GRAUPEL_PROFILE=%t.limit %t.prog
// RUN: sh -c 'ulimit -f 1; exec env GRAUPEL_PROFILE=%t.limit %t.prog' 2>&1 | FileCheck %s -check-prefix LIMIT
// RUN: rm %t.limit
// RUN: %python %S/Inputs/refused.py %t.prog readonly 2>&1 | FileCheck %s -check-prefix READONLY
// READONLY: {{graupel: cannot record the profile .*profile: Permission denied \(errno 13\)|not root}}
// RUN: %python %S/Inputs/refused.py %t.prog full 2>&1 | FileCheck %s -check-prefix FULL
// FULL: {{graupel: cannot record the profile .*: No space left on device \(errno 28\)|not root}}
// RUN: %python %S/Inputs/refused.py %t.prog growing 2>&1 | FileCheck %s -check-prefix FULL
//
// A copy may have holes, whose first use needs the disk, too.
// RUN: %python %S/Inputs/refused.py %t.prog holes 2>&1 | FileCheck %s -check-prefix FULL

#include "image.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  COUNT(0);
  if (chdir("/"))
    return 1;
  pid_t Child = fork();
  if (Child == 0) {
    COUNT(1);
    _exit(0);
  }
  int Status;
  return waitpid(Child, &Status, 0) != Child || Status;
}

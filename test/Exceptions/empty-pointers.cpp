// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler that writes unwind records itself gives functions without an
// exception table an empty pointer to one. It stays empty: in the records of
// functions that stay, whose copies are elsewhere, and in those that are new.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{flags} =
// DEFINE: %{run} = g++ -O2 -fno-dwarf2-cfi-asm %{flags} %s -Wl,--emit-relocs -o %t && %t && \
// DEFINE:   graupel-bolt %t -o %t.o -lite=0 -verify -print-protected > %t.log && %t.o && \
// DEFINE:   FileCheck %s --input-file=%t.log && \
// DEFINE:   graupel-bolt %t -o %t.o -skip-funcs='.*thrower.*' -verify && %t.o && \
// DEFINE:   graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i && \
// DEFINE:   graupel-bolt %t -o %t.p -data=%t.gprofile -hco -hco-growth=1000 -verify && %t.p && \
// DEFINE:   graupel-bolt %t -o %t.p -data=%t.gprofile -layout=spike -cold-share=20 -verify && %t.p
// RUN: %{run}
// CHECK-NOT: exception table cannot be rewritten
// CHECK: graupel-bolt: verified
//
// Distances of 8 bytes:
// REDEFINE: %{flags} = -fPIE -mcmodel=large
// RUN: %{run}
// Addresses:
// REDEFINE: %{flags} = -fno-pie -no-pie
// RUN: %{run}
//
// Whole words that are relative to their place, of which no compiler but some
// assembly makes use:
// RUN: g++ -O2 -fPIE -S %s -o %t.s
// RUN: sed 's/cfi_lsda 0x1b/cfi_lsda 0x10/; s/cfi_personality 0x9b/cfi_personality 0x90/' %t.s > %t.words.s
// RUN: g++ %t.words.s -Wl,--emit-relocs -o %t && %t
// RUN: graupel-bolt %t -o %t.o -skip-funcs='.*catcher.*' -verify && %t.o
// RUN: graupel-bolt %t -o %t.o -verify && %t.o
//
// Pointers of another kind are refused, and so are those that the loader writes.
// RUN: mkdir -p %t.dir
// RUN: sed 's/cfi_lsda 0x1b/cfi_lsda 0x12/; s/0x9b,DW.ref./0x8b,DW.ref./' %t.s > %t.short.s
// RUN: g++ -no-pie %t.short.s -Wl,--emit-relocs -o %t
// RUN: %refuse graupel-bolt %t -o %t.dir/o | FileCheck %s --check-prefix=SHORT
// SHORT: holds a record at {{0x[0-9a-f]+}} with pointers of the kind 0x12, which compilers do not write and which cannot be rewritten; report it if a compiler wrote it
// RUN: sed 's/cfi_lsda 0x1b/cfi_lsda 0x0/; s/0x9b,DW.ref./0x0,/' %t.s > %t.absolute.s
// RUN: g++ %t.absolute.s -Wl,--emit-relocs,-z,notext -o %t && %t
// RUN: %refuse graupel-bolt %t -o %t.dir/o | FileCheck %s --check-prefix=LOADED
// LOADED: holds an address that the loader writes, at {{0x[0-9a-f]+}}, so unwind records cannot be rewritten; compile with -fPIE or -fPIC what the linker warns of
//
// -verify sees a pointer that is not empty any more.
// RUN: g++ -O2 -fno-dwarf2-cfi-asm %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -skip-funcs='.*thrower.*'
// RUN: %python %S/Inputs/give-table.py %t.o _Z7throweri %t.bad
// RUN: not elf-verify %t %t.bad | FileCheck %s --check-prefix=KEPT
// KEPT: the unwind record of _Z7throweri has got an exception table
#include <stdexcept>

#define NOINLINE __attribute__((noinline))

struct Counted {
  int &Count;
  ~Counted() { ++Count; }
};

NOINLINE int thrower(int X) {
  if (X % 3 == 0)
    throw X;
  return X;
}

NOINLINE int catcher(int X, int &Count) {
  Counted Here{Count};
  if (!X)
    throw std::out_of_range("the end");
  try {
    return catcher(X - 1, Count) + 1;
  } catch (std::runtime_error &) {
    return 0;
  }
}

int main() {
  int Count = 0, Sum = 0;
  for (int I = 0; I < 10; ++I) {
    try {
      catcher(I, Count);
    } catch (std::exception &) {
      Sum += Count;
    }
    try {
      Sum += thrower(I);
    } catch (int X) {
      Sum += 100 + X;
    }
  }
  return Sum == 665 ? 0 : 1;
}

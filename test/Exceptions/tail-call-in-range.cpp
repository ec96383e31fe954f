// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range of an exception table that holds a tail call by the GOT (-fno-plt) does
// not mean that loads throw: the jump reads memory, and so do the pops before it.
//
// RUN: g++ -O2 -fno-plt -fcf-protection=none %s -Wl,--emit-relocs,--no-relax -o %t
// RUN: graupel-bolt %t -o %t.o -v=1 -verify > %t.log 2>&1 && not grep 'other than calls' %t.log
// RUN: not %t > %t.1 2>&1 ; not %t.o > %t.2 2>&1 && cmp %t.1 %t.2 && FileCheck %s < %t.2
// CHECK: caught 7

#include <cstdio>
#include <cstdlib>

extern "C" void leave(int);

// What g++ -O3 does: the range around the jump is that of an inlined noexcept
// function, whose table sends what is thrown nowhere.
asm(R"(
        .text
        .globl  pass
        .type   pass, @function
pass:
.Lpass_begin:
        .cfi_startproc
        .cfi_personality 0x9b, DW.ref.__gxx_personality_v0
        .cfi_lsda 0x1b, .Lpass_table
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        testl   %edi, %edi
        je      .Lpass_none
.Lpass_jump:
        popq    %rcx
        .cfi_adjust_cfa_offset -8
        jmp     *leave@GOTPCREL(%rip)
.Lpass_jump_end:
        .cfi_adjust_cfa_offset 8
.Lpass_none:
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   pass, .-pass
        .section .gcc_except_table, "a", @progbits
.Lpass_table:
        .byte   0xff, 0xff, 1
        .uleb128 .Lpass_sites_end - .Lpass_sites
.Lpass_sites:
        .uleb128 .Lpass_jump - .Lpass_begin
        .uleb128 .Lpass_jump_end - .Lpass_jump
        .uleb128 0
        .uleb128 0
.Lpass_sites_end:
        .text
)");

extern "C" void pass(int);

void leave(int Value) { throw Value; }

int main(int argc, char **) {
  pass(0);
  try {
    pass(6 + argc);
  } catch (int Value) {
    printf("caught %d\n", Value);
    return 1;
  }
  return 0;
}

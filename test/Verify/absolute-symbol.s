# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# nasm makes offsets of a structure's members absolute symbols of the type OBJECT.
# One is the address of a note, which moves in the output, and still is a number.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -pie %s -o %t -Wl,--emit-relocs
# RUN: graupel-bolt %t -o %t.o -verify && %t.o
# RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
# RUN: llvm-readelf -sW %t.o | FileCheck %s
# CHECK-DAG: 0000000000000318 {{.*}}OBJECT {{.*}}ABS member
# CHECK-DAG: 0000000000000338 {{.*}}OBJECT {{.*}}ABS another
  .type member, @object
  .set member, 0x318
  .size member, 8
  .type another, @object
  .set another, 0x338
  .size another, 8
  .text
  .globl main
  .type main, @function
main:
  .cfi_startproc
  movl $member, %eax
  subl $another, %eax
  addl $0x20, %eax
  ret
  .cfi_endproc
  .size main, . - main
  .section .note.GNU-stack, "", @progbits

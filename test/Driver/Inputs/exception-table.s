# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A function with one call site, whose exception table is written out; nothing is
# ever thrown.
  .text
  .globl main
  .type main, @function
main:
  .cfi_startproc
  .cfi_personality 0x9b, DW.ref.personality
  .cfi_lsda 0x1b, .Ltable
  pushq %rax
  .cfi_def_cfa_offset 16
.Lcall:
  callq leaf
.Lcalled:
  popq %rcx
  .cfi_def_cfa_offset 8
  retq
.Lpad:
  .cfi_def_cfa_offset 16
  ud2
  .cfi_endproc
.Lend:
  .size main, .-main
  .p2align 4
  .type leaf, @function
leaf:
  .cfi_startproc
  xorl %eax, %eax
  .rept 64
  nop
  .endr
  retq
  .cfi_endproc
  .size leaf, .-leaf
  .globl personality
  .type personality, @function
personality:
  ud2
  .size personality, .-personality

  .section .gcc_except_table,"a",@progbits
.Ltable:
  .byte 0xff                  # 0: landing pads are relative to the function
  .byte 0x9b                  # 1: types are relative, indirect, of 4 bytes
  .uleb128 .Ltypes-.Lbase     # 2
.Lbase:
  .byte 1                     # 3: call sites are uleb128
  .uleb128 .Lactions-.Lsites  # 4
.Lsites:
  .uleb128 .Lcall-main        # 5
  .uleb128 .Lcalled-.Lcall    # 6
  .uleb128 .Lpad-main         # 7
  .uleb128 1                  # 8
.Lactions:
  .byte 1                     # 9: type 1
  .byte 0                     # 10: and nothing else
  .p2align 2
  .long 0
.Ltypes:

  .data
  .p2align 3
DW.ref.personality:
  .quad personality

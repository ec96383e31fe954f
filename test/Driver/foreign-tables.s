# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs of compilers whose runtimes look up code in tables of their own, by
# distances that nobody can rewrite, are refused with the reason.
#
# REQUIRES: x86_64, gcc
# RUN: rm -rf %t.dir && mkdir %t.dir
# RUN: gcc -nostdlib -Wl,--emit-relocs %s -o %t.dir/go.exe -Wa,--defsym,GO=1
# RUN: %refuse graupel-bolt %t.dir/go.exe -o %t.dir/o | FileCheck %s --check-prefix=GO
# RUN: %refuse graupel-bolt %t.dir/go.exe -o %t.dir/o -instrument | FileCheck %s --check-prefix=GO
# GO: go.exe: holds code of a Go compiler, whose runtime has tables of code addresses that cannot be rewritten (section .gopclntab); leave this program as it is
# RUN: gcc -nostdlib -Wl,--emit-relocs %s -o %t.dir/haskell.exe
# RUN: %refuse graupel-bolt %t.dir/haskell.exe -o %t.dir/o | FileCheck %s --check-prefix=HASKELL
# HASKELL: haskell.exe: holds code of a Haskell compiler, {{.*}} (section .debug-ghc-link-info); leave
	.text
	.globl _start
	.type _start,@function
_start:
	movl $60, %eax
	syscall
	.size _start, .-_start
	.ifdef GO
	.section .gopclntab, "a"
	.else
	.section .debug-ghc-link-info, "", @note
	.endif
	.quad 0
	.section .note.GNU-stack, "", @progbits

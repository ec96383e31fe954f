# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The same, with labels without a type.
# as in OpenJDK's safefetch_linux_x86_64.S
	.text
	.globl SafeFetchN_impl, _SafeFetchN_fault, _SafeFetchN_continuation
	.hidden SafeFetchN_impl, _SafeFetchN_fault, _SafeFetchN_continuation
	.type SafeFetchN_impl,%function
SafeFetchN_impl:

_SafeFetchN_fault:
	movq (%rdi), %rax
	ret

_SafeFetchN_continuation:
	movq %rsi, %rax
	ret
	.section .note.GNU-stack,"",@progbits

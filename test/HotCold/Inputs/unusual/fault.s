# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A handler knows the first instruction by its address, as the JVM's SafeFetch.
# as in OpenJDK's safefetch_linux_x86_64.S
	.text
	.globl SafeFetchN_impl, _SafeFetchN_fault, _SafeFetchN_continuation
	.hidden SafeFetchN_impl, _SafeFetchN_fault, _SafeFetchN_continuation
	.type SafeFetchN_impl,%function
SafeFetchN_impl:
	.type _SafeFetchN_fault,%function
_SafeFetchN_fault:
	movq (%rdi), %rax
	ret
	.type _SafeFetchN_continuation,%function
_SafeFetchN_continuation:
	movq %rsi, %rax
	ret
	.section .note.GNU-stack,"",@progbits

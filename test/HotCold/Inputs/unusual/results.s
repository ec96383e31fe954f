# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A library that returns four words in RAX, RDX, RCX and R8, as Swift does.
        .text
        .type rare, @function
rare:   leaq 1(%rdi,%rdi,2), %rax
        xorl %ecx, %ecx
        xorl %r8d, %r8d
        ret
        .size rare, .-rare

# The third is the fourth parameter; only the rare way touches it.
        .globl through
        .type through, @function
through: .cfi_startproc
        leaq (%rdi,%rsi), %rax
        testl $15, %edi
        je 1f
        movq %rdi, %r8
        subq %rsi, %r8
        ret
1:      pushq %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbx, -16
        movq %rcx, %rbx
        callq rare
        movq %rbx, %rcx
        leaq 5(%rax), %r8
        popq %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
        .cfi_endproc
        .size through, .-through

# The third is read once more behind where it was set.
        .globl again
        .type again, @function
again:  .cfi_startproc
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbx, -16
        leaq (%rdi,%rsi,4), %rbx
        testl $15, %edi
        jne 2f
        callq rare
        movq %rbx, %rcx
        leaq (%rcx,%rax), %r8
        popq %rbx
        .cfi_remember_state
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
2:      .cfi_restore_state
        movq %rbx, %rcx
        leaq (%rcx,%rdi), %r8
        movq %rdi, %rax
        popq %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
        .cfi_endproc
        .size again, .-again

# All of them are another's, but on the rare way.
        .type inner, @function
inner:  .cfi_startproc
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbx, -16
        leaq (%rdi,%rsi,8), %rbx
        testl $15, %edi
        jne 3f
        callq rare
        movq %rbx, %rcx
        leaq 7(%rax), %r8
        popq %rbx
        .cfi_remember_state
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
3:      .cfi_restore_state
        movq %rbx, %rcx
        movq %rsi, %rax
        leaq 9(%rdi), %r8
        popq %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
        .cfi_endproc
        .size inner, .-inner

        .globl on
        .type on, @function
on:     .cfi_startproc
        testl $31, %esi
        je 4f
        jmp inner
4:      movq %rdi, %rcx
        movq %rsi, %rax
        leaq 3(%rsi), %r8
        ret
        .cfi_endproc
        .size on, .-on

# It calls itself at one of its ends.
        .globl down
        .type down, @function
down:
.Ldown: .cfi_startproc
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbx, -16
        leaq (%rdi,%rsi,2), %rbx
        testl $7, %edi
        je 5f
        decq %rdi
        callq .Ldown
        addq %rbx, %rax
        popq %rbx
        .cfi_remember_state
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
5:      .cfi_restore_state
        callq rare
        movq %rbx, %rcx
        leaq 7(%rax), %r8
        popq %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
        .cfi_endproc
        .size down, .-down
        .section .note.GNU-stack,"",@progbits

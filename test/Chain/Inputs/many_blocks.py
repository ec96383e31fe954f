# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_blocks.py N: assembly of f, which has about 2 N blocks, and of g, which has few."""
import sys

for name, count in (("f", int(sys.argv[1])), ("g", 4)):
    print(f".text\n.globl {name}\n.type {name}, @function\n{name}:\n.cfi_startproc\nmov %edi, %eax")
    for i in range(count):
        print(f"test ${1 << i % 16}, %eax\njz 1f\nadd ${i}, %eax\n1:")
    print(f"ret\n.cfi_endproc\n.size {name}, .-{name}")
print('.section .note.GNU-stack, "", @progbits')

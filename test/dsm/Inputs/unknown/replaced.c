/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The linker prefers this one to a weak definition. */
void replaced(void *p) { *(long *)p = 0; }

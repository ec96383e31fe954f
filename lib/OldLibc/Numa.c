//===- Numa.c - The system calls of libnuma -------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that we call of libnuma, whose archive cannot be linked into a shared
// library: its symbols have versions.
//
//===----------------------------------------------------------------------===//

#include <numaif.h>
#include <sys/syscall.h>
#include <unistd.h>

long mbind(void *Start, unsigned long Length, int Mode,
           const unsigned long *Nodes, unsigned long MaxNode, unsigned Flags) {
  return syscall(SYS_mbind, Start, Length, Mode, Nodes, MaxNode, Flags);
}

long move_pages(int Process, unsigned long Count, void **Pages,
                const int *Nodes, int *Status, int Flags) {
  return syscall(SYS_move_pages, Process, Count, Pages, Nodes, Status, Flags);
}

long set_mempolicy(int Mode, const unsigned long *Nodes,
                   unsigned long MaxNode) {
  return syscall(SYS_set_mempolicy, Mode, Nodes, MaxNode);
}

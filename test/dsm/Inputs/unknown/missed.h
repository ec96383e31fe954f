/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions without checks that get at shared memory without being given a pointer in a
   call. Each returns the sum of N ones, or writes twos. */
#ifndef MISSED_H
#define MISSED_H
#include <stddef.h>

#define N 64

struct node {
  struct node *next;
  long *data;
};

/* Keeps what the others find; the first is declared to follow nothing. */
void foreign_keep(void *p);
void foreign_keep_structure(struct node *p);
void foreign_keep_number(double number);
void foreign_keep_halves(unsigned low, unsigned high);

long from_global(void);
long from_structure(void);
long from_number(void);
long from_halves(void);
long from_distance(void);
long from_result(void);
long vectors(void);
long wide_vectors(void);
long bytes(void);
long counted(void);
long exchanged(void);
long read_by_library(void);
long string_instruction(void);
long in_thread(void);
long written(void);
long written_by_library(void);
long cleared(void);
long from_assembly(void);
extern long *asm_global;
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that is not compiled with checks: runs of equal bytes become two. */
#ifndef FETCHED_H
#define FETCHED_H
struct stream {
  const char *in;
  char *out;
  unsigned long size, room, written;
};
int pack(char *to, unsigned long *size, const char *from, unsigned long length);
int unpack(struct stream *s);
/* Adds one behind each visit. */
void with_callback(long *p, long count, void (*visit)(long *));
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fetched.h"

int pack(char *to, unsigned long *size, const char *from, unsigned long length) {
  unsigned long n = 0;
  for (unsigned long i = 0, run; i < length; i += run) {
    for (run = 1; i + run < length && run < 100 && from[i + run] == from[i]; run++)
      ;
    if (n + 2 > *size)
      return -1;
    to[n++] = (char)run;
    to[n++] = from[i];
  }
  *size = n;
  return 0;
}

int unpack(struct stream *s) {
  for (unsigned long i = 0; i + 1 < s->size; i += 2)
    for (int run = s->in[i]; run--;) {
      if (s->written == s->room)
        return -1;
      s->out[s->written++] = s->in[i + 1];
    }
  return 0;
}

void with_callback(long *p, long count, void (*visit)(long *)) {
  for (long i = 0; i < count; i++) {
    visit(p + i);
    p[i] += 1;
  }
}

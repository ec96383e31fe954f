/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* zlib, which comes as it is, on shared buffers. */
#include <graupel/dsm.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

GDSM_FETCHES int compress(Bytef *, uLongf *, const Bytef *, uLong);
GDSM_FETCHES int uncompress(Bytef *, uLongf *, const Bytef *, uLong);

enum { LENGTH = 50000 };
static struct {
  Bytef *text, *packed, *again;
  uLongf *sizes;
} shared;

int main(void) {
  if (gdsm_node() == 0) {
    shared.text = gdsm_malloc(LENGTH);
    shared.packed = gdsm_malloc(LENGTH);
    shared.again = gdsm_malloc(LENGTH);
    shared.sizes = gdsm_malloc(2 * sizeof *shared.sizes);
    for (int i = 0; i < LENGTH; i++)
      shared.text[i] = (Bytef)(i * i / 3 % 40);
    shared.sizes[0] = shared.sizes[1] = LENGTH;
  }
  gdsm_broadcast(&shared, sizeof shared, 0);
  gdsm_barrier();
  int status = 0;
  if (gdsm_node() == 1)
    status = compress(shared.packed, &shared.sizes[0], shared.text, LENGTH);
  gdsm_barrier();
  if (gdsm_node() == 0)
    status = uncompress(shared.again, &shared.sizes[1], shared.packed, shared.sizes[0]);
  gdsm_barrier();
  int same = status == Z_OK && shared.sizes[0] < LENGTH / 2 && shared.sizes[1] == LENGTH &&
             memcmp(shared.text, shared.again, LENGTH) == 0;
  printf("node %d: %s\n", gdsm_node(), same ? "same" : "not the same");
  return !same;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of another file that are named like what may be given shared memory. */
#include <graupel/dsm.h>
#include <string.h>

int printf(const char *, ...);
int getw(const char *), llvm_word(const char *), gdsm_word(const char *);

int main(int argc, char **argv) {
  char *shared = NULL;
  if (gdsm_node() == 0) {
    shared = gdsm_malloc(64 * 4096);
    for (int i = 0; i < 64; ++i)
      strcpy(shared + i * 4096, "written on node 0");
  }
  gdsm_broadcast(&shared, sizeof shared, 0);
  gdsm_barrier();
  if (gdsm_node() == 1) {
    char mine[] = "written here";
    for (int i = 0; i < 2; ++i) {
      const char *from = i && argc > 2 ? mine : shared + 4096 * (1 + i);
      int word = *argv[1] == 'g'   ? getw(from)
                 : *argv[1] == 'l' ? llvm_word(from)
                                   : gdsm_word(from);
      printf("%x\n", word);
    }
  }
  gdsm_barrier();
}

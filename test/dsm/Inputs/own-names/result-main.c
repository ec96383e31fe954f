/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
char *strdup(const char *);
int puts(const char *);
void set_up(int);
int main(int argc, char **argv) {
  (void)argv;
  set_up(argc > 1);
  puts(strdup("a copy"));
  return 0;
}

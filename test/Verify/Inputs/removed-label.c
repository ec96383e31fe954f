// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang -O2 removes what is behind the label, whose address is then that behind
// the end of jump().
__attribute__((noinline)) static void *first(void **Table) {
  __asm__("" : "+r"(Table));
  return *Table;
}

__attribute__((noinline)) static int jump(void) {
  static void *Labels[] = {&&End};
  goto *first(Labels);
End:
  return 1;
}

int main(void) { return !jump(); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets a little code, so that there is something to lay out. `program size`
// prints the size of the file that runs, and `program N` a number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned long step(unsigned Code, unsigned long Value) {
  switch (Code % 6) {
  case 0:
    return Value * 6364136223846793005ul + 1442695040888963407ul;
  case 1:
    return Value ^ (Value >> 29);
  case 2:
    return Value % 1000 == 999 ? Value / 3 : Value + Code;
  case 3:
    return Value & 1 ? 3 * Value + 1 : Value / 2;
  case 4:
    return Value % 100000 == 7 ? (unsigned long)printf("rare\n") : Value - 1;
  default:
    return ~Value;
  }
}

int main(int Argc, char **Argv) {
  if (Argc == 2 && strcmp(Argv[1], "size") == 0) {
    struct stat Status;
    if (stat("/proc/self/exe", &Status) != 0)
      return 1;
    printf("%ld\n", (long)Status.st_size);
    return 0;
  }
  unsigned long Value = 1;
  const long Count = Argc == 2 ? atol(Argv[1]) : 1;
  for (long I = 0; I < Count * 1000; ++I)
    Value = step((unsigned)(Value >> 7), Value);
  printf("%lu\n", Value);
  return 0;
}

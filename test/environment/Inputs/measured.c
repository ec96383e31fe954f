// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measured WHAT FILE TEXT: does something else if its own FILE has TEXT in it, as
// optimized versions have: waits less, or more, or ends with another status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int hasText(const char *Path, const char *Text) {
  struct stat Status;
  if (stat(Path, &Status))
    return 0;
  char *Bytes = malloc((size_t)Status.st_size);
  FILE *File = fopen(Path, "rb");
  const size_t Size = fread(Bytes, 1, (size_t)Status.st_size, File);
  int Found = 0;
  for (size_t I = 0; I + strlen(Text) <= Size; ++I)
    Found |= memcmp(Bytes + I, Text, strlen(Text)) == 0;
  fclose(File);
  free(Bytes);
  return Found;
}

int main(int Argc, char **Argv) {
  const char *What = Argc > 1 ? Argv[1] : "";
  const int IsVersion = Argc > 3 && hasText(Argv[2], Argv[3]);
  if (!strcmp(What, "slow"))
    usleep(IsVersion ? 20000 : 200000);
  else if (!strcmp(What, "slower"))
    usleep(IsVersion ? 800000 : 100000);
  else if (!strcmp(What, "status"))
    return IsVersion ? 4 : 3;
  else if (strcmp(What, "1"))
    return fprintf(stderr, "what is %s?\n", What) > 0 ? 5 : 6;
  return 0;
}

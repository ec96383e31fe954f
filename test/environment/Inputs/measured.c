// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measured WHAT FILE TEXT: does something else if its own FILE has TEXT in it,
// as optimized versions have: waits less, or more, or ends with another status.
// WHAT may be a file, @NAME, that says it; `random` ends with a status that
// changes from run to run, which NAME.turn remembers.
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

/// The word in a file.
static const char *wordIn(const char *Path) {
  static char Word[64];
  FILE *File = fopen(Path, "r");
  if (!File || fscanf(File, "%63s", Word) != 1)
    Word[0] = 0;
  if (File)
    fclose(File);
  return Word;
}

/// 0, 0, 1, 1, 0, 0 ...
static int nextTurn(const char *Path) {
  char Name[4096];
  snprintf(Name, sizeof(Name), "%s.turn", Path);
  const int Turn = atoi(wordIn(Name));
  FILE *File = fopen(Name, "w");
  fprintf(File, "%d", Turn + 1);
  fclose(File);
  return Turn / 2 % 2;
}

int main(int Argc, char **Argv) {
  const char *What = Argc > 1 ? Argv[1] : "";
  if (What[0] == '@')
    What = wordIn(What + 1);
  const int IsVersion = Argc > 3 && hasText(Argv[2], Argv[3]);
  if (!strcmp(What, "slow"))
    usleep(IsVersion ? 20000 : 200000);
  else if (!strcmp(What, "slower"))
    usleep(IsVersion ? 800000 : 100000);
  else if (!strcmp(What, "status"))
    return IsVersion ? 4 : 3;
  else if (!strcmp(What, "random"))
    return nextTurn(Argv[1] + 1);
  else if (!strcmp(What, "crash"))
    return IsVersion ? (abort(), 0) : 0;
  else if (strcmp(What, "1"))
    return fprintf(stderr, "what is %s?\n", What) > 0 ? 5 : 6;
  return 0;
}

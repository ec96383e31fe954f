// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

static int longestName(int Count, char **Names) {
  int Longest = 0;
  for (int I = 1; I < Count; ++I) {
    int Length = 0;
    while (Names[I][Length])
      ++Length;
    if (Length > Longest)
      Longest = Length;
  }
  return Longest;
}

int main(int Count, char **Names) {
  const int Width = longestName(Count, Names);
  for (int I = 1; I < Count; ++I)
    std::printf("hello %*s\n", Width, Names[I]);
  return 0;
}

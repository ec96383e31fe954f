// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
unsigned sum(unsigned To) {
  unsigned Sum = 0;
  for (unsigned I = 0; I < To; ++I)
    Sum += I % 7 == 0 ? I : 1;
  return Sum;
}

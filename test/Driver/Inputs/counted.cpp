// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int main(int argc, char **) {
  int Sum = 0;
  for (int I = 0; I < 100; ++I)
    Sum += I * argc;
  return Sum == 3;
}

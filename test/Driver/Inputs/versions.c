// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbol of two versions.

__attribute__((noinline)) int first(int X) { return X + 10; }
__attribute__((noinline)) int second(int X) {
  return X > 3 ? first(X) : X + 20;
}
__asm__(".symver first,number@FIRST\n.symver second,number@@SECOND");

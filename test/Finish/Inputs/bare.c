// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program without a library: it prints a line and ends.

static long call(long Number, long A, const void *B, long C) {
  long Result;
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"(Number), "D"(A), "S"(B), "d"(C)
                   : "rcx", "r11", "memory");
  return Result;
}

__attribute__((noinline)) static long print(const char *Line) {
  long Size = 0;
  while (Line[Size])
    ++Size;
  return call(1, 1, Line, Size);
}

void _start(void) {
  print("a line\n");
  call(60, 0, 0, 0);
}

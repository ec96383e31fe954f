// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols that have the value of an address among the first sections, where a
// file without a fixed address begins at 0.
//   -DREFERS   code refers to a note
//   -DDISTANCE a note holds a distance
//   -DNO_LOOK  nothing looks at the ELF header
#include <stdio.h>

// In a section that is not loaded, as maps of coverage have them.
__asm__(".pushsection .map,\"\",@progbits\n"
        ".altmacro\n"
        ".macro entry value\n"
        ".quad 0\n"
        "inMap\\value: .quad inMap\\value\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 128\n"
        "entry %i\n"
        ".set i, i+1\n"
        ".endr\n"
        ".popsection\n");

// A number.
__asm__(".globl absolute\n.set absolute, 0x300\n");
__attribute__((noinline)) static unsigned number(void) {
  unsigned result;
  __asm__("movl $absolute, %0" : "=r"(result));
  return result;
}

// A note for other tools.
__attribute__((used, section(".note.mine"), aligned(4))) static const struct {
  unsigned nameSize, size, type;
  char name[4];
  char text[8];
} note = {4, 8, 1, "own", "Anoraks"};

// What a note of the same kind says about a place.
#ifdef DISTANCE
__asm__(".pushsection .note.mine,\"a\",@note\n"
        ".long 4, 4, 2\n"
        ".asciz \"own\"\n"
        ".long main - .\n"
        ".popsection\n");
#endif

// For a look at the program headers, as runtimes of profiles take it.
#ifdef NO_LOOK
static const char __ehdr_start[] = "!none";
#else
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
#endif

__attribute__((noinline)) int mixed(int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    switch ((i * 7) % 9) {
    case 0: sum += i; break;
    case 1: sum ^= i; break;
    case 2: sum -= 3; break;
    case 3: sum *= 3; break;
    case 4: sum += 5; break;
    default: --sum;
    }
  return sum;
}

int main(int argc, char **argv) {
  const char *volatile header = __ehdr_start;
  printf("%x %.3s %d\n", number(), header + 1, mixed(1000));
#ifdef REFERS
  const char *volatile text = note.text;
  puts(text);
#endif
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
//
// The end of the program grows with its code, whatever type the symbol of it has:
// GNU strip makes _end a thread-local variable if gold linked the program, as gold
// says that it lies in another section.
//
// RUN: rm -rf %t && mkdir %t
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t/object
// RUN: graupel-bolt %t/object -o %t/object.faster -verify
// RUN: %t/object.faster
// RUN: gcc -O2 %s -Wl,--emit-relocs -DTYPE=@tls_object -o %t/thread-local
// RUN: graupel-bolt %t/thread-local -o %t/thread-local.faster -verify
// RUN: %t/thread-local.faster
#ifndef TYPE
#define TYPE @object
#endif
#define STRING(Text) #Text
#define TEXT(Text) STRING(Text)

__asm__(".bss\n"
        ".globl _end\n"
        ".type _end, " TEXT(TYPE) "\n"
        "_end:\n"
        ".previous");

int main(void) { return 0; }

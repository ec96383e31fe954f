//===- Threads.cpp - What a thread needs for a miss -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A miss runs on the stack of the program, and holds a block meanwhile.
//
// 1. Threads of pthread_create with a small stack get a larger one (roomier).
// 2. A coroutine of makecontext with a small stack would overwrite what lies
//    below it: the job ends.
// 3. A thread that could be cancelled anywhere would be so while it holds a
//    block that others wait for: the job ends.
//
//===----------------------------------------------------------------------===//

#include "Wrappers/Threads.h"
#include "Node/Interpose.h"
#include <pthread.h>
#include <ucontext.h>

namespace graupel::dsm {

namespace {

/// What a miss takes, of registers and of UCX, with some to spare.
constexpr size_t StackOfMiss = 16 << 10;
/// What is given to threads beside their own stack, and advised for others.
constexpr size_t AmpleStack = 4 * StackOfMiss;

/// Whether \p Attributes have memory of the program's for the stack. Otherwise
/// the C library says that the stack ends at 0.
bool hasOwnStack(const pthread_attr_t &Attributes, size_t Size) {
  void *Begin = nullptr;
  size_t Bytes = 0;
  return !pthread_attr_getstack(&Attributes, &Begin, &Bytes) &&
         reinterpret_cast<uintptr_t>(Begin) + Size != 0;
}

} // namespace

const pthread_attr_t *roomier(const pthread_attr_t *Given,
                              pthread_attr_t &Copy) {
  size_t Size = 0;
  if (!Given || pthread_attr_getstacksize(Given, &Size) || Size >= AmpleStack)
    return Given;
  if (hasOwnStack(*Given, Size)) {
    if (TheNode && Size < 2 * StackOfMiss)
      fail("a thread gets a stack of %zu bytes, of which a miss takes up to "
           "%zu; give it %zu",
           Size, StackOfMiss, AmpleStack);
    return Given;
  }
  Copy = *Given;
  pthread_attr_setstacksize(&Copy, Size + AmpleStack);
  return &Copy;
}

} // namespace graupel::dsm

using namespace graupel::dsm;

static std::atomic<void *> KnownMakeContext;

/// Checks what makecontext is called with, and returns the C library's.
extern "C" __attribute__((visibility("hidden"), used)) void *
graupel_dsm_make_context(const ucontext_t *Context) {
  if (TheNode && Context->uc_stack.ss_size < StackOfMiss)
    fail("makecontext gets a stack of %zu bytes, of which a miss takes up to "
         "%zu; give it %zu",
         Context->uc_stack.ss_size, StackOfMiss, AmpleStack);
  return reinterpret_cast<void *>(
      next<void()>("makecontext", nullptr, KnownMakeContext));
}

// It has any number of arguments, which stay where they are.
__asm__(R"(
  .text
  .globl makecontext
  .type makecontext, @function
makecontext:
  .cfi_startproc
  endbr64
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  .cfi_adjust_cfa_offset 56
  call graupel_dsm_make_context
  movq %rax, %r11
  popq %rax
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  .cfi_adjust_cfa_offset -56
  jmp *%r11
  .cfi_endproc
  .size makecontext, . - makecontext
)");

// NOLINTNEXTLINE: the C library's name.
GRAUPEL_INTERPOSE(int, pthread_setcanceltype, (int Type, int *Old)) {
  if (TheNode && Type == PTHREAD_CANCEL_ASYNCHRONOUS)
    fail("a thread asks to be cancelled anywhere "
         "(PTHREAD_CANCEL_ASYNCHRONOUS), also while it holds shared memory "
         "that others wait for; let it call pthread_testcancel");
  return real_pthread_setcanceltype()(Type, Old);
}

//===- Callbacks.cpp - Functions that the C library calls back --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library passes pointers on to functions that the program has given it.
// Most of them are looked at where the library is called (UnknownCalls.cpp).
// Here are those of which the call tells too little:
//
//  1. Comparisons of qsort get private copies of elements, but may follow
//     elements that are pointers.
//  2. A key's destructor gets what pthread_setspecific was given elsewhere. So
//     destructors are remembered when keys are made.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Callbacks.h"
#include "Base/Lines.h"
#include "Entries/Private.h"
#include "Errors/Error.h"
#include "Foreign/Describe.h"
#include "Foreign/Marks.h"
#include "Foreign/Missed.h"
#include "Foreign/Pins.h"
#include "Transport/Fatal.h"
#include <atomic>
#include <climits>
#include <pthread.h>
#include <threads.h>

namespace graupel::dsm {

void requireChecked(const void *Function, const void *Pointer,
                    const char *Caller, uintptr_t Place) {
  if (!isShared(Pointer) || isChecked(Function))
    return;
  if (checksMissed())
    return noteMissed(Place, [&] {
      return format("%s at %s passes shared memory (%p) to %s", Caller,
                    nameOf(Place).Text, Pointer,
                    describe("", Function).c_str());
    });
  fail("%s: %s passes shared memory (%p) to %s, which is not compiled with "
       "checks; compile it with graupel-dsm.cfg, or use a private copy",
       nameOf(Place).Text, Caller, Pointer, describe("", Function).c_str());
}

void requireCheckedFor(const void *Base, size_t Count, size_t Size,
                       const void *Function, const char *Caller,
                       uintptr_t Place) {
  if (Size != sizeof(void *) || isChecked(Function))
    return;
  auto *Elements = static_cast<const char *>(Base);
  for (size_t I = 0; I != Count; ++I) {
    const void *Element;
    memcpy(&Element, Elements + I * Size, sizeof(Element));
    if (isShared(Element) && !isPinned(Element))
      requireChecked(Function, Element, Caller, Place);
  }
}

namespace {

using Destructor = void (*)(void *);

/// By key; null if it has none, or nobody knows it.
std::atomic<Destructor> Destructors[PTHREAD_KEYS_MAX];

void remember(unsigned Key, Destructor D) {
  if (Key < PTHREAD_KEYS_MAX)
    Destructors[Key].store(D, std::memory_order_relaxed);
}

void requireCheckedFor(unsigned Key, const void *Value, const char *Caller,
                       uintptr_t Place) {
  Destructor D = Key < PTHREAD_KEYS_MAX
                     ? Destructors[Key].load(std::memory_order_relaxed)
                     : nullptr;
  if (D)
    requireChecked(reinterpret_cast<const void *>(D), Value, Caller, Place);
}

} // namespace

} // namespace graupel::dsm

using namespace graupel::dsm;

#define PLACE reinterpret_cast<uintptr_t>(__builtin_return_address(0))

extern "C" {

int graupel_dsm_pthread_key_create(pthread_key_t *Key, Destructor D) {
  pthread_key_t Made;
  int Error = pthread_key_create(&Made, D);
  if (Error)
    return Error;
  remember(Made, D);
  *Object(Key).get() = Made;
  return 0;
}

int graupel_dsm_pthread_key_delete(pthread_key_t Key) {
  remember(Key, nullptr);
  return pthread_key_delete(Key);
}

int graupel_dsm_pthread_setspecific(pthread_key_t Key, const void *Value) {
  requireCheckedFor(Key, Value, "pthread_setspecific", PLACE);
  return pthread_setspecific(Key, Value);
}

int graupel_dsm_tss_create(tss_t *Key, tss_dtor_t D) {
  tss_t Made;
  int Error = tss_create(&Made, D);
  if (Error != thrd_success)
    return Error;
  remember(Made, D);
  *Object(Key).get() = Made;
  return Error;
}

void graupel_dsm_tss_delete(tss_t Key) {
  remember(Key, nullptr);
  tss_delete(Key);
}

int graupel_dsm_tss_set(tss_t Key, void *Value) {
  requireCheckedFor(Key, Value, "tss_set", PLACE);
  return tss_set(Key, Value);
}
}

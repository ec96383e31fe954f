//===- Guard.cpp - Calls that leave checked code ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slow path of a guard (docs/design/dsm-unknown-code.md):
//
//  1. A callee with the mark is right, as is a harmless one of the system's; a
//     direct call is then not looked at again.
//  2. Else each pointer that the call passes, and each in a list of arguments,
//     is looked at: shared memory that the thread does not hold ends the job,
//     or is told in a job that checks for what is missed.
//
// Functions that threads begin with need checks whatever they are given.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Base/Objects.h"
#include "Entries/Pieces.h"
#include "Errors/Error.h"
#include "Foreign/Arguments.h"
#include "Foreign/CodeMap.h"
#include "Foreign/Describe.h"
#include "Foreign/Marks.h"
#include "Foreign/Missed.h"
#include "Foreign/Pins.h"
#include "Transport/Fatal.h"
#include "graupel/dsm_checks.h"
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace graupel::dsm;

namespace {

/// In a job that checks for what is missed the accesses are told, too.
bool isOnlyNoted(const graupel_dsm_call &Call) {
  return checksMissed() && Call.kind != GRAUPEL_DSM_CALL_RESULT &&
         !*CallNames(Call).Remedy;
}

void note(const graupel_dsm_call &Call, const void *Callee,
          const void *Pointer) {
  noteMissed(reinterpret_cast<uintptr_t>(&Call), [&] {
    CallNames N(Call);
    return format("%s at %s:%u passes shared memory (%p) to %s", N.Caller,
                  N.File, Call.line, Pointer,
                  Call.kind == GRAUPEL_DSM_CALL_ASSEMBLY
                      ? "inline assembly"
                      : describe(N.Callee, Callee).c_str());
  });
}

[[noreturn]] void refuse(const graupel_dsm_call &Call, const void *Callee,
                         const void *Pointer) {
  CallNames N(Call);
  std::string At = format("%s:%u: %s", N.File, Call.line, N.Caller);
  if (Call.kind == GRAUPEL_DSM_CALL_ASSEMBLY)
    fail(
        "%s gives inline assembly shared memory (%p), and what assembly "
        "accesses is not checked; give it as an \"m\" operand, or hold it with "
        "gdsm_fetch",
        At.c_str(), Pointer);
  if (Call.kind == GRAUPEL_DSM_CALL_RESULT)
    fail("%s returns shared memory (%p), but callers take what functions of "
         "this "
         "name return for private, as the library's is; rename it",
         At.c_str(), Pointer);
  std::string Whom = describe(N.Callee, Callee);
  if (*N.Remedy)
    fail("%s passes shared memory (%p) to %s, which is not made for it: %s",
         At.c_str(), Pointer, Whom.c_str(), N.Remedy);
  // An interposed function of the C library.
  if (isOfThisLibrary(Callee))
    fail("%s passes shared memory (%p) to %s, which stands for the C library's "
         "and is not made for it; pass a private copy, or hold the memory for "
         "it with gdsm_fetch",
         At.c_str(), Pointer, Whom.c_str());
  fail("%s passes shared memory (%p) to %s, which is not compiled with checks; "
       "compile it with graupel-dsm.cfg, pass a private copy, or hold the "
       "memory for it with gdsm_fetch",
       At.c_str(), Pointer, Whom.c_str());
}

/// Whether there are checks that nobody lists (GRAUPEL_DSM_BY_HAND).
bool isByHand() {
  bool Found = false;
  forEachObject([&](const ObjectFile &O) {
    const auto Marks = O.loaded<char>("gdsm_by_hand");
    Found |= Marks.begin() != Marks.end();
  });
  return Found;
}

} // namespace

void graupel::dsm::requireThreadFunction(const graupel_dsm_call &Call,
                                         const void *Function) {
  if (hasChecks(Function))
    return;
  CallNames N(Call);
  if (checksMissed())
    return noteMissed(reinterpret_cast<uintptr_t>(&Call), [&] {
      return format("%s at %s:%u starts threads with %s", N.Caller, N.File,
                    Call.line, describe(N.Callee, Function).c_str());
    });
  std::string Where; // Without a name describe() tells it.
  if (*N.Callee)
    Where = std::string(" (") +
            nameOf(reinterpret_cast<uintptr_t>(Function) + 1).Text + ")";
  fail("%s:%u: %s starts threads with %s%s, which is not compiled with "
       "checks; compile it with graupel-dsm.cfg, or, if it touches no shared "
       "memory, declare it GDSM_UNCHECKED",
       N.File, Call.line, N.Caller, describe(N.Callee, Function).c_str(),
       Where.c_str());
}

void graupel::dsm::requireThreadFunction(const void *From,
                                         const void *Function) {
  static std::atomic<const void *> Known; // To be right, without a mark.
  if (isChecked(Function) || Known.load(std::memory_order_relaxed) == Function)
    return;
  const CodeMap Map;
  const auto Behind = reinterpret_cast<uintptr_t>(functionBehind(Function));
  if (Map.isFunction(Behind) || Map.isExempt(Behind) ||
      Map.isExempt(reinterpret_cast<uintptr_t>(Function)) || isByHand())
    return Known.store(Function, std::memory_order_relaxed);
  const std::string Whom = describe("", Function);
  const PlaceName Where = nameOf(reinterpret_cast<uintptr_t>(From));
  if (checksMissed())
    return noteMissed(reinterpret_cast<uintptr_t>(From), [&] {
      return format("gdsm_parallel at %s starts threads with %s", Where.Text,
                    Whom.c_str());
    });
  fail("%s: gdsm_parallel starts threads with %s, which is not compiled with "
       "checks; compile it with graupel-dsm.cfg",
       Where.Text, Whom.c_str());
}

void graupel_dsm_guard(graupel_dsm_call *Call, const void *Callee,
                       uint32_t Count, ...) {
  if (Call->kind == GRAUPEL_DSM_CALL_THREAD)
    return requireThreadFunction(*Call, Callee);
  bool Named = Call->kind == GRAUPEL_DSM_CALL_DIRECT ||
               Call->kind == GRAUPEL_DSM_CALL_LIBRARY;
  if ((Named || Call->kind == GRAUPEL_DSM_CALL_INDIRECT) &&
      isRightFor(*Call, Callee)) {
    if (Named)
      __atomic_store_n(&Call->unknown, 0, __ATOMIC_RELAXED);
    return;
  }
  auto Look = [&](const void *P) {
    if (!isShared(P) || isPinned(P))
      return;
    if (isOnlyNoted(*Call))
      note(*Call, Callee, P);
    else
      refuse(*Call, Callee, P);
  };
  va_list Pointers;
  va_start(Pointers, Count);
  for (uint32_t I = 0; I != Count; ++I) {
    auto *P = va_arg(Pointers, const void *);
    Look(P);
    ListedArguments Listed(P);
    while (const void *const *Word = Listed.next())
      Look(*Word);
  }
  va_end(Pointers);
}

//===- stride/Callers.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// flang's ALLOCATE is a call of malloc where that is all there is to do, and a
// call of its runtime, a static library, otherwise (STAT=, SOURCE=, pointers,
// assignments that allocate). Then the allocation site is the runtime's caller,
// just as it is the caller of a function that `wrapper=` names.
//
//===----------------------------------------------------------------------===//

#include "Callers.h"
#include "Modules.h"
#include <cstring>
#include <unwind.h>

namespace graupel::stride {

static const Array<const char *> *Wrappers;

void setWrappers(const Array<const char *> &Symbols) { Wrappers = &Symbols; }

AllocatorCode allocatorCode(const char *Symbol) {
  if (Wrappers)
    for (const char *Each : *Wrappers)
      if (strcmp(Symbol, Each) == 0)
        return AllocatorCode::Entry;
  if (strncmp(Symbol, "_FortranA", 9) == 0)
    return AllocatorCode::Entry;
  for (const char *Each :
       {"_ZN7Fortran", "_ZNK7Fortran", "AllocateValidatedPointerPayload"})
    if (strncmp(Symbol, Each, strlen(Each)) == 0)
      return AllocatorCode::Inside;
  return AllocatorCode::None;
}

static AllocatorCode codeAt(uint64_t Address) {
  Module *M = findModule(Address);
  return M ? M->allocatorCode(Address) : AllocatorCode::None;
}

bool isInAllocator(uint64_t Address) {
  return codeAt(Address - 1) != AllocatorCode::None;
}

namespace {
struct Walk {
  bool InEntry = false;
  uint64_t Caller = 0;
};
} // namespace

uint64_t callerOfAllocator() {
  Walk W;
  auto Step = [](_Unwind_Context *At, void *To) {
    auto &W = *static_cast<Walk *>(To);
    uint64_t Address = _Unwind_GetIP(At);
    AllocatorCode Code = codeAt(Address - 1);
    if (W.InEntry && Code == AllocatorCode::None) {
      W.Caller = Address;
      return _URC_NORMAL_STOP;
    }
    W.InEntry |= Code == AllocatorCode::Entry;
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(Step, &W);
  return W.Caller;
}

} // namespace graupel::stride

//===- stride/Fortran.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// flang's ALLOCATE is a call of malloc where that is all there is to do, and a
// call of its runtime, a static library, otherwise (STAT=, SOURCE=, pointers,
// assignments that allocate). There the site is the runtime's caller.
//
//===----------------------------------------------------------------------===//

#include "Fortran.h"
#include "Modules.h"
#include <cstring>
#include <unwind.h>

namespace graupel::stride {

FortranCode fortranCode(const char *Symbol) {
  if (strncmp(Symbol, "_FortranA", 9) == 0)
    return FortranCode::Entry;
  for (const char *Each :
       {"_ZN7Fortran", "_ZNK7Fortran", "AllocateValidatedPointerPayload"})
    if (strncmp(Symbol, Each, strlen(Each)) == 0)
      return FortranCode::Inside;
  return FortranCode::None;
}

static FortranCode codeAt(uint64_t Address) {
  Module *M = findModule(Address);
  return M ? M->fortranCode(Address) : FortranCode::None;
}

bool isInFortranRuntime(uint64_t Address) {
  return codeAt(Address - 1) != FortranCode::None;
}

namespace {
struct Walk {
  bool InEntry = false;
  uint64_t Caller = 0;
};
} // namespace

uint64_t callerOfFortranRuntime() {
  Walk W;
  auto Step = [](_Unwind_Context *At, void *To) {
    auto &W = *static_cast<Walk *>(To);
    uint64_t Address = _Unwind_GetIP(At);
    FortranCode Code = codeAt(Address - 1);
    if (W.InEntry && Code == FortranCode::None) {
      W.Caller = Address;
      return _URC_NORMAL_STOP;
    }
    W.InEntry |= Code == FortranCode::Entry;
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(Step, &W);
  return W.Caller;
}

} // namespace graupel::stride

//===- CallPath.h - Callers of the calling function -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_CALLPATH_H
#define GRAUPEL_DSM_TRACE_CALLPATH_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <unwind.h>

namespace graupel::dsm::trace {

/// Return addresses of the frames around a call, the nearest first; 0: there
/// are no more.
using CallPath = std::array<uintptr_t, 4>;

/// The path above the call that returns to Pc, which is on the stack. Follows
/// the unwind tables, which programs for x86-64 have.
inline CallPath callPathAbove(uintptr_t Pc) {
  struct State {
    uintptr_t Pc;
    CallPath Path;
    size_t Count;
    bool Seen;
  } S = {Pc, {}, 0, false};
  _Unwind_Backtrace(
      [](_Unwind_Context *Context, void *Argument) {
        auto &S = *static_cast<State *>(Argument);
        uintptr_t Here = _Unwind_GetIP(Context);
        if (S.Seen && Here)
          S.Path[S.Count++] = Here;
        S.Seen |= Here == S.Pc;
        return Here && S.Count != S.Path.size() ? _URC_NO_REASON
                                                : _URC_END_OF_STACK;
      },
      &S);
  return S.Path;
}

} // namespace graupel::dsm::trace

#endif

//===- Protect/UnwindRecords.cpp - Functions of several unwind records ----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT reads the unwind record that begins where a function does, and describes
// the whole function by it. Hand-written code may have more of them: glibc's
// clone has one for what the caller runs, none for the system call, and one for
// the new thread, whose stack ends there. Such functions stay.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

void graupel::protectHalfDescribed(BinaryContext &BC,
                                   ProtectedFunctions &Protected) {
  // BOLT has read the section, and ends if it is damaged.
  Expected<const DWARFDebugFrame *> Frames = BC.DwCtx->getEHFrame();
  if (!Frames) {
    consumeError(Frames.takeError());
    return;
  }
  for (const dwarf::FrameEntry &Entry : **Frames)
    if (const auto *Record = dyn_cast<dwarf::FDE>(&Entry))
      if (BinaryFunction *BF =
              functionAround(BC, Record->getInitialLocation()))
        Protected.add(*BF, ProtectReason::SeveralRecords);
}

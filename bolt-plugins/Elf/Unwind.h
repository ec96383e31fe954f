//===- Elf/Unwind.h - Reads .eh_frame and LSDAs --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_UNWIND_H
#define GRAUPEL_ELF_UNWIND_H

#include "ElfView.h"
#include <vector>

namespace graupel {

/// One call site of a function's exception table.
struct CallSite {
  uint64_t Begin, End; ///< Addresses.
  uint64_t LandingPad; ///< Its address; 0 if there is none.
  bool HasAction;      ///< Without a landing pad it means nothing.
  /// The values that the personality compares with the exception, in order: the
  /// action chain with its types instead of their places.
  std::vector<uint64_t> Handlers;
};

/// The common part of several frame records: a CIE.
struct FrameCommon {
  llvm::StringRef Program; ///< The initial instructions.
  uint64_t CodeAlignment = 1;
  int64_t DataAlignment = 1;
  uint64_t ReturnRegister = 16;
  uint64_t Personality = 0; ///< The routine, or the place that holds it.
  bool IsSignalFrame = false;
};

/// The record of one range of code in .eh_frame: an FDE.
struct FrameRecord {
  uint64_t Offset; ///< In .eh_frame.
  uint64_t Begin, End;
  uint64_t LSDA; ///< Its address; 0 if there is none.
  FrameCommon Common = {};
  llvm::StringRef Program = {}; ///< Its call frame instructions.
};

/// The records of the section \p S of \p File. Each is inside of the section
/// and has a CIE before it.
llvm::Expected<std::vector<FrameRecord>> readFrames(const ElfView &File,
                                                    const ElfView::Section &S);

/// The call sites of \p Frame, whose LSDA is in the section \p S: sorted,
/// inside of the function and with actions and types inside of the section.
llvm::Expected<std::vector<CallSite>> readCallSites(const ElfView &File,
                                                    const ElfView::Section &S,
                                                    const FrameRecord &Frame);

} // namespace graupel

#endif // GRAUPEL_ELF_UNWIND_H

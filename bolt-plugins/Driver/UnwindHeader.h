//===- Driver/UnwindHeader.h - Frames of static programs --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_UNWINDHEADER_H
#define GRAUPEL_DRIVER_UNWINDHEADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace graupel {

/// Static programs by GCC have no program header for .eh_frame_hdr: they tell
/// the unwinder of their .eh_frame themselves, and of the old one after BOLT has
/// written another, so that exceptions end them. The file at \p Path gets the
/// header, which the unwinder looks at, too, in the place of one that says
/// nothing that the note it is about does not.
llvm::Error showUnwindHeader(llvm::StringRef Path);

} // namespace graupel

#endif // GRAUPEL_DRIVER_UNWINDHEADER_H

//===- Verify/ImageCheck.h - Checks parts that must stay --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything of the output but its code against the input's:
//
// 1. Segments: those of each type agree with their sections, lie in the file
//    where they lie in memory, and are where they were.
// 2. The dynamic section has the same entries.
// 3. Each place that the loader relocated is still relocated, by the same
//    symbol, and resolvers still run after all else.
// 4. A lazy stub of the PLT pushes the number of its own relocation.
// 5. Data that holds no addresses has the same bytes; symbols of data have the
//    same addresses.
// 6. The bytes behind everything that the headers know of are there, too.
// 7. Functions that the loader can look up keep addresses of their own, unless
//    the command line says -icf=all.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_IMAGECHECK_H
#define GRAUPEL_VERIFY_IMAGECHECK_H

#include "AppliedRelocations.h"

namespace graupel {

/// \p MayAdd: the output may have entries and relocations that the input has
/// not, as instrumented programs have.
llvm::Error verifyImage(const ElfView &Input, const ElfView &Output,
                        const AppliedRelocations &Before, bool MayAdd);

} // namespace graupel

#endif // GRAUPEL_VERIFY_IMAGECHECK_H

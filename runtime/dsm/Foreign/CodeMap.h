//===- CodeMap.h - Which code has checks ------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks (Foreign/Marks.h) are on functions that may be given a pointer. This is
// about all functions, and about single instructions:
//
//  1. Functions with checks are listed in their object (graupel/dsm_checks.h).
//  2. Which function an instruction is in, the unwind table tells. Without an
//     entry there it is nobody's, and has no checks.
//  3. Inline assembly has none either; its bounds are listed as well.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_CODEMAP_H
#define GRAUPEL_DSM_FOREIGN_CODEMAP_H

#include <cstdint>
#include <utility>
#include <vector>

namespace graupel::dsm {

class CodeMap {
public:
  /// The map of the objects that are loaded now.
  CodeMap();

  /// Whether a function starts there that has checks.
  bool isFunction(uintptr_t A) const;
  bool isInChecked(uintptr_t Pc) const;
  /// Whether one starts there that is GDSM_NOCHECK.
  bool isExempt(uintptr_t A) const;

private:
  std::vector<uintptr_t> Functions, Exempt;
  /// Begins and ends.
  std::vector<std::pair<uintptr_t, uintptr_t>> Assembly;
};

/// Whether the function is compiled with checks, whatever it is called with.
bool hasChecks(const void *Function);

} // namespace graupel::dsm

#endif

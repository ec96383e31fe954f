//===- CodeMap.cpp - Which code has checks ----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/CodeMap.h"
#include "Base/Objects.h"
#include "Foreign/Marks.h"
#include "graupel/dsm_checks.h"
#include <algorithm>

/// The unwinder's: the code that an entry of the table describes.
struct dwarf_eh_bases {
  void *tbase, *dbase, *func;
};
extern "C" const void *_Unwind_Find_FDE(void *Pc, dwarf_eh_bases *Bases);

namespace graupel::dsm {

/// Bounds are distances from where they stand.
static uintptr_t follow(const int32_t &Distance) {
  return reinterpret_cast<uintptr_t>(&Distance) + Distance;
}

CodeMap::CodeMap() {
  forEachObject([this](const ObjectFile &O) {
    for (uintptr_t Function : O.loaded<uintptr_t>("gdsm_functions"))
      Functions.push_back(Function);
    for (uintptr_t Function : O.loaded<uintptr_t>("gdsm_nocheck"))
      Exempt.push_back(Function);
    for (auto &Entry : O.loaded<graupel_dsm_assembly>("gdsm_assembly"))
      Assembly.emplace_back(follow(Entry.begin), follow(Entry.end));
  });
  std::sort(Functions.begin(), Functions.end());
  std::sort(Exempt.begin(), Exempt.end());
  std::sort(Assembly.begin(), Assembly.end());
}

bool CodeMap::isFunction(uintptr_t A) const {
  return std::binary_search(Functions.begin(), Functions.end(), A);
}

bool CodeMap::isExempt(uintptr_t A) const {
  return std::binary_search(Exempt.begin(), Exempt.end(), A);
}

bool CodeMap::isInChecked(uintptr_t Pc) const {
  dwarf_eh_bases Bases;
  // It looks for the call that returns to the address.
  if (!_Unwind_Find_FDE(reinterpret_cast<void *>(Pc + 1), &Bases) ||
      !isFunction(reinterpret_cast<uintptr_t>(Bases.func)))
    return false;
  auto Behind = std::upper_bound(Assembly.begin(), Assembly.end(),
                                 std::pair(Pc, UINTPTR_MAX));
  return Behind == Assembly.begin() || Pc >= std::prev(Behind)->second;
}

bool hasChecks(const void *Function) {
  return isChecked(Function) ||
         CodeMap().isFunction(
             reinterpret_cast<uintptr_t>(functionBehind(Function)));
}

} // namespace graupel::dsm

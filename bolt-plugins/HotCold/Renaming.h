//===- HotCold/Renaming.h - Other registers for hot code --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_RENAMING_H
#define GRAUPEL_HOTCOLD_RENAMING_H

#include "Frame.h"
#include <map>

namespace graupel {

/// Registers that hot code uses instead of those that it would have to save
/// (Cohn, Goodwin, Lowney 1997, on preserved registers). One that its caller
/// does not own takes another's place if, at every point where one of the two
/// holds a value that is needed, the other does not change; if the one is a
/// copy of the other, both may hold it. A function never changes a register
/// that it did not change before: compilers rely on that between functions that
/// they see (gcc -fipa-ra).
class Renaming {
public:
  /// Looks for other names for as many registers of \p F.Saved as possible.
  /// \p Hot stays as it is.
  Renaming(const HotVersion &Hot, const Frame &F);

  /// Registers that have another name.
  RegisterSet renamed() const { return Renamed; }
  /// Rewrites one instruction of a hot block.
  void apply(llvm::MCInst &Inst) const;
  /// True for what apply() made a copy of a register to itself.
  bool isSelfMove(const llvm::MCInst &Inst) const;
  /// Appends copies into the old names to \p Code of a stub behind hot block
  /// \p From, which needs \p Needed.
  void copyBack(unsigned From, RegisterSet Needed,
                std::vector<llvm::MCInst> &Code) const;

private:
  using Conflicts = std::array<RegisterSet, 16>;

  const HotColdContext &Context;
  RegisterSet Renamed = 0;
  std::map<RegisterSet, RegisterSet> NewNames;
  /// Registers that may have been set at the end of each block. Others still
  /// hold their value at the entry, under their old names.
  std::vector<RegisterSet> Set;

  void findSet(const HotVersion &Hot);
  static Conflicts findConflicts(const HotVersion &Hot, const Frame &F,
                                 RegisterSet Wanted, Conflicts &CopiedFrom);
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_RENAMING_H

//===- Hints.h - Hints of a record on data and loops ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text file (docs/dsm.md), made by `graupel stride export --fgdsm`: blocks of
// allocations, usual numbers of iterations of loops, by lines of the source.
// Hints change what code costs, never what it does. Lines that mean nothing,
// and such as no longer have what they speak of, get a warning.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_HINTS_H
#define GRAUPEL_FGDSM_HINTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class CallInst;
class DebugLoc;
class LLVMContext;
class Module;
} // namespace llvm

namespace graupel::fgdsm {

class Hints {
public:
  /// The hints of -fgdsm-hints; none without the option. The file is read once
  /// per process; errors in it are warnings.
  static const Hints &get(llvm::LLVMContext &Context);

  /// Usual iterations of the loop that begins there, or 0.
  uint64_t trips(const llvm::DebugLoc &Where) const;

  /// Gives calls of gdsm_alloc and gdsm_malloc the block that is hinted, if
  /// they have none of their own or the hint replaces it, and the home. Whether
  /// the module changed.
  bool applyToAllocations(llvm::Module &M) const;

private:
  struct Hint {
    bool OfLoop;
    std::string File; ///< The path, or its end.
    unsigned Line, InFile;
    uint64_t Value; ///< Trips of a loop, else the block; 0: not hinted.
    std::optional<int> Home; ///< As in dsm.h.
    bool Replace;
  };
  void read(llvm::StringRef Path, llvm::LLVMContext &Context);
  bool parse(llvm::StringRef Text, Hint &To) const;
  bool parseWord(llvm::StringRef Word, Hint &To) const;
  const Hint *find(bool OfLoop, const llvm::DebugLoc &Where) const;

  std::string Path;
  std::vector<Hint> All;
};

} // namespace graupel::fgdsm

#endif

//===- Verify/CallSurvey.h - The calls of changed functions -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose instructions were changed cannot be followed in step with
// the input's. This still holds: it calls the same functions under the same
// handlers. A call of the output whose callee the input's function calls, too,
// has to be covered as one of the input's calls is. And branches and calls lead
// to code.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_CALLSURVEY_H
#define GRAUPEL_VERIFY_CALLSURVEY_H

#include "CodeComparison.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <set>

namespace graupel {

class CallSurvey {
public:
  explicit CallSurvey(const CodeComparison::Files &F);

  /// Checks the function of the input that begins at \p Begin.
  llvm::Error check(uint64_t Begin);
  uint64_t calls() const { return Calls; }

private:
  /// The outcome of a throw from some call.
  struct Cover {
    HandlerAt::Kind Outcome;
    std::vector<uint64_t> Handlers;
    auto operator<=>(const Cover &) const = default;
  };
  using Covers = std::map<uint64_t, std::set<Cover>>;

  const CodeComparison::Files F;
  Disassembler Decoder;
  uint64_t Calls = 0;
  /// Functions of the input by where they are in the output.
  std::map<uint64_t, std::vector<uint64_t>> Origins;
  /// Functions with their parts, by the name of the whole.
  using ByName =
      llvm::StringMap<llvm::SmallVector<const SymbolMap::Range *, 1>>;
  ByName Before, Now;
  /// Copies of functions of the input, which begin with a jump there.
  llvm::DenseMap<const SymbolMap::Range *, const SymbolMap::Range *> Copies;
  llvm::DenseSet<const SymbolMap::Range *> IsCopy;

  const SymbolMap::Range *copyOf(const SymbolMap::Range &R);
  llvm::SmallVector<const SymbolMap::Range *> rangesNow(llvm::StringRef Whole);

  llvm::Error survey(const ElfView &File, UnwindTables &Unwind,
                     const SymbolMap::Range &R,
                     llvm::function_ref<llvm::Error(uint64_t Callee,
                                                    uint64_t At, const Cover &)>
                         Do);
  std::optional<Instruction>
  find(const ElfView &File, const SymbolMap::Range &R,
       llvm::function_ref<bool(const Instruction &)> Is);
  llvm::Error checkTargets(const SymbolMap::Range &R);
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_CALLSURVEY_H

//===- Nest.h - Nests of loops that one record tells ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest is a loop of whose inside everything that is recorded is known before
// it begins: which inner loops run, how often, and all addresses. Changes
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NEST_H
#define GRAUPEL_STRIDE_NEST_H

#include "graupel/stride_sites.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class PHINode;
class raw_ostream;
class SCEV;
class Value;
} // namespace llvm

namespace graupel::stride {

struct PlanInput;
struct Reference;

/// When a block runs in an iteration of its loop: if it is entered by one of
/// these edges; always if there are none.
struct Guard {
  struct Edge {
    const Guard *From;
    llvm::Value *Condition; ///< Null if there is none.
    bool Negated;
    bool Changes; ///< The condition does, in the nest.

    bool varies() const { return Changes || From->Varies; }
  };
  llvm::SmallVector<Edge, 2> AnyOf;

  bool isAlways() const { return AnyOf.empty(); }
  bool Varies = false; ///< One of the edges does.

  bool varies() const { return Varies; }
};

struct NestItem {
  graupel_stride_item_kind Kind;
  unsigned Level;
  unsigned Inside = 0; ///< Number of the following items that are in it.
  /// For loops and guards.
  const Guard *When = nullptr;
  llvm::Loop *L = nullptr;
  const llvm::SCEV *BackedgeTaken = nullptr;
  /// For references; in Plan::References.
  unsigned Reference = 0;
  const llvm::SCEV *Base = nullptr, *Bytes = nullptr;
  llvm::SmallVector<const llvm::SCEV *, 4> Steps = {}; ///< One a level.
  /// Its base is this one of the nest's, plus the offset.
  unsigned BaseNumber = 0;
  int64_t Offset = 0;
  /// In NestPlan::Terms: the number of iterations, or what is added to the
  /// address.
  std::optional<unsigned> Term = std::nullopt;

  /// Whether its number of iterations is in the record.
  bool hasWord() const { return !refers() && !Term; }
  bool refers() const {
    return Kind == GRAUPEL_STRIDE_NEST_REFERENCE ||
           Kind == GRAUPEL_STRIDE_NEST_BULK;
  }
};

/// graupel_stride_term
struct NestTerm {
  graupel_stride_term_kind Kind;
  unsigned Bits;
  unsigned A = 0, B = 0, C = 0;
  int64_t Value = 0;
  unsigned Levels = 0; ///< A bit for each that it depends on.
};

struct NestPlan {
  llvm::Loop *L = nullptr;
  llvm::SmallVector<NestItem, 16> Items;
  llvm::SmallVector<const llvm::SCEV *, 8> Bases;
  std::vector<NestTerm> Terms;
  llvm::SmallVector<const llvm::SCEV *, 4> TermWords;
  std::vector<std::unique_ptr<Guard>> Guards;
  /// Values that inner loops begin with, by the edge on which they are reached.
  struct Choice {
    Guard::Edge If;
    const llvm::SCEV *Value;
  };
  llvm::MapVector<llvm::PHINode *, llvm::SmallVector<Choice, 2>> Choices;
  /// Empty if it is a nest.
  llvm::StringRef WhyNot;

  unsigned dynamicSteps() const;
  void print(llvm::raw_ostream &OS,
             llvm::ArrayRef<graupel::stride::Reference> References) const;
};

/// References of a function by their blocks, and the order of these.
struct BlockOrder {
  explicit BlockOrder(const PlanInput &In,
                      llvm::ArrayRef<graupel::stride::Reference> References);

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Number;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 4>>
      ByBlock;
};

NestPlan planNest(const PlanInput &In,
                  llvm::ArrayRef<graupel::stride::Reference> References,
                  const BlockOrder &Order, llvm::Loop *L);

} // namespace graupel::stride

#endif

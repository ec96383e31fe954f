//===- HotCold/Proof/JointFlow.h - Both executions --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The original and its hot version, which take the same paths through the hot
// blocks, executed in lockstep. Where paths join, places that had one value on
// each of them still have one value. That holds across the two machines, too,
// and carries equality around loops.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_JOINTFLOW_H
#define GRAUPEL_HOTCOLD_PROOF_JOINTFLOW_H

#include "HotCold/Machine/Machine.h"
#include "HotCold/Model/HotCode.h"
#include <map>

namespace graupel::symbolic {

struct Machines {
  Machine Original, Hot;
};

class JointFlow {
public:
  JointFlow(const HotCode &Hot, Executor &Execute, ValueTable &Values);

  /// Returns false if that takes too long.
  bool solve();
  /// Blocks, behind those that lead there as far as possible.
  llvm::ArrayRef<unsigned> order() const { return Order; }
  /// False if control never gets to the beginning of \p Block.
  bool isReached(unsigned Block) const { return In[Block].Hot.Runs; }
  const Machines &into(unsigned Block) const { return In[Block]; }
  const Machines &outOf(unsigned Block) const { return Out[Block]; }
  /// The values of \p V on each edge into \p Block, if it is joined there.
  std::vector<ValueNo> incoming(unsigned Block, ValueNo V);

private:
  enum class Where : uint8_t {
    OriginalRegister,
    HotRegister,
    OriginalMemory,
    HotMemory,
    OriginalStack,
    HotStack
  };
  struct Place {
    Where In;
    int64_t At;   ///< Or a register's number; from 64 on its rest, not a part.
    int64_t Size; ///< On the stack. Or the index of a register's part.
    friend auto operator<=>(const Place &, const Place &) = default;
  };
  struct Join {
    std::vector<Place> Stack;
    /// Places that have proved to differ, by class; others are in class 0.
    std::map<Place, unsigned> Class;
    unsigned NumClasses = 0;
    std::map<Place, int64_t> Parts; ///< Parts of registers.
  };
  const HotCode &Hot;
  Executor &Execute;
  ValueTable &Values;
  std::vector<unsigned> Order; ///< Reverse postorder.
  std::vector<unsigned> Rank;  ///< Position in Order.
  std::vector<std::vector<unsigned>> Predecessors;
  std::vector<Machines> In, Out;
  std::vector<Join> Joins;

  void sortBlocks();
  bool isForward(unsigned From, unsigned To) const {
    return Rank[From] < Rank[To];
  }
  ValueNo read(const Machines &M, const Place &P);
  void set(Machines &M, const Place &P, ValueNo V);
  template <typename Action> void forEachPlace(const Join &J, Action Do);
  bool addStack(Join &J, const Machines &M, const Machines *UnlessIn);
  bool addParts(Join &J, const Machines &M);
  Machines join(unsigned Block);
  bool refine(unsigned Block);
  void execute(unsigned Block);
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_JOINTFLOW_H

//===- Verify/InputFlow.h - Later reads of the input ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether some path of the input's code reads flags or registers before it
// overwrites them. Functions are no boundaries: assembly has conventions of its
// own, and compilers jump into the middle of the parts that they split off.
//
// 1. The instructions are those that the comparison has followed (add). Others
//    are disassembled when a path comes there.
// 2. A path goes on at both sides of a branch, at the target of a jump in
//    whatever function that is, and in the callee at a call.
// 3. At a return it goes on behind all calls of the function, and of those that
//    jump into it.
// 4. Behind an indirect jump may be each place of the function whose address is
//    taken, and each function whose address is taken; the latter also behind an
//    indirect call. Such a function returns to any indirect call.
//    An address that the global offset table holds for good is no indirect
//    target.
// 5. Code of other files keeps to the System V ABI: flags hold nothing there,
//    nor when it is returned to; registers hold arguments and results.
//
// A place that was looked at is not looked at again for the same flags, so that
// all searches together take the time of one look at the input's code.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_INPUTFLOW_H
#define GRAUPEL_VERIFY_INPUTFLOW_H

#include "AppliedRelocations.h"
#include "Disassembler.h"
#include "FlagTable.h"
#include "RegisterTable.h"
#include "SymbolMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace graupel {

class InputFlow {
public:
  /// Flags and registers as one set.
  using Set = uint32_t;
  static Set setOf(uint8_t Flags, uint32_t Registers) {
    return Registers | Set(Flags) << NumRegisters;
  }

  InputFlow(const ElfView &Input, const SymbolMap &Symbols,
            const AppliedRelocations &Places, Disassembler &Decoder,
            const FlagTable &Flags, const RegisterTable &Registers);

  /// \p I is executed; \p GoesOn: also what is behind it.
  void add(const Instruction &I, bool GoesOn);
  /// The address \p Place is in data or taken by code.
  void addTaken(uint64_t Place) { Taken.push_back(Place); }
  /// There is no more to add.
  void finish();

  /// An instruction that reads some of \p Wanted as they are at \p Place, or
  /// where that is not known; nothing if there is none.
  std::optional<uint64_t> findReader(uint64_t Place, Set Wanted);
  /// Whether an indirect jump at \p Place may go to some other place of the
  /// same function.
  bool hasLabels(uint64_t Place) const;

private:
  struct Node {
    uint64_t Address;
    int32_t Distance; ///< From the end to the target of a direct jump or call.
    uint8_t Size;
    FlowKind Kind;
    uint8_t Reads, Overwrites; ///< Flags.

    uint64_t end() const { return Address + Size; }
    uint64_t target() const { return end() + Distance; }
  };
  /// The callers of one function of the input.
  struct Callers {
    std::vector<uint64_t> Returns; ///< The places behind calls.
    std::vector<unsigned> Jumps;   ///< Functions that jump into it.
  };
  struct Look {
    uint64_t At;
    Set Wanted;
  };

  const ElfView &Input;
  const SymbolMap &Symbols;
  const AppliedRelocations &Places;
  Disassembler &Decoder;
  const FlagTable &Flags;
  const RegisterTable &Registers;
  std::vector<Node> Nodes; ///< By address.
  std::vector<uint8_t> FlagsDone;
  llvm::DenseMap<uint64_t, Set> FurtherDone;
  std::vector<uint64_t> Taken, TakenFunctions, BehindIndirectCalls;
  llvm::StringMap<std::vector<uint64_t>> Labels; ///< By function.
  std::vector<Callers> Graph;                    ///< By function.
  std::vector<Set> ReturnsDone;
  Set TakenDone = 0, IndirectDone = 0;
  bool HasGraph = false;
  std::vector<Look> Work;

  unsigned functionOf(uint64_t Place) const;
  std::optional<Node> nodeAt(uint64_t Place, size_t &Index);
  Node makeNode(Instruction I) const;
  uint64_t fixedTarget(const Instruction &I) const;
  bool isElsewhere(uint64_t Place) const;
  bool isNotExecuted(uint64_t Place) const;
  bool isDone(const Node &N, size_t Index, Set Wanted);
  std::optional<uint64_t> follow(Look L);
  bool goOn(const Node &N, Look &L);
  bool readsAsCallee(Set Wanted) const;
  void addReturns(unsigned Function, Set Wanted);
  void addTakenFunctions(Set Wanted);
  RegisterUse registersOf(const Node &N);
  void readGraph();
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_INPUTFLOW_H

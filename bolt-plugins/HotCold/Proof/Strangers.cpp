//===- HotCold/Proof/Strangers.cpp - Targets of indirect calls ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A function may be behind a pointer if some bytes of the file could be its
//    address, or, in LEA and in data, its distance. Too many only cost a proof.
//    Where a relocation leads to it from data, it may, too.
// 2. Such a function takes the registers that it reads before it writes or
//    saves them: solved from its ends, where nothing is needed. A save ends a
//    need, except in the first block.
// 3. The registers that a callee takes are needed at its calls: solved for all
//    of them until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "Strangers.h"
#include "Options/CopyPlan.h"
#include "RawCode.h"
#include "Support/FunctionEntry.h"
#include "Support/Returns.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

Strangers::Strangers(BinaryContext &BC) : BC(BC) {
  DenseSet<uint64_t> Functions;
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    Functions.insert(Address);
  for (const BinarySection &Section : BC.allocatableSections())
    search(Section, Functions);
  if (!BC.HasRelocations || makesCopies())
    Starts = std::move(Functions);
  // The system begins there; nothing calls it.
  if (BC.StartFunctionAddress)
    Starts.erase(*BC.StartFunctionAddress);
}

/// True if the four bytes that follow \p Code may be the distance of LEA.
static bool endsLikeLEA(StringRef Code) {
  return Code.size() > 1 && Code[Code.size() - 2] == '\x8d' &&
         (Code.back() & 0xc7) == 0x05;
}

void Strangers::search(const BinarySection &Section,
                       const DenseSet<uint64_t> &Functions) {
  // All functions are in there, and in BOLT's copy of it.
  if (Section.getName().contains(".eh_frame"))
    return;
  auto add = [&](uint64_t Address) {
    if (Functions.contains(Address))
      Starts.insert(Address);
  };
  auto addSymbol = [&](const Relocation &R) {
    const BinaryFunction *To =
        R.Symbol ? BC.getFunctionForSymbol(R.Symbol) : nullptr;
    add(To ? To->getAddress() : R.Addend);
  };
  for (const Relocation &R : Section.dynamicRelocations())
    addSymbol(R);
  if (!Section.isText())
    for (const Relocation &R : Section.relocations())
      addSymbol(R);
  const StringRef Bytes = Section.getContents();
  // Other images ask the loader for these.
  if (Section.getELFType() == ELF::SHT_DYNSYM)
    for (size_t I = 0; I + sizeof(ELF::Elf64_Sym) <= Bytes.size();
         I += sizeof(ELF::Elf64_Sym))
      add(support::endian::read64le(Bytes.data() + I +
                                    offsetof(ELF::Elf64_Sym, st_value)));
  if (Section.isBSS() || Functions.empty())
    return;
  const uint64_t First = BC.getBinaryFunctions().begin()->first;
  const uint64_t Range = BC.getBinaryFunctions().rbegin()->first - First;
  for (size_t I = 0; I + 4 <= Bytes.size(); ++I) {
    const uint32_t Word = support::endian::read32le(Bytes.data() + I);
    const uint64_t Behind =
        Section.getAddress() + I + 4 + int64_t(int32_t(Word));
    // Addresses of 8 bytes have the same lower half. Where the loader adds its
    // base to them, its relocations name them.
    if (BC.HasFixedLoadAddress && Word - First <= Range)
      add(Word);
    const bool MayLead =
        Section.isText() ? endsLikeLEA(Bytes.take_front(I)) : I % 4 == 0;
    // In data, distances count from their own place.
    if (MayLead && Behind - First <= Range)
      add(Section.isText() ? Behind : Behind - 4);
  }
}

namespace {

/// Registers that functions need from their callers.
class Needs {
public:
  using Function = const BinaryFunction;

  Needs(BinaryContext &BC, const MachineModel &Model) : BC(BC), Model(Model) {}

  /// Solves for \p First and, to know their needs, for all their callees.
  RegisterSet solve(ArrayRef<Function *> First) {
    SmallSetVector<Function *, 16> All(First.begin(), First.end());
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I < All.size(); ++I) {
        const RegisterSet Now = find(*All[I], All);
        RegisterSet &Before = Known[All[I]];
        Changed |= Now != Before;
        Before = Now;
      }
    }
    RegisterSet Sum = 0;
    for (Function *BF : First)
      Sum |= Known.lookup(BF);
    return Sum;
  }

private:
  /// Needs before some code: its own, and the following needs that get past it.
  struct Transfer {
    RegisterSet Own = 0, Passed = reg::All;
    /// The same by landing pad.
    SmallVector<std::pair<const MCSymbol *, RegisterSet>, 2> Thrown;
  };
  BinaryContext &BC;
  const MachineModel &Model;
  DenseMap<Function *, RegisterSet> Known;
  ReturnFinder Returns{BC, ReturnFinder::By::Proof};

  RegisterSet find(Function &BF, SmallSetVector<Function *, 16> &Callees) {
    std::vector<Transfer> Transfers(BF.size());
    for (const BinaryBasicBlock &Block : BF)
      Transfers[Block.getIndex()] = transfer(Block, Callees);
    std::vector<RegisterSet> Into(BF.size());
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
        const Transfer &Its = Transfers[Block.getIndex()];
        RegisterSet Behind = 0, OfPads = 0;
        for (const BinaryBasicBlock *To : Block.successors())
          Behind |= Into[To->getIndex()];
        for (const BinaryBasicBlock *Pad : Block.landing_pads())
          for (const auto &[Label, Passed] : Its.Thrown)
            if (Label == Pad->getLabel())
              OfPads |= Into[Pad->getIndex()] & reg::CalleeSaved & Passed;
        const RegisterSet Now = Its.Own | (Behind & Its.Passed) | OfPads;
        Changed |= Now != Into[Block.getIndex()];
        Into[Block.getIndex()] = Now;
      }
    }
    return Into[BF.front().getIndex()];
  }

  /// A register may hold a parameter whether it is saved or not.
  Transfer transfer(const BinaryBasicBlock &Block,
                    SmallSetVector<Function *, 16> &Callees) {
    Transfer T;
    auto end = [&](RegisterSet Needs) {
      T.Own &= ~Needs;
      T.Passed &= ~Needs;
      for (auto &[Label, Passed] : T.Thrown)
        Passed &= ~Needs;
    };
    for (const MCInst &Inst : llvm::reverse(Block)) {
      if (Model.Registers.isPseudo(Inst))
        continue;
      const RegisterEffects E = Model.Registers.effects(Inst);
      if (putOnStack(BC, Inst, E))
        continue;
      end(E.Writes);
      if (Model.Registers.isCall(Inst)) {
        // Code behind a call that never returns is not reached.
        end(Returns.mayReturn(Inst) ? reg::CallerSaved : reg::All);
        if (const auto Pad = BC.MIB->getEHInfo(Inst); Pad && Pad->first)
          T.Thrown.push_back({Pad->first, reg::All});
        const BinaryFunction *To =
            findFunctionEntry(BC, BC.MIB->getTargetSymbol(Inst)).Function;
        if (To && isRead(*To) && !To->isFragment()) {
          Callees.insert(To);
          T.Own |= Known.lookup(To);
        }
      }
      // Writing a part of a register keeps the rest.
      T.Own |= E.Reads & ~(E.Writes & ~E.Kills) & NotGiven;
    }
    return T;
  }
};

} // namespace

RegisterSet Strangers::taken(const MachineModel &Model) const {
  std::vector<Function *> Pointed;
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    if (Starts.contains(Address) && isRead(BF) && !BF.isFragment())
      Pointed.push_back(&BF);
  return Needs(BC, Model).solve(Pointed);
}

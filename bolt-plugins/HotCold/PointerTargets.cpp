//===- HotCold/PointerTargets.cpp - Targets of function pointers ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Take the functions whose address is taken. Without the linker's
//    relocations that may be all.
// 2. If one has no flow graph, scan its bytes (UnreadCode).
// 3. Otherwise, walk from its entry along all edges with the registers that
//    are as the caller left them on some path: neither written nor saved. An
//    instruction that reads one takes a parameter. In the first block, a saved
//    register is still the caller's, too. Do the same for its callees (look).
// 4. Registers that are handed on to such a callee and that it reads are also
//    read by its callers (join).
//
//===----------------------------------------------------------------------===//

#include "PointerTargets.h"
#include "Copies/MissingSymbols.h"
#include "Options/CopyPlan.h"
#include "Protect/KnownPlaces.h"
#include "RegisterSummaries.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// The entry point of a program is not called through a pointer.
static bool isAddressTaken(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  if (BF.getAddress() == BC.StartFunctionAddress)
    return false;
  if (makesCopies())
    return mayBePointedTo(BF);
  return !BC.HasRelocations ||
         llvm::binary_search(knownPlaces().TakenAddresses, BF.getAddress());
}

PointerTargets::PointerTargets(BinaryContext &BC, const RegisterModel &Model,
                               UnreadCode &Unread)
    : BC(BC), Model(Model), Returns(BC, ReturnFinder::By::Proof) {
  for (const auto &[Address, BF] : BC.getBinaryFunctions()) {
    // Parts go on with what their procedures left.
    if (BF.isPLTFunction() || BF.isPseudo() || BF.isFragment() ||
        !isAddressTaken(BF))
      continue;
    if (hasCode(BF))
      Functions.push_back(&BF);
    else
      Convention.join(Unread.conventionOf(BF, /*Strict=*/false));
  }
  for (Function *BF : Functions)
    Looked.insert({BF, Values()});
  for (size_t I = 0; I < Looked.size(); ++I)
    look(*(Looked.begin() + I)->first);
  join();
}

void PointerTargets::look(Function &BF) {
  Values Found;
  std::vector<std::optional<RegisterSet>> LeftIn(BF.size());
  std::vector<const BinaryBasicBlock *> Worklist;
  auto add = [&](const BinaryBasicBlock &To, RegisterSet Left) {
    std::optional<RegisterSet> &In = LeftIn[To.getIndex()];
    if (In && !(Left & ~*In))
      return;
    In = In.value_or(0) | Left;
    Worklist.push_back(&To);
  };
  add(BF.front(), NoParameters);
  while (!Worklist.empty()) {
    const BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    LeftForPads AtPads;
    const RegisterSet Left =
        step(Block, *LeftIn[Block.getIndex()], Found, AtPads);
    // Any code may follow a call that never returns.
    if (!endsForGood(Block))
      for (const BinaryBasicBlock *To : Block.successors())
        add(*To, Left);
    for (const BinaryBasicBlock *To : Block.landing_pads())
      for (const auto &[Label, LeftThere] : AtPads)
        if (Label == To->getLabel())
          add(*To, LeftThere);
  }
  for (const auto &[Callee, Left] : Found.HandedOn)
    if (hasCode(*Callee) && !Callee->isFragment())
      Looked.insert({Callee, Values()});
  Looked[&BF] = std::move(Found);
}

bool PointerTargets::endsForGood(const BinaryBasicBlock &Block) {
  const MCInst *Last = Block.getLastNonPseudoInstr();
  return Last && Model.isCall(*Last) && !Returns.mayReturn(*Last);
}

/// Returns what is left behind \p Block of what was \p Left before it, and adds
/// what is left where calls throw. A register may be saved and read all the
/// same: Swift has parameters in saved ones.
RegisterSet PointerTargets::step(const BinaryBasicBlock &Block,
                                 RegisterSet Left, Values &Found,
                                 LeftForPads &AtPads) const {
  for (const MCInst &Inst : Block) {
    if (Model.isPseudo(Inst))
      continue;
    const RegisterEffects E = Model.effects(Inst);
    if (savedBy(BC, Inst, E))
      continue;
    // Writing a part of a register keeps the rest.
    Found.Read |= Left & E.Reads & ~(E.Writes & ~E.Kills);
    if (Model.isCall(Inst)) {
      const CallTarget To = targetOf(BC, Inst);
      if (!To.isElsewhere() && Left)
        Found.HandedOn[To.Function] |= Left;
      Left &= ~reg::CallerSaved;
      if (const auto Pad = BC.MIB->getEHInfo(Inst); Pad && Pad->first)
        AtPads.push_back({Pad->first, Left});
    }
    Left &= ~E.Writes;
  }
  return Left;
}

void PointerTargets::join() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[BF, Found] : Looked) {
      RegisterSet Read = Found.Read;
      for (const auto &[Callee, Left] : Found.HandedOn)
        if (auto Its = Looked.find(Callee); Its != Looked.end())
          Read |= Left & Its->second.Read;
      Changed |= Read != Found.Read;
      Found.Read = Read;
    }
  }
  for (Function *BF : Functions)
    Convention.Reads |= Looked[BF].Read;
}

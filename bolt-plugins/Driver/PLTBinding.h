//===- Driver/PLTBinding.h - PLT calls without eager binding ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PLTBINDING_H
#define GRAUPEL_DRIVER_PLTBINDING_H

#include "Options/BoltOptions.h"
#include "PLTStub.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Passes/PLTCall.h"

namespace graupel {

/// Calls through GOT slots in the place of calls of the PLT's stubs. BOLT's
/// pass then demands that the loader bind all symbols at start, refusing files
/// it cannot say so in. A slot that is not bound yet leads to the lazy-binding
/// stub, exactly as the PLT's jump through it does, so the input's way of
/// binding can stay: a program with a symbol that is missing but never called
/// keeps working.
///
/// A stub that BOLT does not understand is to it the inside of the one before,
/// whose slot its pass would call; and there are stubs that hand something to
/// the code that binds their slot. Calls of these stay as they are.
class LazyPLTCall : public llvm::bolt::BinaryFunctionPass {
public:
  using PLTCall = llvm::bolt::PLTCall;

  explicit LazyPLTCall(const llvm::cl::opt<bool> &Print)
      : BinaryFunctionPass(Print) {}

  const char *getName() const override { return "graupel-lazy-plt-call"; }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    const PLTCall::OptType Mode = boltOpt<PLTCall::OptType>("plt");
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (Mode == PLTCall::OT_ALL ? shouldOptimize(BF)
                                  : Mode == PLTCall::OT_HOT &&
                                        shouldOptimize(BF) && BF.hasProfile())
        for (llvm::bolt::BinaryBasicBlock &Block : BF)
          if (Mode == PLTCall::OT_ALL || Block.getKnownExecutionCount())
            convertCalls(BC, Block);
    if (NumConverted)
      BC.outs() << "BOLT-INFO: " << NumConverted
                << " PLT calls in the binary were optimized.\n";
    return llvm::Error::success();
  }

private:
  uint64_t NumConverted = 0;

  /// Whether a stub has been found to be a jump and nothing else.
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, bool> Transparent;

  static llvm::StringRef contentFrom(llvm::bolt::BinaryContext &BC,
                                     uint64_t Address) {
    auto Section = BC.getSectionForAddress(Address);
    if (!Section || Section->isVirtual())
      return {};
    return Section->getContents().drop_front(Address - Section->getAddress());
  }

  bool isTransparent(llvm::bolt::BinaryContext &BC,
                     const llvm::bolt::BinaryFunction &Stub) {
    auto [Known, IsNew] = Transparent.try_emplace(&Stub, false);
    const llvm::bolt::BinaryData *Slot =
        IsNew ? BC.getBinaryDataByName(Stub.getPLTSymbol()->getName())
              : nullptr;
    if (Slot)
      Known->second = isTransparentStub(
          Stub.getAddress(), Slot->getAddress(),
          [&](uint64_t Address) { return contentFrom(BC, Address); });
    return Known->second;
  }

  /// The GOT slot of the stub that \p Inst calls; null if it calls none, or one
  /// that does more than to jump.
  const llvm::MCSymbol *slotOf(llvm::bolt::BinaryContext &BC,
                               const llvm::MCInst &Inst) {
    const llvm::MCSymbol *Target =
        BC.MIB->isCall(Inst) ? BC.MIB->getTargetSymbol(Inst) : nullptr;
    if (!Target)
      return nullptr;
    const auto [Stub, IsBeginning] = findFunctionEntry(BC, Target);
    if (!Stub || !IsBeginning || !Stub->getPLTSymbol() ||
        !isTransparent(BC, *Stub))
      return nullptr;
    return Stub->getPLTSymbol();
  }

  void convertCalls(llvm::bolt::BinaryContext &BC,
                    llvm::bolt::BinaryBasicBlock &Block) {
    for (auto At = Block.begin(); At != Block.end(); ++At)
      if (const llvm::MCSymbol *Slot = slotOf(BC, *At)) {
        const llvm::bolt::InstructionListType Code =
            BC.MIB->createIndirectPLTCall(std::move(*At), Slot, BC.Ctx.get());
        At = std::next(Block.replaceInstruction(At, Code), Code.size() - 1);
        // BOLT's retpolines look for this annotation.
        BC.MIB->addAnnotation(*At, "PLTCall", true);
        ++NumConverted;
      }
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_PLTBINDING_H

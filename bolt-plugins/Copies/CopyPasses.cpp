//===- Copies/CopyPasses.cpp - What copies and originals refer to ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// A symbol that means the place \p Address of the input, whatever is there.
static MCSymbol *originalSymbol(BinaryContext &BC, uint64_t Address) {
  return BC.registerNameAtAddress(
      "__graupel_original_" + utohexstr(Address, /*LowerCase=*/true), Address,
      /*Size=*/0, /*Alignment=*/1);
}

/// Lets the operands of \p Inst refer to originals.
static void referToOriginals(BinaryContext &BC, MCInst &Inst) {
  for (unsigned I = 0; I < MCPlus::getNumPrimeOperands(Inst); ++I) {
    MCOperand &Operand = Inst.getOperand(I);
    if (!Operand.isExpr())
      continue;
    const auto [Symbol, Addend] =
        BC.MIB->getTargetSymbolInfo(Operand.getExpr());
    if (!Symbol || !BC.getFunctionForSymbol(Symbol))
      continue;
    const ErrorOr<uint64_t> Address = BC.getSymbolValue(*Symbol);
    if (!Address)
      continue;
    const MCExpr *Expr =
        MCSymbolRefExpr::create(originalSymbol(BC, *Address), *BC.Ctx);
    if (Addend)
      Expr = MCBinaryExpr::createAdd(
          Expr, MCConstantExpr::create(Addend, *BC.Ctx), *BC.Ctx);
    Operand = MCOperand::createExpr(Expr);
  }
}

Error OriginalAddresses::runOnFunctions(BinaryContext &BC) {
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (!BC.shouldEmit(BF))
      continue;
    // Symbols in the gap behind it are not its.
    BF.setMaxSize(BF.getSize());
    for (BinaryBasicBlock &Block : BF)
      for (MCInst &Inst : Block)
        if (!BC.MIB->isCall(Inst) && !BC.MIB->isBranch(Inst))
          referToOriginals(BC, Inst);
  }
  return Error::success();
}

/// Whether the copy begins with "endbr64" and goes on right behind it.
static bool copyGoesOnBehindEndbr(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  const BinaryBasicBlock &Block = *BF.getLayout().block_front();
  bool HasEndbr = false;
  for (const MCInst &Inst : Block) {
    if (BC.MIB->isPseudo(Inst))
      continue;
    if (HasEndbr)
      return true;
    HasEndbr = BC.MII->getName(Inst.getOpcode()) == "ENDBR64";
    if (!HasEndbr)
      return false;
  }
  return false;
}

Error PatchOriginals::runOnFunctions(BinaryContext &BC) {
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (!BC.shouldEmit(BF) || BF.isFolded())
      continue;
    const bool KeepsEndbr = beginsWithEndbr(BF);
    InstructionListType Patch;
    BC.MIB->createLongTailCall(Patch, BF.getSymbol(), BC.Ctx.get());
    if (KeepsEndbr && copyGoesOnBehindEndbr(BF))
      Patch.front().getOperand(0) =
          MCOperand::createExpr(MCBinaryExpr::createAdd(
              MCSymbolRefExpr::create(BF.getSymbol(), *BC.Ctx),
              MCConstantExpr::create(EndbrSize, *BC.Ctx), *BC.Ctx));
    // With a name it would get an unwind record in the place of the original's,
    // which may still be entered behind the jump.
    BC.createInstructionPatch(BF.getAddress() + (KeepsEndbr ? EndbrSize : 0),
                              Patch, /*Name=*/"");
  }
  return Error::success();
}

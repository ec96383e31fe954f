//===- Verify/Disassembler.cpp - One instruction after another ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Disassembler.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace graupel;

struct Disassembler::Parts {
  MCTargetOptions Options;
  std::unique_ptr<MCRegisterInfo> Registers;
  std::unique_ptr<MCAsmInfo> Asm;
  std::unique_ptr<MCSubtargetInfo> Subtarget;
  std::unique_ptr<MCInstrInfo> Instructions;
  std::unique_ptr<MCInstrAnalysis> Analysis;
  std::unique_ptr<MCContext> Context;
  std::unique_ptr<MCDisassembler> Decoder;
};

Disassembler::Disassembler(uint16_t Machine) : P(std::make_unique<Parts>()) {
  assert(Machine == ELF::EM_X86_64);
  const Triple Name("x86_64-unknown-linux");
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(Name, Message);
  if (!T)
    report_fatal_error(StringRef(Message));
  P->Registers.reset(T->createMCRegInfo(Name));
  P->Asm.reset(T->createMCAsmInfo(*P->Registers, Name, P->Options));
  P->Subtarget.reset(T->createMCSubtargetInfo(Name, "", ""));
  P->Instructions.reset(T->createMCInstrInfo());
  P->Analysis.reset(T->createMCInstrAnalysis(P->Instructions.get()));
  P->Context = std::make_unique<MCContext>(
      Name, P->Asm.get(), P->Registers.get(), P->Subtarget.get());
  P->Decoder.reset(T->createMCDisassembler(*P->Subtarget, *P->Context));
}

Disassembler::~Disassembler() = default;

uint64_t Disassembler::next(StringRef Bytes, uint64_t Address,
                            uint64_t &Target) {
  MCInst Instruction;
  uint64_t Size = 0;
  if (P->Decoder->getInstruction(Instruction, Size,
                                 arrayRefFromStringRef(Bytes), Address,
                                 nulls()) == MCDisassembler::Fail)
    return 0;
  if ((P->Analysis->isBranch(Instruction) ||
       P->Analysis->isCall(Instruction)) &&
      !P->Analysis->evaluateBranch(Instruction, Address, Size, Target))
    Target = 0;
  return Size;
}

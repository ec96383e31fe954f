//===- Verify/Disassembler.cpp - One instruction after another ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The effect of an operation on control, and its memory operand, are found
//    once, by its name and LLVM's description.
// 2. An instruction is decoded, and gets what is known of its operation.
//    Encodings of other sizes count as one operation.
//
//===----------------------------------------------------------------------===//

#include "Disassembler.h"
#include "Elf/ElfView.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
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

  /// The facts about an operation code, by its name.
  struct Facts {
    unsigned Operation = 0;
    FlowKind Kind = FlowKind::Plain;
    int8_t MemoryOperand = -1;
  };
  /// By the operation's number; the same for all disassemblers.
  static std::vector<Facts> OfCode;
  unsigned InstructionPointer = 0, NoIndex64 = 0, NoIndex32 = 0;

  void readFacts();
  void readRegisters();
  FlowKind kindOf(unsigned Code) const;
};

std::vector<Disassembler::Parts::Facts> Disassembler::Parts::OfCode;

/// The name of an operation without the size of its encoding.
static StringRef operationName(StringRef Name) {
  if (Name == "MOV64ri32")
    return "MOV64ri";
  Name.consume_back("_REV");
  for (StringRef Jump : {"JMP_", "JCC_", "XBEGIN_"})
    if (Name.starts_with(Jump))
      return Name.take_front(Jump.size());
  StringRef Form = Name;
  if (!Form.consume_back("8") && !Form.consume_back("16") &&
      !Form.consume_back("32"))
    return Name;
  for (StringRef Immediate : {"ri", "mi", "64i", "32i", "16i"})
    if (Form.ends_with(Immediate))
      return Form;
  return Name;
}

FlowKind Disassembler::Parts::kindOf(unsigned Code) const {
  const MCInstrDesc &Desc = Instructions->get(Code);
  StringRef Name = Instructions->getName(Code);
  const bool Relative =
      any_of(Desc.operands(), [](const MCOperandInfo &Operand) {
        return Operand.OperandType == MCOI::OPERAND_PCREL;
      });
  if (Name.starts_with("NOOP"))
    return FlowKind::Nop;
  if (Name.starts_with("JCC_"))
    return FlowKind::Branch;
  if (Name.starts_with("UD1") || Name.starts_with("UD2") || Name == "TRAP" ||
      Name == "HLT")
    return FlowKind::Trap;
  if (Desc.isReturn())
    return FlowKind::Return;
  if (Desc.isCall())
    return Relative ? FlowKind::Call : FlowKind::IndirectCall;
  if (Desc.isIndirectBranch())
    return FlowKind::IndirectJump;
  if (Desc.isUnconditionalBranch() && Relative)
    return FlowKind::Jump;
  if (Desc.isBarrier() && Desc.isBranch())
    return FlowKind::IndirectJump;
  return Relative ? FlowKind::OtherBranch : FlowKind::Plain;
}

void Disassembler::Parts::readFacts() {
  if (!OfCode.empty())
    return;
  StringMap<unsigned> Operations;
  OfCode.resize(Instructions->getNumOpcodes());
  for (unsigned Code = 0; Code < OfCode.size(); ++Code) {
    Facts &F = OfCode[Code];
    F.Operation =
        Operations.try_emplace(operationName(Instructions->getName(Code)), Code)
            .first->second;
    F.Kind = kindOf(Code);
    // LLVM does not call the operand of lea memory: it is not accessed.
    if (StringRef Name = Instructions->getName(Code);
        Name.starts_with("LEA") && Name.ends_with("r"))
      F.MemoryOperand = 1;
    for (const auto &[Number, Operand] :
         enumerate(Instructions->get(Code).operands()))
      if (Operand.OperandType == MCOI::OPERAND_MEMORY) {
        F.MemoryOperand = Number;
        break;
      }
  }
}

void Disassembler::Parts::readRegisters() {
  for (unsigned R = 1; R < Registers->getNumRegs(); ++R) {
    StringRef Name = Registers->getName(R);
    if (Name == "RIP")
      InstructionPointer = R;
    else if (Name == "RIZ")
      NoIndex64 = R;
    else if (Name == "EIZ")
      NoIndex32 = R;
  }
}

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
  P->readFacts();
  P->readRegisters();
}

Disassembler::~Disassembler() = default;

void Disassembler::decode(StringRef Bytes, uint64_t Address, Instruction &I) {
  I.Inst.clear();
  I.Inst.setFlags(0);
  I.Address = Address;
  I.Target = 0;
  uint64_t Size = 0;
  const auto Status = P->Decoder->getInstruction(
      I.Inst, Size, arrayRefFromStringRef(Bytes), Address, nulls());
  I.Size = Status == MCDisassembler::Fail ? 0 : Size;
  if (!I.Size)
    return;
  const Parts::Facts &F = P->OfCode[I.Inst.getOpcode()];
  I.Kind = F.Kind;
  I.MemoryOperand = F.MemoryOperand;
  if (I.Kind == FlowKind::Jump || I.Kind == FlowKind::Branch ||
      I.Kind == FlowKind::OtherBranch || I.Kind == FlowKind::Call)
    if (I.Inst.getNumOperands() && I.Inst.getOperand(0).isImm())
      I.Target = I.end() + I.Inst.getOperand(0).getImm();
}

uint64_t Disassembler::next(StringRef Bytes, uint64_t Address,
                            uint64_t &Target) {
  Instruction I;
  decode(Bytes, Address, I);
  Target = I.Target;
  return I.Size;
}

unsigned Disassembler::operation(const Instruction &I) const {
  return P->OfCode[I.Inst.getOpcode()].Operation;
}

StringRef Disassembler::name(const Instruction &I) const {
  return I.Size ? P->Instructions->getName(I.Inst.getOpcode())
                : StringRef("no instruction");
}

StringRef Disassembler::registerName(unsigned Register) const {
  return Register ? StringRef(P->Registers->getName(Register)) : StringRef();
}

const MCInstrInfo &Disassembler::instructions() const {
  return *P->Instructions;
}

const MCRegisterInfo &Disassembler::registers() const { return *P->Registers; }

std::string Disassembler::operandText(const Instruction &I,
                                      unsigned Number) const {
  const MCOperand &Op = I.Inst.getOperand(Number);
  if (Op.isReg())
    return Op.getReg() ? registerName(Op.getReg()).str() : "none";
  if (isRelative(I) && int(Number) == I.MemoryOperand + 3)
    return hex(relativeAddress(I));
  return Op.isImm() ? hex(Op.getImm()) : "another";
}

std::string Disassembler::difference(const Instruction &A,
                                     const Instruction &B) const {
  const std::string Name = name(B).str();
  if (Name == name(A) && A.Inst.size() == B.Inst.size())
    // A branch differs by its condition, not by how far it goes.
    for (unsigned I = A.Kind == FlowKind::Branch; I < A.Inst.size(); ++I) {
      const std::string Before = operandText(A, I), Now = operandText(B, I);
      if (Before != Now)
        return Name + " has the operand " + Now + " instead of " + Before;
    }
  return "there is " + Name + " instead of " + name(A).str();
}

bool Disassembler::isRelative(const Instruction &I) const {
  // Absolute places and those of string instructions have fewer parts.
  if (I.MemoryOperand < 0 ||
      unsigned(I.MemoryOperand) + 4 >= I.Inst.getNumOperands())
    return false;
  const MCOperand &Base = I.Inst.getOperand(I.MemoryOperand);
  return Base.isReg() && Base.getReg() == P->InstructionPointer &&
         I.Inst.getOperand(I.MemoryOperand + 3).isImm();
}

uint64_t Disassembler::relativeAddress(const Instruction &I) const {
  return I.end() + I.Inst.getOperand(I.MemoryOperand + 3).getImm();
}

unsigned Disassembler::indexRegister(unsigned R) const {
  return R == P->NoIndex64 || R == P->NoIndex32 ? 0 : R;
}

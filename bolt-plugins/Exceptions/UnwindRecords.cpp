//===- Exceptions/UnwindRecords.cpp - Functions of several records --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT writes unwind records anew. It has no words for an interrupted frame,
// whose return address is the next instruction to be executed (augmentation S:
// assembly that is entered by signals or coroutines), or for another return
// address column, and it refuses files with rules that it does not know
// (DW_CFA_val_offset), or that begin in the middle of an instruction. Such
// functions stay.
//
// So do functions with an expression that reads the instruction pointer: it may
// lead to code, or read it (glibc's _L_lock_N). It leads to a place that jumps
// to such code, or that such code jumps to; that stays, too.
//
// And so do functions whose only record begins behind their beginning: BOLT does
// not find it. Assembly may have endbr64 before it.
//
// BOLT reads the unwind record that begins where a function does, and describes
// the whole function by it. Assembly may have several. glibc's clone() has one
// for the caller's code, none for the system call, and one that ends the stack
// for the new thread. Instrumented static programs hear of threads from there,
// so it has to be rewritten.
//
//   1. If none of the records says more than that the stack ends, they become
//      one: code without a record ends the stack, too.
//   2. Otherwise the function has to stay.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "bolt/Core/Exceptions.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::set<const BinaryFunction *> FunctionsInRecords;
static std::set<const BinaryFunction *> FunctionsWithStrangeRecord;
static std::set<const BinaryFunction *> FunctionsWithCodeInRules;

bool graupel::isInRecords(const BinaryFunction &BF) {
  return FunctionsInRecords.count(&BF);
}

bool graupel::hasStrangeRecord(const BinaryFunction &BF) {
  return FunctionsWithStrangeRecord.count(&BF);
}

bool graupel::hasCodeInRules(const BinaryFunction &BF) {
  return FunctionsWithCodeInRules.count(&BF);
}

/// In all records that compilers write for x86-64.
static constexpr uint64_t UsualReturnAddress = 16;
/// These bits stand for an instruction, the others for its operand.
static constexpr uint8_t PrimaryOpcode = 0xc0;

/// Whether BOLT knows what to do with \p I.
static bool isKnown(const dwarf::CFIProgram::Instruction &I) {
  switch (I.Opcode) {
  case dwarf::DW_CFA_val_offset:
  case dwarf::DW_CFA_val_offset_sf:
  case dwarf::DW_CFA_MIPS_advance_loc8:
  case dwarf::DW_CFA_GNU_window_save:
    return false;
  default:
    return I.Opcode < dwarf::DW_CFA_lo_user ||
           I.Opcode == dwarf::DW_CFA_GNU_args_size || I.Opcode & PrimaryOpcode;
  }
}

/// Whether \p I computes something from where the code is.
static bool readsCode(const dwarf::CFIProgram::Instruction &I) {
  using Operation = DWARFExpression::Operation;
  return I.Expression && any_of(*I.Expression, [](const Operation &O) {
           switch (O.getCode()) {
           case dwarf::DW_OP_breg0 + UsualReturnAddress:
           case dwarf::DW_OP_addr:
             return true;
           case dwarf::DW_OP_bregx:
             return O.getRawOperand(0) == UsualReturnAddress;
           default:
             return O.isError();
           }
         });
}

/// Whether each row of \p Record begins where an instruction of \p BF does.
static bool hasWholeRows(const BinaryFunction &BF, const dwarf::FDE &Record) {
  const uint64_t Unit = Record.getLinkedCIE()->getCodeAlignmentFactor();
  uint64_t Offset = 0;
  for (const dwarf::CFIProgram::Instruction &I : Record.cfis()) {
    switch (I.Opcode) {
    case dwarf::DW_CFA_set_loc:
      Offset = I.Ops[0] - BF.getAddress();
      break;
    case dwarf::DW_CFA_advance_loc:
    case dwarf::DW_CFA_advance_loc1:
    case dwarf::DW_CFA_advance_loc2:
    case dwarf::DW_CFA_advance_loc4:
      Offset += I.Ops[0] * Unit;
      break;
    default:
      continue;
    }
    if (Offset < BF.getSize() && !BF.getInstructionAtOffset(Offset))
      return false;
  }
  return true;
}

bool graupel::checkUnwindRecord(const BinaryFunction &BF,
                                const CFIReaderWriter &Reader) {
  const auto &All = Reader.getFDEs();
  const auto Found = All.find(BF.getAddress());
  if (Found == All.end())
    return true;
  const dwarf::FDE &Record = *Found->second;
  const dwarf::CIE &Common = *Record.getLinkedCIE();
  const bool CanRead = all_of(Common.cfis(), isKnown) &&
                       all_of(Record.cfis(), isKnown) &&
                       hasWholeRows(BF, Record);
  // The procedure linkage table has such a rule, too, and stays anyway.
  if (any_of(Record.cfis(), readsCode) && !BF.isPLTFunction() && !BF.isPseudo())
    FunctionsWithCodeInRules.insert(&BF);
  if (!CanRead || hasCodeInRules(BF) ||
      Common.getAugmentationString().contains('S') ||
      Common.getReturnAddressRegister() != UsualReturnAddress)
    FunctionsWithStrangeRecord.insert(&BF);
  return CanRead;
}

namespace {

/// A stretch of code that has one record.
struct Stretch {
  uint64_t Begin, End;
  bool EndsStack;
};

} // namespace

/// The contents of \p Record, if it says no more than that the stack ends there
/// or goes on as at the beginning of a function.
static std::optional<Stretch> readSimple(const dwarf::FDE &Record) {
  Stretch S = {Record.getInitialLocation(),
               Record.getInitialLocation() + Record.getAddressRange(), false};
  const uint64_t ReturnAddress =
      Record.getLinkedCIE()->getReturnAddressRegister();
  for (const dwarf::CFIProgram::Instruction &I : Record.cfis())
    if (I.Opcode == dwarf::DW_CFA_undefined && I.Ops[0] == ReturnAddress)
      S.EndsStack = true;
    else if (I.Opcode != dwarf::DW_CFA_nop)
      return std::nullopt;
  return S;
}

static bool join(BinaryFunction &BF, ArrayRef<const dwarf::FDE *> Records) {
  const unsigned ReturnAddress =
      Records.front()->getLinkedCIE()->getReturnAddressRegister();
  std::vector<std::pair<uint64_t, bool>> Changes;
  uint64_t At = BF.getAddress();
  bool Ends = false;
  auto change = [&](uint64_t Address, bool To) {
    if (Ends != To)
      Changes.push_back({Address - BF.getAddress(), To});
    Ends = To;
  };
  for (const dwarf::FDE *Record : Records) {
    const std::optional<Stretch> S = readSimple(*Record);
    if (!S || S->Begin < At || S->End > BF.getAddress() + BF.getSize() ||
        Record->getLinkedCIE() != Records.front()->getLinkedCIE())
      return false;
    if (S->Begin > At)
      change(At, true);
    change(S->Begin, S->EndsStack);
    At = S->End;
  }
  if (At < BF.getAddress() + BF.getSize())
    change(At, true);
  // A rule that begins in the middle of an instruction, or at the first one,
  // cannot be expressed.
  if (llvm::any_of(Changes, [&](auto &C) {
        return !C.first || !BF.getInstructionAtOffset(C.first);
      }))
    return false;
  for (auto [Offset, To] : Changes)
    BF.addCFIInstruction(
        Offset, To ? MCCFIInstruction::createUndefined(nullptr, ReturnAddress)
                   : MCCFIInstruction::createRestore(nullptr, ReturnAddress));
  return true;
}

void graupel::joinUnwindRecords(BinaryFunction &BF,
                                const CFIReaderWriter &Reader) {
  const auto &All = Reader.getFDEs();
  std::vector<const dwarf::FDE *> Records;
  for (auto It = All.lower_bound(BF.getAddress());
       It != All.end() && It->first < BF.getAddress() + BF.getSize(); ++It)
    Records.push_back(It->second);
  if (Records.size() > 1 && !join(BF, Records))
    FunctionsInRecords.insert(&BF);
  // BOLT finds the record by where the function begins.
  if (Records.size() == 1 &&
      Records.front()->getInitialLocation() != BF.getAddress())
    FunctionsWithStrangeRecord.insert(&BF);
}

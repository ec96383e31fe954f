//===- Exceptions/FoldingClasses.cpp - Functions folding must not join ----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT folds functions whose instructions are the same. It compares the numbers
// of unwind rules and not what they say, and none that hold from the beginning;
// and it compares the landing pads of calls, where a call without one is equal
// to a call that no range of the table holds. An exception from the latter ends
// the program. The cold parts of two functions are often the same instructions
// in frames of different sizes.
//
// 1. Describe what unwinding sees of a function: the rules at its beginning,
//    those in it, the sizes of arguments on the stack, the reader of its
//    exception table, what that says beside the call sites, and which calls are
//    in none.
// 2. Number the different descriptions.
// 3. Put the number where BOLT has the addresses of types, which it compares
//    and nobody else reads (TableWriter has its own).
// 4. Functions that the loader can look up by name count as functions whose
//    addresses are taken: dlsym() and other objects may compare them. -icf=safe
//    keeps those apart.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "Support/BoltInternals.h"
#include "Support/Exported.h"
#include "Tables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

#define DEBUG_TYPE "graupel-exceptions"

namespace {

class Description {
public:
  explicit Description(const BinaryFunction &BF)
      : BF(BF), MIB(*BF.getBinaryContext().MIB), OS(Text) {}

  StringRef run() {
    OS << BF.hasCFI() << ' ';
    for (const MCCFIInstruction &Rule : BF.cie())
      add(Rule);
    for (const BinaryBasicBlock *Block : BF.getLayout().blocks())
      add(*Block);
    if (const MCSymbol *Personality = BF.getPersonalityFunction())
      OS << "personality " << Personality->getName() << ' '
         << unsigned(BF.getPersonalityEncoding());
    if (const ExceptionTable *Table = exceptionTableOf(BF))
      add(*Table);
    return Text;
  }

private:
  const BinaryFunction &BF;
  const MCPlusBuilder &MIB;
  const bool HasTable = exceptionTableOf(BF);
  std::string Text;
  raw_string_ostream OS;

  /// The folding itself compares where the rules are.
  void add(const BinaryBasicBlock &Block) {
    OS << '{';
    for (const MCInst &Inst : Block) {
      if (const MCCFIInstruction *Rule = BF.getCFIFor(Inst))
        add(*Rule);
      else if (const int64_t Size = MIB.getGnuArgsSize(Inst); Size > 0)
        OS << "args " << Size << ';';
      if (HasTable && MIB.isCall(Inst))
        OS << (MIB.getEHInfo(Inst) ? "in;" : "out;");
    }
    OS << '}';
  }

  void add(const MCCFIInstruction &Rule) {
    OS << unsigned(Rule.getOperation()) << ' ';
    switch (Rule.getOperation()) {
    case MCCFIInstruction::OpRestore:
    case MCCFIInstruction::OpUndefined:
    case MCCFIInstruction::OpSameValue:
    case MCCFIInstruction::OpDefCfaRegister:
      OS << Rule.getRegister();
      break;
    case MCCFIInstruction::OpDefCfa:
    case MCCFIInstruction::OpOffset:
    case MCCFIInstruction::OpRelOffset:
      OS << Rule.getRegister() << ' ' << Rule.getOffset();
      break;
    case MCCFIInstruction::OpRegister:
      OS << Rule.getRegister() << ' ' << Rule.getRegister2();
      break;
    case MCCFIInstruction::OpDefCfaOffset:
    case MCCFIInstruction::OpAdjustCfaOffset:
    case MCCFIInstruction::OpGnuArgsSize:
      OS << Rule.getOffset();
      break;
    case MCCFIInstruction::OpEscape:
      OS << toHex(Rule.getValues());
      break;
    case MCCFIInstruction::OpRememberState:
    case MCCFIInstruction::OpRestoreState:
      break;
    default:
      // Never the same as another's.
      OS << "of " << BF.getFunctionNumber();
    }
    OS << ';';
  }

  void add(const ExceptionTable &Table) {
    OS << "table " << unsigned(Table.TypeEncoding) << ' '
       << toHex(Table.Actions) << ' ' << toHex(Table.Filters);
    for (uint64_t Type : Table.Types)
      OS << ' ' << Type;
  }
};

} // namespace

Error FoldingClasses::runOnFunctions(BinaryContext &BC) {
  markExported(BC);
  StringMap<uint64_t> Numbers;
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    if (!BF.hasCFG())
      continue;
    const uint64_t Next = Numbers.size() + 1;
    const uint64_t Number =
        Numbers.try_emplace(Description(BF).run(), Next).first->second;
    (BF.*member(internals::LSDATypeTableTag())).assign(1, Number);
  }
  return Error::success();
}

//===- Verify/FlagTable.cpp - Effects of instructions on flags ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The longest prefix of LLVM's name of an instruction in the table below
//    says what it does. Writers count only where LLVM says that the form at
//    hand writes flags at all: a name may have forms that do not.
// 2. An instruction that is not in the table reads all flags if LLVM says that
//    it reads some, and is sure to overwrite none.
//
//===----------------------------------------------------------------------===//

#include "FlagTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

constexpr uint8_t ButCarry = AllFlags & ~CF, ButOverflow = AllFlags & ~OF;

struct Rule {
  StringLiteral Prefix;
  uint8_t Reads, Overwrites, Changes;
};

constexpr Rule Rules[] = {
    // Computations.
    {"ADC", CF, AllFlags, AllFlags},
    {"ADCX", CF, CF, CF},
    {"ADD", 0, AllFlags, AllFlags},
    {"ADOX", OF, OF, OF},
    {"AND", 0, AllFlags, AllFlags},
    {"BEXTR", 0, AllFlags, AllFlags},
    {"BLC", 0, AllFlags, AllFlags},
    {"BLS", 0, AllFlags, AllFlags},
    {"BSF", 0, ZF, AllFlags},
    {"BSR", 0, ZF, AllFlags},
    {"BT", 0, CF, AllFlags},
    {"BZHI", 0, AllFlags, AllFlags},
    {"CMP", 0, AllFlags, AllFlags},
    {"CMPXCHG8B", 0, ZF, ZF},
    {"CMPXCHG16B", 0, ZF, ZF},
    {"DEC", 0, ButCarry, ButCarry},
    {"DIV", 0, AllFlags, AllFlags},
    {"IDIV", 0, AllFlags, AllFlags},
    {"IMUL", 0, AllFlags, AllFlags},
    {"INC", 0, ButCarry, ButCarry},
    {"LXADD", 0, AllFlags, AllFlags},
    {"LZCNT", 0, AllFlags, AllFlags},
    {"MUL", 0, AllFlags, AllFlags},
    {"NEG", 0, AllFlags, AllFlags},
    {"OR", 0, AllFlags, AllFlags},
    {"POPCNT", 0, AllFlags, AllFlags},
    {"RDRAND", 0, AllFlags, AllFlags},
    {"RDSEED", 0, AllFlags, AllFlags},
    {"SBB", CF, AllFlags, AllFlags},
    {"SUB", 0, AllFlags, AllFlags},
    {"T1MSKC", 0, AllFlags, AllFlags},
    {"TEST", 0, AllFlags, AllFlags},
    {"TZCNT", 0, AllFlags, AllFlags},
    {"TZMSK", 0, AllFlags, AllFlags},
    {"XADD", 0, AllFlags, AllFlags},
    {"XOR", 0, AllFlags, AllFlags},
    // Shifts; their counts are looked at.
    {"RCL", CF, CF, CF | OF},
    {"RCR", CF, CF, CF | OF},
    {"ROL", 0, CF, CF | OF},
    {"ROR", 0, CF, CF | OF},
    {"SAR", 0, AllFlags, AllFlags},
    {"SHL", 0, AllFlags, AllFlags},
    {"SHR", 0, AllFlags, AllFlags},
    // A repeated comparison of no bytes leaves the flags alone.
    {"CMPSB", 0, 0, AllFlags},
    {"CMPSL", 0, 0, AllFlags},
    {"CMPSQ", 0, 0, AllFlags},
    {"CMPSW", 0, 0, AllFlags},
    {"SCAS", 0, 0, AllFlags},
    // Vectors and the x87.
    {"COMIS", 0, AllFlags, AllFlags},
    {"COM_FI", 0, CF | PF | ZF, AllFlags},
    {"KORTEST", 0, AllFlags, AllFlags},
    {"KTEST", 0, AllFlags, AllFlags},
    {"PCMPESTR", 0, AllFlags, AllFlags},
    {"PCMPISTR", 0, AllFlags, AllFlags},
    {"PTEST", 0, AllFlags, AllFlags},
    {"UCOMIS", 0, AllFlags, AllFlags},
    {"UCOM_FI", 0, CF | PF | ZF, AllFlags},
    {"VCOMIS", 0, AllFlags, AllFlags},
    {"VCOMX", 0, AllFlags, AllFlags},
    {"VPCMPESTR", 0, AllFlags, AllFlags},
    {"VPCMPISTR", 0, AllFlags, AllFlags},
    {"VPTEST", 0, AllFlags, AllFlags},
    {"VTESTP", 0, AllFlags, AllFlags},
    {"VUCOMIS", 0, AllFlags, AllFlags},
    {"VUCOMX", 0, AllFlags, AllFlags},
    // The flags themselves.
    {"CLC", 0, CF, CF},
    {"CMC", CF, CF, CF},
    {"LAHF", ButOverflow, 0, 0},
    {"POPF", 0, AllFlags, AllFlags},
    {"PUSHF", AllFlags, 0, 0},
    {"SAHF", 0, ButOverflow, ButOverflow},
    {"SALC", CF, 0, 0},
    {"STC", 0, CF, CF},
    // Readers.
    {"CMOVB_F", CF, 0, 0},
    {"CMOVBE_F", CF | ZF, 0, 0},
    {"CMOVE_F", ZF, 0, 0},
    {"CMOVNB_F", CF, 0, 0},
    {"CMOVNBE_F", CF | ZF, 0, 0},
    {"CMOVNE_F", ZF, 0, 0},
    {"CMOVNP_F", PF, 0, 0},
    {"CMOVP_F", PF, 0, 0},
    {"INTO", OF, 0, 0},
    {"LOOPE", ZF, 0, 0},
    {"LOOPNE", ZF, 0, 0},
};

const Rule *ruleFor(StringRef Name) {
  const Rule *Best = nullptr;
  for (const Rule &R : Rules)
    if (Name.starts_with(R.Prefix) &&
        (!Best || R.Prefix.size() > Best->Prefix.size()))
      Best = &R;
  return Best;
}

/// Whether the last operand of \p Name is a condition.
bool hasCondition(StringRef Name) {
  if (Name.starts_with("JCC_") || Name.starts_with("SETCC") ||
      Name.starts_with("SETZUCC") || Name.starts_with("CFCMOV"))
    return true;
  StringRef Move = Name;
  return Move.consume_front("CMOV") &&
         (Move.starts_with("16") || Move.starts_with("32") ||
          Move.starts_with("64"));
}

bool isShift(StringRef Name) {
  return any_of(
      ArrayRef<StringRef>{"RCL", "RCR", "ROL", "ROR", "SAR", "SHL", "SHR"},
      [&](StringRef S) { return Name.starts_with(S); });
}

/// The flags that a condition reads, by its number without the last bit, which
/// inverts it.
uint8_t readBy(int64_t Condition) {
  static constexpr uint8_t ByPair[] = {OF, CF, ZF,      CF | ZF,
                                       SF, PF, SF | OF, ZF | SF | OF};
  return Condition >= 0 && Condition < 16 ? ByPair[Condition / 2]
                                          : uint8_t(AllFlags);
}

} // namespace

FlagTable::Entry FlagTable::entryFor(StringRef Name, bool Reads, bool Changes) {
  Entry E;
  Name.consume_front("LOCK_");
  if (hasCondition(Name)) {
    E.Use.Reads = AllFlags;
    E.Form = Condition;
    return E;
  }
  const Rule *R = ruleFor(Name);
  if (R && (Changes || !R->Changes || Name.starts_with("POPF")))
    E.Use = {R->Reads, R->Overwrites, R->Changes};
  if (!R) {
    E.Use.Reads = Reads ? AllFlags : 0;
    E.Use.Changes = Changes ? AllFlags : 0;
  } else if (Reads && !R->Reads &&
             (!R->Overwrites || R->Overwrites == AllFlags)) {
    // A form that the table does not know. One that overwrites some (CLC) reads
    // the others as LLVM sees it, since they stay.
    E.Use.Reads = AllFlags;
  }
  if (isShift(Name) && Changes && !Name.ends_with("1") &&
      !Name.ends_with("1_ND")) {
    E.Form = Shift;
    E.CountMask = Name.contains("64") ? 63 : 31;
  }
  return E;
}

FlagTable::FlagTable(const MCInstrInfo &Instructions) {
  Entries.resize(Instructions.getNumOpcodes());
  // The register of the flags is the one that a comparison defines.
  MCPhysReg Flags = 0;
  for (unsigned Code = 0; Code < Entries.size() && !Flags; ++Code)
    if (Instructions.getName(Code) == "CMP64rr")
      Flags = Instructions.get(Code).implicit_defs().front();
  for (unsigned Code = 0; Code < Entries.size(); ++Code) {
    const MCInstrDesc &Desc = Instructions.get(Code);
    Entries[Code] = entryFor(Instructions.getName(Code),
                             is_contained(Desc.implicit_uses(), Flags),
                             is_contained(Desc.implicit_defs(), Flags));
  }
}

FlagUse FlagTable::ofOperands(const Entry &E, const MCInst &Inst) {
  FlagUse Use = E.Use;
  const MCOperand *Last = Inst.getNumOperands()
                              ? &Inst.getOperand(Inst.getNumOperands() - 1)
                              : nullptr;
  const bool IsNumber = Last && Last->isImm();
  if (E.Form == Condition)
    Use.Reads = IsNumber ? readBy(Last->getImm()) : uint8_t(AllFlags);
  // A shift by a register may be one by zero.
  else if (!IsNumber || !(Last->getImm() & E.CountMask))
    Use.Overwrites = 0;
  return Use;
}

std::string graupel::flagNames(uint8_t Flags) {
  static constexpr const char *Names[] = {"CF", "PF", "AF", "ZF", "SF", "OF"};
  std::string Text;
  for (unsigned I = 0; I < std::size(Names); ++I)
    if (Flags & 1 << I)
      Text += (Text.empty() ? "" : ", ") + std::string(Names[I]);
  return Text;
}

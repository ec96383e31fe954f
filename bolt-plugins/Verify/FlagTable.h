//===- Verify/FlagTable.h - Effects of instructions on flags ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_FLAGTABLE_H
#define GRAUPEL_VERIFY_FLAGTABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include <string>
#include <vector>

namespace graupel {

/// The arithmetic flags of x86, as a set.
enum Flag : uint8_t {
  CF = 1,
  PF = 2,
  AF = 4,
  ZF = 8,
  SF = 16,
  OF = 32,
  AllFlags = 63,
  NoFlags = 0
};

/// The effect of one instruction on them. Flags that a manual calls undefined
/// are overwritten: no program can read them.
struct FlagUse {
  uint8_t Reads = 0;
  uint8_t Overwrites = 0; ///< Whatever its operands are.
  uint8_t Changes = 0;    ///< At most these.
};

/// By Intel's manual, and by LLVM's descriptions where nothing is said here:
/// they know the flags as one register, and not all that read them.
class FlagTable {
public:
  explicit FlagTable(const llvm::MCInstrInfo &Instructions);

  FlagUse of(const llvm::MCInst &Inst) const {
    const Entry &E = Entries[Inst.getOpcode()];
    return E.Form == Fixed ? E.Use : ofOperands(E, Inst);
  }

private:
  enum FormKind : uint8_t {
    Fixed,
    Condition, ///< The last operand says which flags are read.
    Shift      ///< By the last operand, which may be 0.
  };
  struct Entry {
    FlagUse Use;
    FormKind Form = Fixed;
    uint8_t CountMask = 0;
  };
  std::vector<Entry> Entries; ///< By opcode.

  static Entry entryFor(llvm::StringRef Name, bool Reads, bool Changes);
  static FlagUse ofOperands(const Entry &E, const llvm::MCInst &Inst);
};

/// "CF, ZF".
std::string flagNames(uint8_t Flags);

} // namespace graupel

#endif // GRAUPEL_VERIFY_FLAGTABLE_H

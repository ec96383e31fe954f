//===- Protect/CutTables.cpp - Switches that BOLT sees a part of ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To BOLT 22 a jump table ends at the first entry that leads to code of which
// it does not know that it belongs to the function. The table is written anew
// that short, and a jump through a later entry goes anywhere. So behind the end
// of each table:
//
// 1. As long as there are relocations without a gap, no other table that BOLT
//    knows, and no symbol, these may be more entries; of distances, also as
//    long as code does not refer to them.
// 2. If one of them leads into the middle of the table's function, counted as
//    its entries are, the table is longer than BOLT knows.
// 3. So it is if one leads to where another function begins (a tail call), or
//    to an instruction of code without a name: that may be the function's cold
//    part, where the names of local symbols were stripped from the objects.
// 4. So it is if one leads to another instruction of another function (a shared
//    end, by hand), in front of what code refers to: the next table.
//
// A table of another jump of the same function that BOLT does not understand
// may be taken for more entries. Such a function is not optimized anyway.
//
//===----------------------------------------------------------------------===//

#include "KnownPlaces.h"
#include "Protected.h"
#include "Support/Nameless.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::set<const BinaryFunction *> WithCutTable;

/// Something that a compiler or the assembler has named begins at \p Address.
static bool hasName(BinaryContext &BC, uint64_t Address) {
  const BinaryData *Data = BC.getBinaryDataAtAddress(Address);
  return Data && any_of(Data->getSymbols(), [&](const MCSymbol *Symbol) {
           return !BC.isInternalSymbolName(Symbol->getName());
         });
}

/// The target of the entry of \p Table at \p Address, if there is one.
static std::optional<uint64_t> targetAt(BinaryContext &BC,
                                        const JumpTable &Table,
                                        uint64_t Address,
                                        ArrayRef<uint64_t> Relative) {
  if (BC.getJumpTableContainingAddress(Address) || hasName(BC, Address))
    return std::nullopt;
  if (Table.Type != JumpTable::JTT_PIC) {
    ErrorOr<uint64_t> Target = BC.getPointerAtAddress(Address);
    return BC.getRelocationAt(Address) && Target ? std::optional(*Target)
                                                 : std::nullopt;
  }
  ErrorOr<int64_t> Distance = BC.getSignedValueAtAddress(Address, 4);
  return binary_search(Relative, Address) && Distance
             ? std::optional(Table.getAddress() + *Distance)
             : std::nullopt;
}

// Steps 3 and 4.
static bool leadsElsewhere(BinaryContext &BC, uint64_t Target, bool IsInTable) {
  const BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Target);
  if (!BF || Target == BF->getAddress())
    return BF;
  const bool MayBePart = IsInTable || BF->isFragment() || isNameless(*BF);
  // With -lite it may not have been read.
  return MayBePart && (BF->getState() != BinaryFunction::State::Disassembled ||
                       BF->getInstructionAtOffset(Target - BF->getAddress()));
}

static bool isCut(BinaryContext &BC, const JumpTable &Table,
                  const BinaryFunction &BF, ArrayRef<uint64_t> Relative) {
  uint64_t Address = Table.getAddress() + Table.getSize();
  const std::vector<uint64_t> &References = knownPlaces().DataReferences;
  const auto Next = llvm::lower_bound(References, Address);
  const uint64_t NextTable = Next == References.end() ? Address : *Next;
  // An operand may count from below a table of addresses.
  const uint64_t End =
      Table.Type == JumpTable::JTT_PIC && Next != References.end() ? NextTable
                                                                   : UINT64_MAX;
  for (; Address < End; Address += Table.EntrySize) {
    const std::optional<uint64_t> Target =
        targetAt(BC, Table, Address, Relative);
    if (!Target)
      return false;
    if ((*Target > BF.getAddress() &&
         *Target < BF.getAddress() + BF.getSize()) ||
        leadsElsewhere(BC, *Target, Address < NextTable))
      return true;
  }
  return false;
}

void TableEntries::noteCut(BinaryContext &BC) const {
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    for (const auto &[At, Table] : BF.jumpTables())
      if (isCut(BC, *Table, BF, Entries))
        WithCutTable.insert(&BF);
}

bool graupel::hasCutTable(const BinaryFunction &BF) {
  return WithCutTable.count(&BF);
}

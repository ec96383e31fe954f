//===- Exceptions/Personality.cpp - Readers of exception tables -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Personality.h"
#include "bolt/Core/Relocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// The name of what is at \p Address; empty if nothing with a name is there.
static StringRef nameAt(const BinaryContext &BC, uint64_t Address) {
  const BinaryData *Data = BC.getBinaryDataAtAddress(Address);
  return Data && Data->getAddress() == Address ? Data->getName() : StringRef();
}

/// The name of what the word at \p Address points to at run time.
static StringRef nameOfTarget(const BinaryContext &BC, uint64_t Address) {
  if (const Relocation *Dynamic = BC.getDynamicRelocationAt(Address)) {
    if (Dynamic->Symbol && !Dynamic->Addend)
      return Dynamic->Symbol->getName();
    return nameAt(BC, Dynamic->Addend);
  }
  const ErrorOr<uint64_t> Target = BC.getPointerAtAddress(Address);
  return Target ? nameAt(BC, *Target) : StringRef();
}

StringRef graupel::personalityName(const BinaryFunction &BF) {
  const MCSymbol *Symbol = BF.getPersonalityFunction();
  if (!Symbol)
    return {};
  const BinaryContext &BC = BF.getBinaryContext();
  StringRef Name = Symbol->getName();
  // The compilers' name for the word with the address.
  if (Name.consume_front("DW.ref."))
    return Name.take_until([](char C) { return C == '/' || C == '@'; });
  if (BF.getPersonalityEncoding() & dwarf::DW_EH_PE_indirect)
    if (const BinaryData *Word = BC.getBinaryDataByName(Name))
      Name = nameOfTarget(BC, Word->getAddress());
  // The name may be that of a copy of one file, or bound to a version of a
  // library, or that of a PLT entry, which mold calls NAME$plt.
  return Name.take_until(
      [](char C) { return C == '/' || C == '@' || C == '$'; });
}

bool graupel::readsEveryEncoding(const BinaryFunction &BF) {
  static constexpr StringLiteral Known[] = {
      "__gxx_personality_v0",  "rust_eh_personality",
      "__gnat_personality_v0", "__gccgo_personality_v0",
      "__gdc_personality_v0",  "__gnu_objc_personality_v0",
  };
  return is_contained(Known, personalityName(BF));
}

bool graupel::comparesTables(const BinaryFunction &BF) {
  return personalityName(BF) == "__gdc_personality_v0";
}

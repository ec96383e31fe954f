//===- Driver/StubAddresses.cpp - Addresses of indirect functions ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbol of an indirect function (STT_GNU_IFUNC) is where its resolver is.
// Where a static program takes the function's address, the linker writes that
// of a stub of the PLT, but the relocation still names the symbol. BOLT 22
// believes the relocation and hands out the resolver: glibc's setenv, which
// passes strcmp() to tsearch(), then compares names by calling the resolver.
//
// 1. A relocation that is no call, and whose place holds an address in a PLT,
//    is forgotten. The PLT does not move, so the place stays as it is.
// 2. In code BOLT then goes by the address, in data it leaves the bytes alone.
//
//===----------------------------------------------------------------------===//

#include "StubAddresses.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "llvm/BinaryFormat/ELF.h"
#include <utility>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Whether the place of \p R at \p Address holds the address of a stub.
static bool holdsStub(const BinaryContext &BC, const Relocation &R,
                      uint64_t Address) {
  uint64_t Target = 0;
  switch (R.Type) {
  case ELF::R_X86_64_PC32: {
    ErrorOr<int64_t> Value = BC.getSignedValueAtAddress(Address, 4);
    Target = Value ? Address + *Value - R.Addend : 0;
    break;
  }
  case ELF::R_X86_64_32:
  case ELF::R_X86_64_32S:
  case ELF::R_X86_64_64: {
    ErrorOr<uint64_t> Value = BC.getUnsignedValueAtAddress(
        Address, R.Type == ELF::R_X86_64_64 ? 8 : 4);
    Target = Value ? *Value - R.Addend : 0;
    break;
  }
  default:
    return false;
  }
  ErrorOr<const BinarySection &> Home = BC.getSectionForAddress(Target);
  return Home && Home->getName().starts_with(".plt");
}

static void keepInData(BinaryContext &BC) {
  for (BinarySection &Section : BC.allocatableSections()) {
    if (Section.isText())
      continue;
    std::vector<uint64_t> Kept;
    for (const Relocation &R : Section.relocations())
      if (holdsStub(BC, R, Section.getAddress() + R.Offset))
        Kept.push_back(R.Offset);
    for (uint64_t Offset : Kept)
      Section.removeRelocationAt(Offset);
  }
}

void graupel::keepStubAddresses(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  if (!isOurs(BC))
    return;
  static bool Done;
  if (!std::exchange(Done, true))
    keepInData(BC);
  auto &Relocations = BF.*member(internals::RelocationsTag());
  for (auto It = Relocations.begin(); It != Relocations.end();)
    It = holdsStub(BC, It->second, BF.getAddress() + It->first)
             ? Relocations.erase(It)
             : std::next(It);
}

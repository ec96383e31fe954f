//===- Driver/FunctionNames.cpp - Names of stubs and nameless code --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. BOLT names a stub after its function, NAME@PLT, and the stub's slot
//    NAME@GOT. A stub of an indirect function without a dynamic symbol gets the
//    name of the resolver. Indirect functions that share a resolver have one
//    address, so the stub of a hidden one is named like that of an exported
//    one. BOLT then takes both for the same symbol, and calls through one slot
//    what another is for. A name that another stub or slot has gets the address
//    added.
// 2. Code before all symbols of its section gets a function, SECTION+0, before
//    BOLT makes its first one (Protect/UnlabeledCode.h).
//
//===----------------------------------------------------------------------===//

#include "Protect/UnlabeledCode.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/BinaryContext.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// \p Name, which is to be that of a stub or slot at \p Address.
static std::string uniqueName(const BinaryContext &BC, StringRef Name,
                              uint64_t Address) {
  const BinaryData *Other = BC.getBinaryDataByName(Name);
  return !Other || Other->getAddress() == Address
             ? Name.str()
             : Name.str() + "." + utohexstr(Address, /*LowerCase=*/true);
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// BinaryContext::createBinaryFunction()
BinaryFunction *
__real__ZN4llvm4bolt13BinaryContext20createBinaryFunctionERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERNS0_13BinarySectionEmmmt(
    BinaryContext *BC, const std::string &Name, BinarySection &Section,
    uint64_t Address, uint64_t Size, uint64_t SymbolSize, uint16_t Alignment);

static void nameUnlabeledCode(BinaryContext &BC) {
  for (const auto &[Begin, End] : unlabeledCode())
    if (ErrorOr<BinarySection &> Section = BC.getSectionForAddress(Begin))
      __real__ZN4llvm4bolt13BinaryContext20createBinaryFunctionERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERNS0_13BinarySectionEmmmt(
          &BC, Section->getName().str() + "+0", *Section, Begin, End - Begin,
          /*SymbolSize=*/End - Begin, /*Alignment=*/0);
}

BinaryFunction *
__wrap__ZN4llvm4bolt13BinaryContext20createBinaryFunctionERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERNS0_13BinarySectionEmmmt(
    BinaryContext *BC, const std::string &Name, BinarySection &Section,
    uint64_t Address, uint64_t Size, uint64_t SymbolSize, uint16_t Alignment) {
  const bool IsOurs = isOurs(*BC);
  if (IsOurs && BC->getBinaryFunctions().empty())
    nameUnlabeledCode(*BC);
  return __real__ZN4llvm4bolt13BinaryContext20createBinaryFunctionERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERNS0_13BinarySectionEmmmt(
      BC,
      IsOurs && StringRef(Name).ends_with("@PLT")
          ? uniqueName(*BC, Name, Address)
          : Name,
      Section, Address, Size, SymbolSize, Alignment);
}

// BinaryContext::registerNameAtAddress()
MCSymbol *
__real__ZN4llvm4bolt13BinaryContext21registerNameAtAddressENS_9StringRefEmmtj(
    BinaryContext *BC, StringRef Name, uint64_t Address, uint64_t Size,
    uint16_t Alignment, unsigned Flags);
MCSymbol *
__wrap__ZN4llvm4bolt13BinaryContext21registerNameAtAddressENS_9StringRefEmmtj(
    BinaryContext *BC, StringRef Name, uint64_t Address, uint64_t Size,
    uint16_t Alignment, unsigned Flags) {
  const std::string Own = isOurs(*BC) && Name.ends_with("@GOT")
                              ? uniqueName(*BC, Name, Address)
                              : std::string(Name);
  return __real__ZN4llvm4bolt13BinaryContext21registerNameAtAddressENS_9StringRefEmmtj(
      BC, Own, Address, Size, Alignment, Flags);
}
}

//===- Support/Exported.cpp - Functions that loaders look up --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exported.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/Object/ELFTypes.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

void graupel::markExported(BinaryContext &BC) {
  ErrorOr<BinarySection &> Table = BC.getUniqueSectionByName(".dynsym");
  if (!Table)
    return;
  using Symbol = object::ELF64LE::Sym;
  const StringRef Bytes = Table->getContents();
  for (const Symbol &S :
       ArrayRef(reinterpret_cast<const Symbol *>(Bytes.data()),
                Bytes.size() / sizeof(Symbol)))
    if (S.st_shndx != ELF::SHN_UNDEF)
      if (BinaryFunction *BF = BC.getBinaryFunctionAtAddress(S.st_value))
        BF->setHasAddressTaken(true);
}

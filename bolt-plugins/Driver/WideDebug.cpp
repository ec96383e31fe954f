//===- Driver/WideDebug.cpp - 64-bit DWARF --------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideDebug.h"
#include "Elf/ElfView.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"

using namespace llvm;
using namespace graupel;

Error graupel::checkDebugFormat(StringRef File) {
  Expected<ElfView> View = ElfView::open(File);
  if (!View) {
    consumeError(View.takeError());
    return Error::success();
  }
  const ElfView::Section *Info = View->find(".debug_info");
  if (!Info)
    return Error::success();
  const DataExtractor Data(View->content(*Info), /*IsLittleEndian=*/true,
                           /*AddressSize=*/8);
  // BOLT reports all other defects of units.
  for (uint64_t At = 0;
       Data.isValidOffsetForDataOfSize(At, sizeof(uint32_t));) {
    const uint32_t Length = Data.getU32(&At);
    if (Length == dwarf::DW_LENGTH_DWARF64)
      return badFile(View->describe(*Info) +
                         " has 64-bit DWARF, which cannot be updated",
                     "leave out -update-debug-sections, or compile with "
                     "-gdwarf32");
    At += Length;
  }
  return Error::success();
}

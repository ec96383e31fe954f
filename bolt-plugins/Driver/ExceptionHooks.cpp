//===- Driver/ExceptionHooks.cpp - Where BOLT handles exceptions ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts Exceptions/ in the place of what BOLT does with exception tables: their
// reading, which follows that of the unwind records, and the making of call
// sites from final code. The emission is in Driver/ColdOrder.
//
//===----------------------------------------------------------------------===//

#include "BoltOptions.h"
#include "Exceptions/Exceptions.h"
#include "bolt/Core/Exceptions.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static bool isOurs(const BinaryFunction &BF) {
  static const bool Stock = boltFlag("stock-pipeline");
  return !Stock && BF.getBinaryContext().isX86();
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// CFIReaderWriter::fillCFIInfoFor(BinaryFunction &) const
bool __real__ZNK4llvm4bolt15CFIReaderWriter14fillCFIInfoForERNS0_14BinaryFunctionE(
    const CFIReaderWriter *Reader, BinaryFunction &BF);
bool __wrap__ZNK4llvm4bolt15CFIReaderWriter14fillCFIInfoForERNS0_14BinaryFunctionE(
    const CFIReaderWriter *Reader, BinaryFunction &BF) {
  if (!__real__ZNK4llvm4bolt15CFIReaderWriter14fillCFIInfoForERNS0_14BinaryFunctionE(
          Reader, BF))
    return false;
  if (isOurs(BF)) {
    joinUnwindRecords(BF, *Reader);
    readCallSites(BF);
  }
  return true;
}

// BinaryFunction::parseLSDA(ArrayRef<uint8_t>, uint64_t)
Error __real__ZN4llvm4bolt14BinaryFunction9parseLSDAENS_8ArrayRefIhEEm(
    BinaryFunction *BF, ArrayRef<uint8_t> Section, uint64_t Address);
Error __wrap__ZN4llvm4bolt14BinaryFunction9parseLSDAENS_8ArrayRefIhEEm(
    BinaryFunction *BF, ArrayRef<uint8_t> Section, uint64_t Address) {
  if (isOurs(*BF))
    return Error::success(); // It has been read.
  return __real__ZN4llvm4bolt14BinaryFunction9parseLSDAENS_8ArrayRefIhEEm(
      BF, Section, Address);
}

// BinaryFunction::updateEHRanges()
void __real__ZN4llvm4bolt14BinaryFunction14updateEHRangesEv(BinaryFunction *BF);
void __wrap__ZN4llvm4bolt14BinaryFunction14updateEHRangesEv(
    BinaryFunction *BF) {
  __real__ZN4llvm4bolt14BinaryFunction14updateEHRangesEv(BF);
  if (isOurs(*BF))
    planExceptionTables(*BF);
}
}

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

#include "Exceptions/Exceptions.h"
#include "Protect/Protected.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/Exceptions.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// While BOLT reads the unwind rules of a function, it seems to have one more
/// instruction. BOLT puts rules that begin at a function's end before its last
/// instruction, where they are wrong if that is a call. With this they stay
/// behind it.
class RoomAtEnd {
public:
  explicit RoomAtEnd(BinaryFunction &BF)
      : BF(BF), Instructions(BF.*member(internals::InstructionsTag())),
        Size(BF.getSize()) {
    Wanted = !Instructions.empty() && Instructions.rbegin()->first < Size;
    if (!Wanted)
      return;
    Instructions.emplace(Size, MCInst());
    BF.setSize(Size + 1);
  }
  ~RoomAtEnd() {
    if (!Wanted)
      return;
    Instructions.erase(Size);
    BF.setSize(Size);
  }

private:
  BinaryFunction &BF;
  std::map<uint32_t, MCInst> &Instructions;
  const uint64_t Size;
  bool Wanted;
};

} // namespace

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// CFIReaderWriter::fillCFIInfoFor(BinaryFunction &) const
bool __real__ZNK4llvm4bolt15CFIReaderWriter14fillCFIInfoForERNS0_14BinaryFunctionE(
    const CFIReaderWriter *Reader, BinaryFunction &BF);
bool __wrap__ZNK4llvm4bolt15CFIReaderWriter14fillCFIInfoForERNS0_14BinaryFunctionE(
    const CFIReaderWriter *Reader, BinaryFunction &BF) {
  std::optional<RoomAtEnd> Room;
  if (isOurs(BF.getBinaryContext())) {
    // It will stay as it is; BOLT would refuse the file.
    if (!checkUnwindRecord(BF, *Reader))
      return true;
    Room.emplace(BF);
  }
  const bool Filled =
      __real__ZNK4llvm4bolt15CFIReaderWriter14fillCFIInfoForERNS0_14BinaryFunctionE(
          Reader, BF);
  Room.reset();
  if (!Filled)
    return false;
  if (isOurs(BF.getBinaryContext())) {
    dropEmptyPointers(BF, *Reader);
    joinUnwindRecords(BF, *Reader);
    completeFrameRules(BF);
    noteFrameAtEnd(BF, *Reader);
    readCallSites(BF);
  }
  return true;
}

// EHFrameParser::parse(DWARFDataExtractor, uint64_t, PatcherCallbackTy)
using Patcher = EHFrameParser::PatcherCallbackTy;
Error __real__ZN4llvm4bolt13EHFrameParser5parseENS_18DWARFDataExtractorEmSt8functionIFvmmmEE(
    DWARFDataExtractor Data, uint64_t Address, Patcher Patch);
Error __wrap__ZN4llvm4bolt13EHFrameParser5parseENS_18DWARFDataExtractorEmSt8functionIFvmmmEE(
    DWARFDataExtractor Data, uint64_t Address, Patcher Patch) {
  return __real__ZN4llvm4bolt13EHFrameParser5parseENS_18DWARFDataExtractorEmSt8functionIFvmmmEE(
      Data, Address, patchPointersOnly(Data, std::move(Patch)));
}

// BinaryFunction::parseLSDA(ArrayRef<uint8_t>, uint64_t)
Error __real__ZN4llvm4bolt14BinaryFunction9parseLSDAENS_8ArrayRefIhEEm(
    BinaryFunction *BF, ArrayRef<uint8_t> Section, uint64_t Address);
Error __wrap__ZN4llvm4bolt14BinaryFunction9parseLSDAENS_8ArrayRefIhEEm(
    BinaryFunction *BF, ArrayRef<uint8_t> Section, uint64_t Address) {
  if (isOurs(BF->getBinaryContext()))
    return Error::success(); // It has been read.
  return __real__ZN4llvm4bolt14BinaryFunction9parseLSDAENS_8ArrayRefIhEEm(
      BF, Section, Address);
}

// BinaryFunction::updateEHRanges()
void __real__ZN4llvm4bolt14BinaryFunction14updateEHRangesEv(BinaryFunction *BF);
void __wrap__ZN4llvm4bolt14BinaryFunction14updateEHRangesEv(
    BinaryFunction *BF) {
  __real__ZN4llvm4bolt14BinaryFunction14updateEHRangesEv(BF);
  if (isOurs(BF->getBinaryContext()))
    planExceptionTables(*BF);
}
}

//===- Driver/VerifyOption.cpp - -verify ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyOption.h"
#include "Verify/OutputCheck.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace graupel;

static Expected<std::unique_ptr<MemoryBuffer>> read(const std::string &Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError("cannot be read again: " +
                             Buffer.getError().message() + "; was it removed?");
  return std::move(*Buffer);
}

Expected<std::string> graupel::verifyFiles(const std::string &Input,
                                           const std::string &Output) {
  Expected<std::unique_ptr<MemoryBuffer>> InputBytes = read(Input);
  if (!InputBytes)
    return InputBytes.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> OutputBytes = read(Output);
  if (!OutputBytes)
    return OutputBytes.takeError();
  Expected<ElfView> Before = ElfView::open((*InputBytes)->getBuffer());
  if (!Before)
    return Before.takeError();
  Expected<ElfView> After = ElfView::open((*OutputBytes)->getBuffer());
  if (!After)
    return After.takeError();
  Expected<Verified> Count = verifyOutput(*Before, *After);
  if (!Count)
    return Count.takeError();
  std::string Line;
  raw_string_ostream(Line) << "verified: " << Count->Functions << " functions, "
                           << Count->Branches << " branches, " << Count->Symbols
                           << " symbols, " << Count->Relocations
                           << " pointers, " << Count->Frames
                           << " unwind records, " << Count->CallSites
                           << " call sites, " << Count->Instructions
                           << " instructions as in the input";
  if (Count->Recordings)
    Line += ", " + std::to_string(Count->Recordings) +
            " times beside recording code that changes nothing they need";
  if (Count->Different)
    Line += "; " + std::to_string(Count->Different) +
            (Count->Different == 1 ? " function was" : " functions were") +
            " changed, of which less is known";
  return Line;
}

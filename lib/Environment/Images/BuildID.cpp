//===- Images/BuildID.cpp - Build-ids of new images -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildID.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

static Error write(const std::string &Path, ArrayRef<uint8_t> Bytes,
                   uint64_t Offset) {
  const int File = open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool Done = File >= 0 && pwrite(File, Bytes.data(), Bytes.size(),
                                        off_t(Offset)) == ssize_t(Bytes.size());
  const int Code = errno;
  if (File >= 0)
    close(File);
  if (Done)
    return Error::success();
  return createStringError(Path + ": cannot be written: " + strerror(Code) +
                           "; check the disk");
}

Expected<std::string>
graupel::environment::giveOwnBuildID(const std::string &Path) {
  // Not mapped: a page of a full or changing disk would end this process.
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/true,
                                      /*IsVolatile=*/true);
  if (!Buffer)
    return createStringError(Path + ": cannot be read: " +
                             Buffer.getError().message() + "; check the disk");
  auto Object =
      object::ObjectFile::createELFObjectFile((*Buffer)->getMemBufferRef());
  if (!Object)
    return Object.takeError();
  const object::BuildIDRef Old = object::getBuildID(Object->get());
  if (Old.empty())
    return std::string();
  const StringRef Bytes = (*Buffer)->getBuffer();
  const auto Hash = SHA256::hash(arrayRefFromStringRef(Bytes));
  const ArrayRef<uint8_t> New = ArrayRef(Hash).take_front(Old.size());
  const uint64_t Offset = uint64_t(Old.data() - Bytes.bytes_begin());
  if (Error E = write(Path, New, Offset))
    return E;
  return toHex(New, /*LowerCase=*/true);
}

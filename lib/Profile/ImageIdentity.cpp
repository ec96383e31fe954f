//===- Profile/ImageIdentity.cpp - Which file a profile is of -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImageIdentity.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace graupel;

SmallVector<uint8_t, 32>
graupel::imageIdentity(const object::ELFObjectFileBase &Image) {
  const object::BuildIDRef BuildID = object::getBuildID(&Image);
  if (!BuildID.empty()) {
    const ArrayRef<uint8_t> Kept = BuildID.take_front(32);
    return {Kept.begin(), Kept.end()};
  }
  uint64_t Hash = 0;
  for (const object::SectionRef &Section : Image.sections()) {
    Expected<StringRef> Contents = Section.getContents();
    if (!Section.isText() || !Contents) {
      if (!Contents)
        consumeError(Contents.takeError());
      continue;
    }
    Hash = Hash * 31 +
           xxh3_64bits(ArrayRef(Contents->bytes_begin(), Contents->size()));
  }
  SmallVector<uint8_t, 32> Identity(sizeof(Hash));
  support::endian::write64le(Identity.data(), Hash);
  return Identity;
}

//===- unit/ProfileReseal.cpp - Makes a damaged profile look right --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// profile-reseal < DAMAGED > RESEALED: computes all checksums of a profile
// anew, so that damage gets past them to the code behind. Used by test/fuzz.
//
//===----------------------------------------------------------------------===//

#include "graupel/profile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstddef>
#include <cstring>

using namespace llvm;

namespace {

uint64_t hash(StringRef Bytes) {
  return xxh3_64bits(ArrayRef(Bytes.bytes_begin(), Bytes.size()));
}

} // namespace

int main() {
  auto Buffer = MemoryBuffer::getSTDIN();
  if (!Buffer)
    return 1;
  std::string Bytes = (*Buffer)->getBuffer().str();
  graupel_profile_header Header;
  if (Bytes.size() >= GRAUPEL_PROFILE_PAGE) {
    std::memcpy(&Header, Bytes.data(), sizeof(Header));
    const StringRef Rest = StringRef(Bytes).drop_front(GRAUPEL_PROFILE_PAGE);
    const std::string BuildID(reinterpret_cast<const char *>(Header.build_id),
                              sizeof(Header.build_id));
    Header.plan = hash(BuildID + Rest.take_front(Header.metadata_size).str());
    if (Header.flags & GRAUPEL_PROFILE_SEALED)
      Header.slots_checksum = hash(StringRef(Bytes).substr(
          std::min<uint64_t>(Header.slots_offset, Bytes.size())));
    Header.checksum =
        hash(StringRef(reinterpret_cast<const char *>(&Header),
                       offsetof(graupel_profile_header, checksum)));
    std::memcpy(Bytes.data(), &Header, sizeof(Header));
  }
  outs() << Bytes;
}

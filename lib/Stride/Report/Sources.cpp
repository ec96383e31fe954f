//===- Stride/Report/Sources.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sources.h"
#include "Environment/Output/GivenFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace graupel::stride {

/// Bytes of a source; larger ones count as missing.
static constexpr uint64_t Most = 1 << 26;

const std::vector<std::string> *Sources::find(const std::string &File) {
  auto [It, New] = Files.try_emplace(File);
  std::string All;
  if (New && !output::readGiven(File, Most, All)) {
    llvm::SmallVector<llvm::StringRef, 0> Split;
    llvm::StringRef(All).split(Split, '\n');
    It->second = std::make_unique<std::vector<std::string>>();
    for (llvm::StringRef Line : Split)
      It->second->push_back(Line.rtrim().str());
  }
  return It->second.get();
}

std::string Sources::line(const std::string &File, uint32_t Number) {
  const std::vector<std::string> *Lines = find(File);
  return Lines && Number && Number <= Lines->size() ? (*Lines)[Number - 1] : "";
}

std::vector<uint32_t> withContext(const std::vector<uint32_t> &Interesting,
                                  uint32_t Around, size_t Last) {
  std::vector<uint32_t> Result;
  for (uint32_t Each : Interesting) {
    uint32_t From = Each > Around ? Each - Around : 1;
    if (!Result.empty())
      From = std::max(From, Result.back() + 1);
    for (uint32_t N = From; N <= Each + Around && N <= Last; ++N)
      Result.push_back(N);
  }
  return Result;
}

} // namespace graupel::stride

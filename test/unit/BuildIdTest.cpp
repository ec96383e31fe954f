//===- unit/BuildIdTest.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/BuildId.h"
#include "gtest/gtest.h"
#include <vector>

using graupel::BuildId;
using graupel::findBuildId;

namespace {

/// Notes in memory of exactly their size, so that sanitizers see what is read
/// behind them.
class Notes {
public:
  explicit Notes(size_t Alignment) : Alignment(Alignment) {}

  void add(uint32_t Type, const std::string &Name, const std::string &Value) {
    addHeader(Name.size(), Value.size(), Type);
    addPart(Name);
    addPart(Value);
  }
  void addHeader(uint32_t Name, uint32_t Value, uint32_t Type) {
    const uint32_t Words[] = {Name, Value, Type};
    auto *Begin = reinterpret_cast<const unsigned char *>(Words);
    Bytes.insert(Bytes.end(), Begin, Begin + sizeof(Words));
  }
  void addPart(const std::string &Part) {
    Bytes.insert(Bytes.end(), Part.begin(), Part.end());
    while (Bytes.size() % Alignment)
      Bytes.push_back(0);
  }
  std::string found(size_t Size = ~size_t(0)) const {
    std::vector<unsigned char> Exact(
        Bytes.begin(), Bytes.begin() + std::min(Size, Bytes.size()));
    return findBuildId(Exact.data(), Exact.size(), Alignment).hexadecimal();
  }

  std::vector<unsigned char> Bytes;
  size_t Alignment;
};

const std::string Name("GNU\0", 4);

TEST(BuildId, IsFoundBehindOtherNotes) {
  for (size_t Alignment : {4, 8}) {
    Notes N(Alignment);
    N.add(NT_GNU_PROPERTY_TYPE_0, Name, "12345");
    N.add(NT_GNU_BUILD_ID, std::string("Go\0\0", 4), "no");
    N.add(NT_GNU_BUILD_ID, Name, "\x01\xab\xff");
    EXPECT_EQ(N.found(), "01abff");
  }
}

TEST(BuildId, OfAnySize) {
  for (size_t Size : {1, 8, 20, 32, 64, 1000}) {
    Notes N(4);
    N.add(NT_GNU_BUILD_ID, Name, std::string(Size, '\x11'));
    std::string Wanted;
    for (size_t I = 0; I != 2 * Size; ++I)
      Wanted += '1';
    EXPECT_EQ(N.found(), Wanted);
  }
}

TEST(BuildId, NothingBehindTheNotesIsRead) {
  Notes N(4);
  N.add(NT_GNU_BUILD_ID, Name, "12345678");
  for (size_t Size = 0; Size < N.Bytes.size(); ++Size)
    EXPECT_EQ(N.found(Size), "") << Size;
}

TEST(BuildId, SizesThatDoNotFit) {
  for (uint32_t Size : {5u, 0x7fffffffu, 0xfffffff0u, 0xffffffffu}) {
    Notes Long(4);
    Long.addHeader(4, Size, NT_GNU_BUILD_ID);
    Long.addPart(Name);
    Long.addPart("1234");
    EXPECT_EQ(Long.found(), "");
    Notes Names(4);
    Names.addHeader(Size, 4, NT_GNU_BUILD_ID);
    Names.addPart(Name);
    EXPECT_EQ(Names.found(), "");
  }
}

TEST(BuildId, OfThisProgram) {
  auto Look = [](dl_phdr_info *Info, size_t, void *Found) {
    *static_cast<BuildId *>(Found) = findBuildId(*Info);
    return 1;
  };
  BuildId Found;
  dl_iterate_phdr(Look, &Found);
  EXPECT_EQ(Found.hexadecimal().size(), 2 * Found.Bytes);
}

} // namespace

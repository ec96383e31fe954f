//===- PLTStubTest.cpp - What a stub of the PLT does ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/PLTStub.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <map>
#include <string>

using namespace llvm;
using namespace graupel;

namespace {

/// Sections at addresses.
class Image {
public:
  /// Puts \p Code, in which {n} stands for the distance from behind it to the
  /// address \p Targets[n], at \p Address.
  void put(uint64_t Address, std::initializer_list<int> Code,
           std::initializer_list<uint64_t> Targets = {}) {
    std::string Bytes;
    auto Target = Targets.begin();
    for (int Byte : Code)
      if (Byte == Distance) {
        char Four[4];
        support::endian::write32le(Four, *Target++ - (Address + Bytes.size() + 4));
        Bytes.append(Four, 4);
      } else {
        Bytes.push_back(static_cast<char>(Byte));
      }
    Sections[Address] = Bytes;
  }
  void putPointer(uint64_t Address, uint64_t Value) {
    char Eight[8];
    support::endian::write64le(Eight, Value);
    Sections[Address] = std::string(Eight, 8);
  }
  bool isTransparent(uint64_t Stub, uint64_t Slot) const {
    return isTransparentStub(Stub, Slot, [this](uint64_t Address) -> StringRef {
      auto It = Sections.upper_bound(Address);
      if (It == Sections.begin())
        return {};
      --It;
      const uint64_t Offset = Address - It->first;
      return Offset < It->second.size() ? StringRef(It->second).drop_front(Offset)
                                        : StringRef();
    });
  }
  static constexpr int Distance = -1;

private:
  std::map<uint64_t, std::string> Sections;
};

constexpr int D = Image::Distance;
constexpr uint64_t PLT = 0x1020, Stub = 0x1030, Sec = 0x2000, Slot = 0x4018,
                   Link = 0x4008, Resolver = 0x4010;

/// The first entry as linkers agree on it.
void putFirstEntry(Image &I) {
  I.put(PLT, {0xff, 0x35, D, 0xff, 0x25, D, 0x0f, 0x1f, 0x40, 0}, {Link, Resolver});
}

TEST(PLTStub, LazyStubsThatPushTheirNumber) {
  Image I;
  putFirstEntry(I);
  I.put(Stub, {0xff, 0x25, D, 0x68, 3, 0, 0, 0, 0xe9, D}, {Slot, PLT});
  I.putPointer(Slot, Stub + 6);
  EXPECT_TRUE(I.isTransparent(Stub, Slot));
  EXPECT_FALSE(I.isTransparent(Stub, Slot + 8));
}

TEST(PLTStub, BranchTargetsAndPrefixes) {
  Image I;
  I.put(PLT, {0xff, 0x35, D, 0xf2, 0xff, 0x25, D}, {Link, Resolver});
  I.put(Stub, {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xf2, 0xe9, D}, {PLT});
  I.put(Sec, {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, D}, {Slot});
  I.putPointer(Slot, Stub);
  EXPECT_TRUE(I.isTransparent(Sec, Slot));
}

TEST(PLTStub, EmptySlotsAreFilledBefore) {
  Image I;
  I.put(Sec, {0xff, 0x25, D, 0x66, 0x90}, {Slot});
  I.putPointer(Slot, 0);
  EXPECT_TRUE(I.isTransparent(Sec, Slot));
}

TEST(PLTStub, NumbersInRegisters) {
  // mold: mov $number, %r11d; jmp *slot, and a slot that leads to the first
  // entry, which pushes %r11.
  Image I;
  I.put(PLT, {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x53, 0xff, 0x35, D, 0xff, 0x25, D},
        {Link, Resolver});
  I.put(Stub, {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 3, 0, 0, 0, 0xff, 0x25, D}, {Slot});
  I.putPointer(Slot, PLT);
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
  // Nor if the stub were a jump alone.
  I.put(Sec, {0xff, 0x25, D}, {Slot});
  EXPECT_FALSE(I.isTransparent(Sec, Slot));
}

TEST(PLTStub, Retpolines) {
  // lld -z retpolineplt: mov slot, %r11; call over; ...
  Image I;
  I.put(Stub, {0x4c, 0x8b, 0x1d, D, 0xe8, D, 0xe9, D}, {Slot, PLT + 0x20, PLT + 0x12});
  I.putPointer(Slot, Stub + 17);
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
}

TEST(PLTStub, FirstEntriesThatAreNotKnown) {
  Image I;
  I.put(PLT, {0x41, 0x53, 0xff, 0x25, D}, {Resolver});
  I.put(Stub, {0xff, 0x25, D, 0x68, 3, 0, 0, 0, 0xe9, D}, {Slot, PLT});
  I.putPointer(Slot, Stub + 6);
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
}

TEST(PLTStub, WhatIsCutOff) {
  Image I;
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
  I.put(Stub, {0xff, 0x25, 1, 2});
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
  I.put(Stub, {0xff, 0x25, D}, {Slot});
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
  I.putPointer(Slot, Stub + 6);
  EXPECT_FALSE(I.isTransparent(Stub, Slot));
}

} // namespace

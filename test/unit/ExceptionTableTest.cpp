//===- test/unit/ExceptionTableTest.cpp - Reading exception tables --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exceptions/ExceptionTable.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace graupel;

namespace {

constexpr uint64_t Section = 0x5000;
constexpr uint64_t Function = 0x1000;

using Bytes = std::vector<uint8_t>;

/// Types as signed words, counted from where they are; call sites as ULEB128.
/// One call with a chain of two actions, one without a landing pad.
const Bytes Usual = {
    0xff, 0x1b, 24,   1,    8, // Header; types end behind 24 bytes.
    4,    5,    0x20, 3,       // Call site with the second action.
    0x10, 2,    0,    0,       // And one with nothing.
    1,    0,    2,    0x7d,    // (type 1, end), (type 2, back by 3)
    0,    0,                   // Alignment.
    0,    0,    0,    0,       // Type 2: all.
    0xf0, 0x00, 0x00, 0x00};   // Type 1.

Expected<ExceptionTable> read(ArrayRef<uint8_t> Table) {
  return readExceptionTable(Table, Section, Section, Function);
}

bool isRefused(ArrayRef<uint8_t> Table) {
  Expected<ExceptionTable> Read = read(Table);
  if (Read)
    return false;
  consumeError(Read.takeError());
  return true;
}

TEST(ExceptionTable, ReadsCallSitesActionsAndTypes) {
  Expected<ExceptionTable> T = read(Usual);
  ASSERT_TRUE(bool(T));
  ASSERT_EQ(T->CallSites.size(), 2u);
  EXPECT_EQ(T->CallSites[0].Begin, 4u);
  EXPECT_EQ(T->CallSites[0].End, 9u);
  EXPECT_EQ(T->CallSites[0].LandingPad, Function + 0x20);
  EXPECT_EQ(T->CallSites[0].Action, 3u);
  EXPECT_EQ(T->CallSites[1].LandingPad, 0u);
  EXPECT_EQ(Bytes(T->Actions), (Bytes{1, 0, 2, 0x7d}));
  ASSERT_EQ(T->Types.size(), 2u);
  // At offset 23.
  EXPECT_EQ(T->Types[0], Section + 23 + 0xf0);
  EXPECT_EQ(T->Types[1], 0u);
  EXPECT_TRUE(T->Filters.empty());
  EXPECT_TRUE(T->CanTypesMove);
}

TEST(ExceptionTable, WithoutCallSites) {
  Expected<ExceptionTable> T = read({0xff, 0xff, 1, 0});
  ASSERT_TRUE(bool(T));
  EXPECT_TRUE(T->CallSites.empty());
  EXPECT_TRUE(T->Actions.empty());
  EXPECT_TRUE(T->Types.empty());
}

TEST(ExceptionTable, ABaseOfLandingPads) {
  // Relative to its own place, 0x5001.
  Expected<ExceptionTable> T =
      read({0x1b, 0xff, 0xff, 0, 0, 0xff, 1, 4, 0, 1, 7, 0});
  ASSERT_TRUE(bool(T));
  EXPECT_EQ(T->CallSites[0].LandingPad, 0x5001u + 0xffff + 7);
}

TEST(ExceptionTable, AnExceptionSpecification) {
  // One action of type -1: the list at the types' end, which names type 1.
  const Bytes Table = {0xff, 0x03, 12,   1,    4, 0, 1, 9, 1,
                       0x7f, 0,    0x21, 0x43, 0, 0, 1, 0};
  Expected<ExceptionTable> T = read(Table);
  ASSERT_TRUE(bool(T));
  EXPECT_EQ(Bytes(T->Filters), (Bytes{1, 0}));
  EXPECT_EQ(T->Types, (std::vector<uint64_t>{0x4321}));
}

TEST(ExceptionTable, WordsThatAreTooShortForAnotherPlace) {
  Bytes Table = Usual;
  Table[1] = 0x13; // Without a sign.
  Expected<ExceptionTable> T = read(Table);
  ASSERT_TRUE(bool(T));
  EXPECT_FALSE(T->CanTypesMove);
}

TEST(ExceptionTable, NoByteTooMany) {
  for (size_t Size = 0; Size < Usual.size(); ++Size)
    EXPECT_TRUE(isRefused(ArrayRef(Usual).take_front(Size))) << Size;
}

TEST(ExceptionTable, DamageIsRefused) {
  Bytes Cycle = Usual;
  Cycle[16] = 0x7f; // The second action is followed by itself.
  EXPECT_TRUE(isRefused(Cycle));
  Bytes Encoding = Usual;
  Encoding[3] = 0x3b; // Relative to data: nobody knows what.
  EXPECT_TRUE(isRefused(Encoding));
  Bytes Types = Usual;
  Types[2] = 10; // They would begin among the actions.
  EXPECT_TRUE(isRefused(Types));
  Bytes NoTypes = {0xff, 0xff, 1, 4, 0, 1, 9, 1, 1, 0};
  EXPECT_TRUE(isRefused(NoTypes));
}

/// Whatever the bytes are, nothing outside of them is read.
TEST(ExceptionTable, AnyByteMayBeWrong) {
  for (size_t At = 0; At < Usual.size(); ++At)
    for (unsigned Value = 0; Value < 256; ++Value) {
      Bytes Table = Usual;
      Table[At] = uint8_t(Value);
      isRefused(Table);
    }
}

} // namespace

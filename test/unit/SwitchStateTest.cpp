//===- SwitchStateTest.cpp - What is known of registers -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies/SwitchState.h"
#include "gtest/gtest.h"

using namespace graupel;

namespace {

enum { RAX, RCX, RDX };

SwitchState compared(unsigned Register, unsigned Width) {
  SwitchState S;
  S.number(/*Id=*/7, Register);
  S.Flags.IsValid = true;
  S.Flags.Width = Width;
  S.Flags.Register = Register;
  S.Flags.Id = S.Registers[Register].Id[Width];
  return S;
}

TEST(SwitchState, ABoundHoldsForAllWithTheSameValue) {
  SwitchState S = compared(RAX, Whole);
  S.Registers[RCX] = S.Registers[RAX];
  S.bound(9);
  EXPECT_EQ(S.Registers[RAX].Max[Whole], 9u);
  EXPECT_EQ(S.Registers[RCX].Max[0], 9u);
  EXPECT_EQ(S.Registers[RDX].Max[Whole], UINT64_MAX);
}

TEST(SwitchState, ABoundOfLowBitsSaysNothingOfTheOthers) {
  SwitchState S = compared(RAX, 0);
  S.bound(9);
  EXPECT_EQ(S.Registers[RAX].Max[0], 9u);
  EXPECT_EQ(S.Registers[RAX].Max[1], maskOf(1));
  const RegisterValue V = S.Registers[RAX].extended(0);
  EXPECT_EQ(V.Max[Whole], 9u);
}

TEST(SwitchState, ExtendedBitsAreTheSameOnlyIfTheOthersWere0) {
  SwitchState S = compared(RAX, 2);
  EXPECT_EQ(S.Registers[RAX].extended(2).Id[Whole], 0u);
  S.Registers[RAX].Max[Whole] = 100;
  EXPECT_EQ(S.Registers[RAX].extended(2).Id[Whole], 7u);
}

TEST(SwitchState, ANumberThatIsDefinedAgainIsNoOthers) {
  SwitchState S = compared(RAX, Whole);
  S.Registers[RCX] = S.Registers[RAX];
  S.Registers[RAX] = {};
  S.number(/*Id=*/7, RAX);
  EXPECT_EQ(S.Registers[RCX].Id[Whole], 0u);
  EXPECT_FALSE(S.Flags.IsValid);
  S.bound(3);
  EXPECT_EQ(S.Registers[RCX].Max[Whole], UINT64_MAX);
}

TEST(SwitchState, WhatIsMergedHoldsOnBothPaths) {
  SwitchState A = compared(RAX, Whole), B = compared(RAX, Whole);
  A.bound(3);
  B.bound(12);
  B.Registers[RCX].Max[Whole] = 5;
  const SwitchState M = A.mergedWith(B);
  EXPECT_EQ(M.Registers[RAX].Max[Whole], 12u);
  EXPECT_EQ(M.Registers[RAX].Id[Whole], 7u);
  EXPECT_EQ(M.Registers[RCX].Max[Whole], UINT64_MAX);
  EXPECT_TRUE(M.Flags.IsValid);
  B.Flags.Constant = 1;
  EXPECT_FALSE(A.mergedWith(B).Flags.IsValid);
}

TEST(SwitchState, ATargetIsAnEntryAndTheAddressOfItsTable) {
  RegisterValue Address, Entry;
  Address.Is = RegisterValue::Kind::Address;
  Address.Table = {0x1000, 0, 0};
  Entry.Is = RegisterValue::Kind::Entry;
  Entry.Table = {0x1000, 4, 4};
  ASSERT_TRUE(Address.plus(Entry));
  EXPECT_EQ(Address.plus(Entry)->NumEntries, 4u);
  EXPECT_EQ(Entry.plus(Address)->NumEntries, 4u);
  EXPECT_FALSE(Entry.plus(Entry));
  Address.Table.Address = 0x1004;
  EXPECT_FALSE(Address.plus(Entry));
}

} // namespace

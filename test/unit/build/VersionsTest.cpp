//===- build/VersionsTest.cpp - What graupel-bolt says --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build/Versions.h"
#include <gtest/gtest.h>

using namespace graupel::build;

TEST(Versions, ReadsFigures) {
  Figures F = readFigures(
      "graupel-bolt: verified: 12 functions\n"
      "graupel-bolt: optimized 1540 of 1552 functions, with 97.2 % of the "
      "counted instructions, which lack those of 1 skipped function\n"
      "graupel-bolt: skipped 12 functions, 2 of which ran\n"
      "graupel-bolt: wrote app.faster: 2.1 MB (input: 2.3 MB)\n");
  EXPECT_EQ(F.Optimized, 1540);
  EXPECT_EQ(F.Functions, 1552);
  EXPECT_EQ(F.CountedPercent, 97.2);
  EXPECT_EQ(F.Skipped, "12 functions, 2 of which ran");

  F = readFigures("graupel-bolt: optimized 1 of 1 function\n");
  EXPECT_EQ(F.Optimized, 1);
  EXPECT_FALSE(F.CountedPercent);
  EXPECT_EQ(F.Skipped, "");
  EXPECT_FALSE(readFigures("").Functions);
}

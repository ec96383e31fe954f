//===- environment/JSONTest.cpp - JSON of others --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSON/Parse.h"
#include "gtest/gtest.h"

using graupel::parseJSON;

static std::string errorOf(const std::string &Text) {
  auto Value = parseJSON(Text);
  return Value ? "" : toString(Value.takeError());
}

TEST(JSON, BracketsInBrackets) {
  const std::string Deep(100000, '['), Some(32, '['), Ends(32, ']');
  EXPECT_EQ(errorOf(Deep), "too many nested brackets");
  EXPECT_EQ(errorOf("{\"a\":" + Deep), "too many nested brackets");
  EXPECT_EQ(errorOf("[" + Some + Ends + "]"), "too many nested brackets");
  EXPECT_EQ(errorOf(Some + Ends), "");
  // In a string they are text.
  EXPECT_EQ(errorOf("[\"\\\"" + Deep + "\"]"), "");
  EXPECT_NE(errorOf("[1"), "");
}

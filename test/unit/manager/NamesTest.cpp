//===- NamesTest.cpp - Names on the page ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace graupel::ui;

TEST(Names, UsualOnesAreThemselves) {
  for (const char *Name : {"", "app", "/a b/c.so.1", "caf\xc3\xa9", "a\\b"})
    EXPECT_EQ(toPage(Name), Name);
}

TEST(Names, AllCanBeSentBack) {
  for (std::string Name : {"n\xff", "n\xfe", "caf\xc3\xa9\xff", "\\xff", "\\",
                           "\\x5c", "a\\x", "\\x5\xff", "\xed\xa0\x80"}) {
    EXPECT_TRUE(llvm::json::isUTF8(toPage(Name))) << Name;
    EXPECT_EQ(fromPage(toPage(Name)), Name);
  }
  EXPECT_EQ(toPage("n\xff"), "n\\xff");
  EXPECT_NE(toPage("\\xff"), toPage("\xff"));
}

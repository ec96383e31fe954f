//===- WordsTest.cpp - Words of a command line ----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Process/Words.h"
#include "gtest/gtest.h"

using graupel::environment::splitWords;
using List = std::vector<std::string>;

namespace {

List words(llvm::StringRef Line) {
  auto Result = splitWords(Line);
  if (!Result) {
    llvm::consumeError(Result.takeError());
    return {"error"};
  }
  return *Result;
}

TEST(Words, AreThoseOfAShell) {
  EXPECT_EQ(words(""), List());
  EXPECT_EQ(words("  a \t b\n"), (List{"a", "b"}));
  EXPECT_EQ(words("a 'b c' \"d 'e'\" f\\ g ''"),
            (List{"a", "b c", "d 'e'", "f g", ""}));
  EXPECT_EQ(words("a'b'\"c\"d"), List{"abcd"});
  EXPECT_EQ(words("'\\' \"\\\"\""), (List{"\\", "\""}));
}

TEST(Words, NothingElseOfAShellIsKnown) {
  EXPECT_EQ(words("$(x) `y` ; | > *.c ~ $HOME"),
            (List{"$(x)", "`y`", ";", "|", ">", "*.c", "~", "$HOME"}));
}

TEST(Words, OpenQuotesAreErrors) {
  EXPECT_EQ(words("a 'b"), List{"error"});
  EXPECT_EQ(words("\"a\\\""), List{"error"});
}

} // namespace

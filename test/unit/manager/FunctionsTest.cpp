//===- FunctionsTest.cpp - Places of functions ----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Environment/Store/FileIdentity.h"
#include "gtest/gtest.h"
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel::ui;
using graupel::environment::sha256;

namespace {

class FunctionsTest : public testing::Test {
protected:
  void SetUp() override {
    char Name[] = "functions-test-XXXXXX";
    close(mkstemp(Name));
    Path = Name;
  }
  void TearDown() override { unlink(Path.c_str()); }

  /// Why there are none.
  std::string wrong(const std::string &Content) {
    auto Places = functionPlaces(Path, Content);
    return Places ? "" : toString(Places.takeError());
  }
  void write(const std::string &Bytes) { std::ofstream(Path) << Bytes; }

  std::string Path;
};

} // namespace

/// That of the tests' own program has symbols.
extern "C" [[gnu::used, gnu::noinline]] void functionsTestFunction() {}

TEST_F(FunctionsTest, OfAProgram) {
  std::ifstream Self("/proc/self/exe", std::ios::binary);
  const std::string Bytes((std::istreambuf_iterator<char>(Self)), {});
  write(Bytes);
  auto Places = functionPlaces(Path, sha256(Bytes));
  ASSERT_TRUE(bool(Places));
  EXPECT_NE((*Places)["functionsTestFunction"].Address, 0u);
  EXPECT_NE(wrong(sha256("")).find("has changed since"), std::string::npos);
}

/// Other formats have other symbols.
TEST_F(FunctionsTest, OnlyOfELFFiles) {
  std::string COFF = std::string("\x64\x86\0\0", 4) + std::string(60, '\0');
  for (std::string Bytes : {COFF, std::string("\xcf\xfa\xed\xfe"),
                            std::string("\177ELF"), std::string()}) {
    write(Bytes);
    EXPECT_NE(wrong(sha256(Bytes)), "");
  }
}

TEST_F(FunctionsTest, NotOfWhatNeverEnds) {
  unlink(Path.c_str());
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  EXPECT_NE(wrong(sha256("")).find("it is not a file"), std::string::npos);
}

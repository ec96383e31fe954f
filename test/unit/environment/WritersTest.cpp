//===- environment/WritersTest.cpp - Programs that write originals --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Launch/Writers.h"
#include "Folder.h"

using namespace graupel::environment;
using Words = std::vector<std::string>;

namespace {

class WritersTest : public testing::Test {
protected:
  graupel::test::Folder F;

  void SetUp() override {
    for (const char *Name : {"p", "q", "bin/p"})
      F.add(Name, Name);
  }

  /// Names in the folder.
  Words written(const Words &Arguments) const {
    Words Names;
    for (const std::string &Path : writtenBy({Arguments, F.Path}))
      Names.push_back(std::filesystem::path(Path).lexically_relative(F.Path));
    return Names;
  }
};

TEST_F(WritersTest, Outputs) {
  EXPECT_EQ(written({"gcc", "-O2", "q.c", "-o", "p"}), Words{"p"});
  EXPECT_EQ(written({"/usr/bin/ld", "-obin/../p", "q"}), Words{"p"});
  EXPECT_EQ(written({"ld.lld", "--output=p", "q"}), Words{"p"});
  EXPECT_EQ(written({"x", "--output", F / "p"}), Words{"p"});
  EXPECT_EQ(written({"gcc", "-o", "not-there", "q"}), Words{});
  EXPECT_EQ(written({"gcc", "-o"}), Words{});
}

TEST_F(WritersTest, ChangesAll) {
  EXPECT_EQ(written({"rm", "-f", "p", "q"}), (Words{"p", "q"}));
  EXPECT_EQ(written({"mv", "p", "q"}), (Words{"p", "q"}));
  EXPECT_EQ(written({"rm", "-r", "bin"}), Words{"bin"});
}

TEST_F(WritersTest, ChangesTheTarget) {
  EXPECT_EQ(written({"cp", "q", "p"}), Words{"p"});
  EXPECT_EQ(written({"cp", "p", "bin"}), (Words{"bin", "bin/p"}));
  EXPECT_EQ(written({"install", "-t", "bin", "p"}), (Words{"bin", "bin/p"}));
  EXPECT_EQ(written({"cp"}), Words{});
}

TEST_F(WritersTest, RunsOnly) {
  EXPECT_EQ(written({"env", "A=B", "./p", "q"}), Words{});
  EXPECT_EQ(written({"timeout", "10", "./p"}), Words{});
  EXPECT_EQ(written({"sh", "-c", "./p"}), Words{});
  EXPECT_EQ(written({}), Words{});
}

} // namespace

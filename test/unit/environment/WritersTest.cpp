//===- environment/WritersTest.cpp - Programs that write originals --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Launch/Writers.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace graupel::environment;
using Words = std::vector<std::string>;

namespace {

class WritersTest : public testing::Test {
protected:
  std::filesystem::path Folder;

  void SetUp() override {
    std::string Name =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) /
        "graupelXXXXXX";
    Folder = mkdtemp(Name.data());
    std::filesystem::create_directories(Folder / "bin");
    for (const char *Name : {"p", "q", "bin/p"})
      std::ofstream(Folder / Name) << Name;
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  /// Names in the folder.
  Words written(const Words &Arguments) const {
    Words Names;
    for (const std::string &Path : writtenBy(Arguments, Folder.string()))
      Names.push_back(std::filesystem::path(Path).lexically_relative(Folder));
    return Names;
  }
};

TEST_F(WritersTest, Outputs) {
  EXPECT_EQ(written({"gcc", "-O2", "q.c", "-o", "p"}), Words{"p"});
  EXPECT_EQ(written({"/usr/bin/ld", "-obin/../p", "q"}), Words{"p"});
  EXPECT_EQ(written({"ld.lld", "--output=p", "q"}), Words{"p"});
  EXPECT_EQ(written({"x", "--output", (Folder / "p").string()}), Words{"p"});
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

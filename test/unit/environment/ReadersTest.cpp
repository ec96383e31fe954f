//===- environment/ReadersTest.cpp - Programs that handle files -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Launch/Readers.h"
#include "Folder.h"
#include <sys/stat.h>

using namespace graupel::environment;

namespace {

class ReadersTest : public testing::Test {
protected:
  graupel::test::Folder F;

  void SetUp() override {
    F.add("app", "\177ELF and so on");
    F.add("text", "text");
    F.add("bin/text", "text");
  }

  bool handles(const std::vector<std::string> &Words) const {
    return handlesFiles({Words, F.Path});
  }
};

TEST_F(ReadersTest, NamesPrograms) {
  EXPECT_TRUE(handles({"/bin/cp", "app", "out"}));
  EXPECT_TRUE(handles({"cp", "-a", "bin", "out"}));
  EXPECT_TRUE(handles({"dd", "if=app", "of=out"}));
  EXPECT_TRUE(handles({"xz", "-k", F / "app"}));
  EXPECT_TRUE(handles({"perl", "/usr/bin/shasum", "app"}));
  EXPECT_FALSE(handles({"xz", "text"}));
  EXPECT_FALSE(handles({"cat", "not-there", ""}));
  EXPECT_FALSE(handles({"cat"}));
  EXPECT_FALSE(handles({}));
}

TEST_F(ReadersTest, WaitsForNobody) {
  ASSERT_EQ(mkfifo((F / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(handles({"cat", "pipe"}));
}

TEST_F(ReadersTest, ToolsOfAllKinds) {
  for (const char *Name : {"strip", "x86_64-linux-gnu-strip", "llvm-strip-22",
                           "/usr/bin/eu-strip", "llvm-objcopy-15.0"})
    EXPECT_TRUE(handles({Name, "app", "-o", "out"})) << Name;
  EXPECT_FALSE(handles({"outstrip", "app"}));
}

TEST_F(ReadersTest, NeedsNoNames) {
  EXPECT_TRUE(handles({"tar", "-c", "-T", "list"}));
  EXPECT_TRUE(handles({"rsync", "-r", "there:", "here"}));
}

TEST_F(ReadersTest, Installs) {
  EXPECT_TRUE(handles({"cmake", "--install", "build"}));
  EXPECT_TRUE(handles({"cmake", "-DX=1", "-P", "sub/cmake_install.cmake"}));
  EXPECT_TRUE(handles({"cmake", "-E", "copy_if_different", "a", "b"}));
  EXPECT_TRUE(
      handles({"/usr/bin/python3.11", "/usr/bin/meson", "install", "-C", "b"}));
  EXPECT_FALSE(handles({"cmake", "-P", "run-test.cmake"}));
  EXPECT_FALSE(handles({"cmake", "-E", "env", "A=B", "./app"}));
  EXPECT_FALSE(handles({"cmake", "--build", "build"}));
  EXPECT_FALSE(handles({"meson", "test"}));
}

TEST_F(ReadersTest, HandlesFilesNow) {
  EXPECT_TRUE(handles({"git", "-C", "bin", "-c", "a=b", "add", "app"}));
  EXPECT_TRUE(handles({"git", "--no-pager", "checkout", "app"}));
  EXPECT_TRUE(handles({"find", "bin", "-name", "app", "-delete"}));
  EXPECT_TRUE(handles({"ninja", "-C", "bin", "-t", "clean"}));
  EXPECT_TRUE(handles({"cmake", "-P", "CMakeFiles/app.dir/cmake_clean.cmake"}));
  EXPECT_TRUE(handles({"busybox", "rm", "app"}));
  EXPECT_FALSE(handles({"git", "bisect", "run", "./app"}));
  EXPECT_FALSE(handles({"git", "-C"}));
  EXPECT_FALSE(handles({"find", ".", "-exec", "./app", ";"}));
  EXPECT_FALSE(handles({"ninja", "check"}));
}

TEST_F(ReadersTest, RunsOthers) {
  for (const char *Name : {"env", "sh", "make", "gdb", "strace", "timeout",
                           "nice", "xargs", "find", "python3", "ninja", "ld"})
    EXPECT_FALSE(handles({Name, "app"})) << Name;
  EXPECT_FALSE(handles({"python3", "setup.py", "app"}));
}

} // namespace

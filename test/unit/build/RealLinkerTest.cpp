//===- build/RealLinkerTest.cpp - Which linker would have run -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build/RealLinker.h"
#include "Build/Interception.h"
#include <gtest/gtest.h>
#include <set>

using namespace graupel::build;

static std::string find(const Invocation &I) {
  static const std::set<std::string> Programs = {
      "/usr/bin/ld",  "/usr/bin/ld.lld",  "/mold/ld",
      "/rust/ld.lld", "/llvm/bin/ld.lld", "/collect/collect-ld"};
  return findLinker(
      I, [](const std::string &Path) { return Programs.count(Path) != 0; });
}

TEST(RealLinker, OfGcc) {
  Invocation I;
  I.Name = NameForGcc;
  I.CompilerPath = "/state/driver/:/usr/lib/gcc/";
  I.Path = "/state/path:/usr/bin";
  EXPECT_EQ(find(I), "/usr/bin/ld");
  I.GccOptions = "'-fuse-ld=bfd' '-o' 'p' '-fuse-ld=lld' '-v'";
  EXPECT_EQ(find(I), "/usr/bin/ld.lld");
  // -B comes first, as rustc has it.
  I.CompilerPath = "/rust/:/state/driver/";
  EXPECT_EQ(find(I), "/rust/ld.lld");
  I.GccOptions = "'-B' '/mold'";
  I.CompilerPath = "/mold/:/state/driver/";
  EXPECT_EQ(find(I), "/mold/ld");
  I.CompilerPath = "/state/driver/:/collect/";
  EXPECT_EQ(find(I), "/collect/collect-ld");
}

TEST(RealLinker, OfClang) {
  Invocation I;
  I.Name = "ld.lld";
  I.CompilerPath = "/state/driver";
  I.Path = "/usr/bin";
  I.ParentFolder = "/llvm/bin";
  EXPECT_EQ(find(I), "/llvm/bin/ld.lld");
  I.Name = "ld";
  EXPECT_EQ(find(I), "/usr/bin/ld");
  I.Name = "ld.mold";
  EXPECT_EQ(find(I), "");
}

TEST(RealLinker, FromPath) {
  Invocation I;
  I.Name = "ld";
  I.IsFromPath = true;
  I.CompilerPath = "/mold";
  I.Path = "/none:/usr/bin";
  EXPECT_EQ(find(I), "/usr/bin/ld");
}

TEST(RealLinker, Names) {
  for (const char *Name :
       {"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.lld-22", "ld.mold", "mold",
        "gold", "x86_64-linux-gnu-ld", "x86_64-linux-gnu-ld.gold"})
    EXPECT_TRUE(isLinkerName(Name)) << Name;
  for (const char *Name : {"ldd", "ld.so", "ldconfig", "ld64.lld", "lld-link",
                           "aarch64-linux-gnu-ld", "x86_64-linux-gnu-ldd"})
    EXPECT_FALSE(isLinkerName(Name)) << Name;
}

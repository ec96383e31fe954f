//===- build/LinksTest.cpp - What was linked ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build/Links.h"
#include "Folder.h"
#include <thread>
#include <unistd.h>

using namespace graupel::build;

TEST(Links, ComeBackAsTheyWere) {
  graupel::test::Folder F;
  Link L;
  L.Output = "/tmp/\xff \\ \"p\"\n";
  L.Folder = "/tmp/\xc3\xa4";
  L.Linker = "/usr/bin/ld";
  L.Arguments = {"-o", "\\5C", "", "\x01"};
  L.Time = 1234567890123;
  L.Asked = Strip::All;
  L.Unstripped = "/s";
  L.Identity = {1, 2, 3, 1700000000123456789, 0};
  L.Without = "no";
  ASSERT_FALSE(bool(note(F.Path, L)));
  const std::vector<Link> All = links(F.Path);
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Output, L.Output);
  EXPECT_EQ(All[0].Folder, L.Folder);
  EXPECT_EQ(All[0].Linker, L.Linker);
  EXPECT_EQ(All[0].Arguments, L.Arguments);
  EXPECT_EQ(All[0].Time, L.Time);
  EXPECT_EQ(All[0].Asked, L.Asked);
  EXPECT_EQ(All[0].Unstripped, L.Unstripped);
  EXPECT_EQ(All[0].Identity, L.Identity);
  EXPECT_EQ(All[0].Without, L.Without);
}

TEST(Links, OfWhatIsThere) {
  graupel::test::Folder F;
  EXPECT_TRUE(links(F.Path).empty());
  for (const char *Name : {"there", "gone", "unstripped/0", "unstripped/1"})
    F.add(Name, "");
  for (const char *Output : {"there", "gone", "there"}) {
    Link L;
    L.Output = F / Output;
    L.Time = int64_t(links(F.Path).size());
    L.Unstripped = F / "unstripped/" + std::to_string(L.Time / 2);
    ASSERT_FALSE(bool(note(F.Path, L)));
  }
  // Half a line of one who was killed.
  FILE *File = fopen(linksFile(F.Path).c_str(), "a");
  fputs("{\"output\": \"/c", File);
  fclose(File);
  EXPECT_EQ(links(F.Path).size(), 3u);
  unlink((F / "gone").c_str());
  ASSERT_FALSE(bool(forgetGone(F.Path)));
  const std::vector<Link> All = links(F.Path);
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Output, F / "there");
  EXPECT_EQ(All[0].Time, 2);
  EXPECT_FALSE(std::filesystem::exists(F / "unstripped/0"));
  EXPECT_TRUE(std::filesystem::exists(F / "unstripped/1"));
}

TEST(Links, StayInTheirOrder) {
  graupel::test::Folder F;
  for (int I = 0; I < 100; ++I) {
    Link L;
    L.Output = F / std::to_string(I % 50);
    L.Time = I;
    F.add(std::to_string(I % 50), "");
    ASSERT_FALSE(bool(note(F.Path, L)));
  }
  ASSERT_FALSE(bool(forgetGone(F.Path)));
  const std::vector<Link> All = links(F.Path);
  ASSERT_EQ(All.size(), 50u);
  for (size_t I = 0; I < All.size(); ++I)
    EXPECT_EQ(All[I].Time, int64_t(50 + I));
}

TEST(Links, AtTheSameTime) {
  graupel::test::Folder F;
  std::vector<std::thread> Threads;
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I < 25; ++I) {
        Link L;
        L.Output = std::to_string(T) + "/" + std::to_string(I);
        L.Arguments.assign(200, "a long argument");
        llvm::consumeError(note(F.Path, L));
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(links(F.Path).size(), 200u);
}

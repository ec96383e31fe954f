//===- unit/ProfileFileTest.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile/ProfileFile.h"
#include "Profile/FdataExport.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace graupel;
using namespace graupel::test;
using namespace llvm;

namespace {

constexpr uint64_t NumSites = 2, NumCounters = 3, NumTargets = 4;

/// "loop": block 0 at 0, block 1 at 8 repeats itself, then returns. The
/// counters are the loop's edge and the return's; it calls "leaf 1" from block
/// 1 and something unknown from block 0.
std::string metadata() {
  MetadataWriter Writer;
  FunctionProfile F;
  F.Name = Writer.addName("loop");
  const uint32_t Leaf = Writer.addName("leaf 1");
  F.Blocks = {0, 8};
  F.Edges = {{2, 0, std::nullopt, false},
             {0, 1, 4, false},
             {1, 1, 14, true},
             {1, 2, std::nullopt, true}};
  F.Calls = {{1, false, 10, Leaf, 0}};
  F.Sites = {2};
  Writer.add(F);
  FunctionProfile G;
  G.Name = Leaf;
  G.Blocks = {0};
  G.FirstCounter = 2;
  G.FirstSite = 1;
  G.Sites = {4};
  G.Edges = {{1, 0, std::nullopt, false}, {0, 1, std::nullopt, true}};
  Writer.add(G);
  std::string Bytes = Writer.finish(2);
  const EntryPoint Points[] = {{-256, 0, 0}, {-64, Leaf, 0}};
  MetadataWriter::setEntryPoints(
      MutableArrayRef(reinterpret_cast<uint8_t *>(Bytes.data()), Bytes.size()),
      Points);
  return Bytes;
}

uint64_t key(uint64_t Site, int64_t Address) {
  return (Site + 1) << GRAUPEL_TARGET_BITS |
         (Address & ((UINT64_C(1) << GRAUPEL_TARGET_BITS) - 1));
}

std::string liveFile(std::vector<std::vector<uint64_t>> Slots,
                     std::vector<graupel_target> Targets = {}) {
  const std::string Meta = metadata();
  const uint8_t BuildID[] = {1, 2, 3};
  const graupel_profile_header Header =
      makeHeader(Meta, BuildID, NumSites, NumCounters, NumTargets);
  std::string File(Header.slots_offset + Slots.size() * Header.slot_size, '\0');
  std::memcpy(File.data(), &Header, sizeof(Header));
  std::memcpy(File.data() + GRAUPEL_PROFILE_PAGE, Meta.data(), Meta.size());
  char *Slot = File.data() + Header.slots_offset;
  for (const std::vector<uint64_t> &Counts : Slots) {
    std::memcpy(Slot + GRAUPEL_PROFILE_PAGE + countersOffset(NumSites),
                Counts.data(), Counts.size() * 8);
    if (!Targets.empty())
      std::memcpy(Slot + GRAUPEL_PROFILE_PAGE + Header.region_size,
                  Targets.data(), Targets.size() * sizeof(graupel_target));
    Slot += Header.slot_size;
  }
  return File;
}

std::string fdata(const Profile &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  cantFail(writeFdata(P, OS));
  return Text;
}

TEST(ProfileFile, AddsSlots) {
  Expected<Profile> P = readProfile(liveFile({{1, 2, 3}, {10, 20, 30}}));
  ASSERT_TRUE(bool(P));
  EXPECT_EQ(P->Counters, (std::vector<uint64_t>{11, 22, 33}));
  EXPECT_EQ(P->buildID(), ArrayRef<uint8_t>({1, 2, 3}));
  EXPECT_EQ(P->Meta.Names[1], "leaf 1");
  EXPECT_EQ(P->Meta.EntryPoints[0].Address, -256);
}

TEST(ProfileFile, ExportsFdata) {
  Expected<Profile> P = readProfile(
      liveFile({{90, 10, 115}}, {{key(0, -64), 7},
                                 {key(0, int64_t(GRAUPEL_TARGET_FAR)), 2},
                                 {key(0, 12345), 1}}));
  ASSERT_TRUE(bool(P));
  EXPECT_EQ(fdata(*P), "1 loop 4 1 loop 8 0 10\n"
                       "1 loop e 1 loop 8 0 90\n"
                       "1 loop a 1 leaf\\ 1 0 0 100\n"
                       "1 loop 2 0 [unknown] 0 0 1\n"
                       "1 loop 2 0 [unknown] 0 0 2\n"
                       "1 loop 2 1 leaf\\ 1 0 0 7\n"
                       "0 [unknown] 0 1 loop 0 0 10\n"
                       "0 [unknown] 0 1 leaf\\ 1 0 0 8\n");
}

TEST(ProfileFile, MergingIsAssociativeAndCommutative) {
  auto make = [](uint64_t Seed) {
    Random R(Seed);
    Expected<Profile> P =
        readProfile(liveFile({{R.below(100), R.below(100), ~R.below(100)}},
                             {{key(R.below(2), -64), R.below(9)},
                              {key(R.below(2), R.below(3)), R.below(9)}}));
    return std::move(*P);
  };
  for (uint64_t Seed = 0; Seed < 100; ++Seed) {
    Profile AB = make(Seed), BC = make(Seed + 1), A = make(Seed);
    AB.add(make(Seed + 1));
    AB.add(make(Seed + 2));
    BC.add(make(Seed + 2));
    A.add(BC);
    EXPECT_EQ(AB.seal(), A.seal());
    Profile CBA = make(Seed + 2);
    CBA.add(make(Seed + 1));
    CBA.add(make(Seed));
    EXPECT_EQ(AB.seal(), CBA.seal());
  }
}

TEST(ProfileFile, SealedFilesReadBack) {
  Expected<Profile> P = readProfile(liveFile({{5, 6, 7}}, {{key(1, -64), 3}}));
  ASSERT_TRUE(bool(P));
  Expected<Profile> Again = readProfile(P->seal());
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(fdata(*P), fdata(*Again));
  EXPECT_EQ(P->seal(), Again->seal());
}

TEST(ProfileFile, NoticesEveryChangedBitOfASealedFile) {
  Expected<Profile> P = readProfile(liveFile({{5, 6, 7}}, {{key(1, -64), 3}}));
  const std::string Sealed = P->seal();
  Random R(3);
  for (int Round = 0; Round < 3000; ++Round) {
    // The padding means nothing and is not read.
    const size_t At =
        R.below(2) ? R.below(sizeof(graupel_profile_header))
                   : GRAUPEL_PROFILE_PAGE + R.below(P->Header.metadata_size);
    std::string Bad = Sealed;
    Bad[At] ^= 1 << R.below(8);
    Expected<Profile> Result = readProfile(Bad);
    EXPECT_FALSE(bool(Result)) << "byte " << At;
    consumeError(Result.takeError());
  }
}

TEST(ProfileFile, RefusesTruncatedFiles) {
  const std::string File = liveFile({{1, 2, 3}});
  for (size_t Size = 0; Size < File.size(); Size += 1 + Size / 64) {
    Expected<Profile> P = readProfile(StringRef(File).take_front(Size));
    // A file without slots is what a program leaves that could not start.
    EXPECT_FALSE(bool(P)) << Size;
    consumeError(P.takeError());
  }
}

/// Metadata that matches its checksum may still be nonsense.
TEST(ProfileFile, SurvivesAnyMetadata) {
  const std::string Meta = metadata();
  Random R(4);
  for (int Round = 0; Round < 20000; ++Round) {
    std::string Bad = Meta;
    for (uint64_t N = 1 + R.below(4); N; --N)
      Bad[R.below(Bad.size())] = R.below(256);
    Expected<Metadata> Result = readMetadata(Bad, NumCounters, NumSites);
    consumeError(Result.takeError());
  }
}

/// A file of two pages must not make us count to 2^38.
TEST(ProfileFile, RefusesCountersAndSitesThatNothingDescribes) {
  const std::string Meta = metadata();
  for (uint64_t Many : {uint64_t(0), uint64_t(4), uint64_t(1) << 36})
    for (bool Sites : {false, true}) {
      const graupel_profile_header Header =
          makeHeader(Meta, {}, Sites ? Many : NumSites,
                     Sites ? NumCounters : Many, NumTargets);
      std::string File(Header.slots_offset, '\0');
      std::memcpy(File.data(), &Header, sizeof(Header));
      std::memcpy(File.data() + GRAUPEL_PROFILE_PAGE, Meta.data(), Meta.size());
      Expected<Profile> P = readProfile(File);
      EXPECT_FALSE(bool(P)) << Many;
      consumeError(P.takeError());
    }
}

TEST(ProfileFile, RefusesFunctionsThatShareCounters) {
  for (auto [Counter, Site] : {std::pair(1, 1), std::pair(2, 0)}) {
    MetadataWriter Writer;
    FunctionProfile F;
    F.Name = Writer.addName("f");
    F.Blocks = {0};
    F.Edges = {{1, 0, std::nullopt, true}, {0, 1, std::nullopt, true}};
    F.Sites = {2};
    Writer.add(F);
    F.FirstCounter = Counter;
    F.FirstSite = Site;
    Writer.add(F);
    Expected<Metadata> Result = readMetadata(Writer.finish(0), 4, 2);
    EXPECT_FALSE(bool(Result));
    consumeError(Result.takeError());
  }
}

/// fdata has no way to say such a name; the other functions are worth having.
TEST(ProfileFile, LeavesOutNamesThatFdataCannotSay) {
  MetadataWriter Writer;
  FunctionProfile F;
  F.Blocks = {0};
  F.Edges = {{1, 0, std::nullopt, true}};
  F.Calls = {{0, false, 3, 0, 0}, {0, false, 5, 1, 0}};
  F.Name = Writer.addName("good");
  Writer.add(F);
  F.Name = Writer.addName("bad\nname");
  F.FirstCounter = 1;
  Writer.add(F);
  Profile P;
  P.MetadataBytes = Writer.finish(0);
  P.Header = makeHeader(P.MetadataBytes, {}, 0, 2, 0);
  P.Meta = cantFail(readMetadata(P.MetadataBytes, 2, 0));
  P.Counters = {5, 7};
  EXPECT_EQ(fdata(P), "1 good 3 1 good 0 0 5\n");
}

/// A long name and many branches that each name it twice.
TEST(ProfileFile, RefusesToWriteMuchMoreThanItRead) {
  MetadataWriter Writer;
  FunctionProfile F;
  F.Name = Writer.addName(std::string(1 << 18, 'n'));
  F.Blocks = {0};
  F.Edges.assign(1000, {0, 0, 1, true});
  Writer.add(F);
  Profile P;
  P.MetadataBytes = Writer.finish(0);
  P.Header = makeHeader(P.MetadataBytes, {}, 0, 1000, 0);
  P.Meta = cantFail(readMetadata(P.MetadataBytes, 1000, 0));
  P.Counters.assign(1000, 1);
  std::string Text;
  raw_string_ostream OS(Text);
  Expected<ExportSummary> Summary = writeFdata(P, OS);
  ASSERT_FALSE(bool(Summary));
  consumeError(Summary.takeError());
}

TEST(ProfileFile, RefusesOtherVersions) {
  std::string File = liveFile({{1, 2, 3}});
  File[8] = GRAUPEL_PROFILE_VERSION + 1;
  Expected<Profile> P = readProfile(File);
  ASSERT_FALSE(bool(P));
  EXPECT_NE(toString(P.takeError()).find("format 3"), std::string::npos);
}

} // namespace

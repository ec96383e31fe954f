//===- build/LinkCommandTest.cpp - Command lines of linkers ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build/LinkCommand.h"
#include <gtest/gtest.h>

using namespace graupel::build;
using Words = std::vector<std::string>;

static LinkCommand read(const Words &Arguments) {
  return readLinkCommand(
      Arguments, [](llvm::StringRef Path) -> std::optional<std::string> {
        if (Path == "words")
          return "-o 'with space' -s a.o @more";
        if (Path == "more")
          return "b.o @more";
        return std::nullopt;
      });
}

TEST(LinkCommand, Outputs) {
  EXPECT_EQ(read({"-o", "p", "a.o"}).Output, "p");
  EXPECT_EQ(read({"-op", "a.o"}).Output, "p");
  EXPECT_EQ(read({"--output=p", "a.o"}).Output, "p");
  EXPECT_EQ(read({"--output", "p", "a.o"}).Output, "p");
  EXPECT_EQ(read({"a.o"}).Output, "a.out");
  // GNU ld: options that begin with an o need two dashes.
  EXPECT_EQ(read({"-omagic", "a.o"}).Output, "magic");
}

TEST(LinkCommand, AsksForRelocations) {
  const LinkCommand C = read({"-shared", "-o", "l.so", "a.o"});
  EXPECT_TRUE(C.MakesImage);
  EXPECT_FALSE(C.KeepsRelocations);
  EXPECT_EQ(C.Asked, Strip::Nothing);
  EXPECT_EQ(C.Altered,
            (Words{"--emit-relocs", "-shared", "-o", "l.so", "a.o"}));
  EXPECT_TRUE(read({"-q", "a.o"}).KeepsRelocations);
  EXPECT_TRUE(read({"-emit-relocs", "a.o"}).KeepsRelocations);
}

TEST(LinkCommand, MakesNoImage) {
  for (const Words &Arguments :
       {Words{"-r", "a.o"}, Words{"--relocatable", "a.o"}, Words{"-i", "a.o"},
        Words{"-Ur", "a.o"}, Words{"--version"}, Words{"-v"}, Words{},
        Words{"--oformat", "binary", "a.o"}, Words{"--oformat=binary", "a.o"},
        Words{"-m", "elf_i386", "a.o"}, Words{"-melf_i386", "a.o"},
        Words{"-run", "make"}, Words{"a.o", "-o"}, Words{"-o", "p"}})
    EXPECT_FALSE(read(Arguments).MakesImage)
        << (Arguments.empty() ? "" : Arguments[0]);
  EXPECT_TRUE(read({"-m", "elf_x86_64", "-v", "a.o"}).MakesImage);
  EXPECT_TRUE(read({"-lmain"}).MakesImage);
  EXPECT_TRUE(read({"-init", "start", "-rpath", "/r", "a.o"}).MakesImage);
}

TEST(LinkCommand, Strips) {
  LinkCommand C = read({"-s", "a.o", "-o", "p"});
  EXPECT_EQ(C.Asked, Strip::All);
  EXPECT_EQ(C.Altered, (Words{"--emit-relocs", "a.o", "-o", "p"}));
  EXPECT_EQ(read({"--strip-all", "a.o"}).Asked, Strip::All);
  EXPECT_EQ(read({"-strip-all", "-x", "a.o"}).Asked, Strip::All);
  EXPECT_EQ(read({"-x", "a.o"}).Asked, Strip::Locals);
  // Debug information is nothing that the optimizer needs.
  C = read({"-S", "--strip-debug", "a.o"});
  EXPECT_EQ(C.Asked, Strip::Nothing);
  EXPECT_EQ(C.Altered, (Words{"--emit-relocs", "-S", "--strip-debug", "a.o"}));
}

TEST(LinkCommand, ValuesAreNoOptions) {
  const LinkCommand C = read({"-o", "-s", "-soname", "-r", "-T", "-x", "a.o"});
  EXPECT_EQ(C.Output, "-s");
  EXPECT_EQ(C.Asked, Strip::Nothing);
  EXPECT_TRUE(C.MakesImage);
}

TEST(LinkCommand, ResponseFiles) {
  const LinkCommand C = read({"-L.", "@words", "@missing"});
  EXPECT_EQ(C.Output, "with space");
  EXPECT_EQ(C.Asked, Strip::All);
  EXPECT_EQ(Words(C.Altered.begin(), C.Altered.begin() + 6),
            (Words{"--emit-relocs", "-L.", "-o", "with space", "a.o", "b.o"}));
  // Whoever strips nothing keeps his file.
  EXPECT_EQ(read({"@more"}).Altered, (Words{"--emit-relocs", "@more"}));
}

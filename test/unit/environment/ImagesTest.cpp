//===- unit/environment/ImagesTest.cpp -----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Images/Dependencies.h"
#include "Environment/Images/Examine.h"
#include "Environment/Optimizer/Optimizer.h"
#include "Folder.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;

namespace {

/// An ELF file of nothing but its tables.
std::string elf(uint16_t Machine, std::vector<uint32_t> SectionTypes,
                const std::string &Behind = "") {
  llvm::ELF::Elf64_Ehdr Head = {};
  std::memcpy(Head.e_ident,
              "\x7f"
              "ELF\2\1\1",
              7);
  Head.e_type = llvm::ELF::ET_DYN;
  Head.e_machine = Machine;
  Head.e_version = 1;
  Head.e_ehsize = sizeof(Head);
  Head.e_phentsize = sizeof(llvm::ELF::Elf64_Phdr);
  Head.e_shentsize = sizeof(llvm::ELF::Elf64_Shdr);
  Head.e_shoff = sizeof(Head) + 1;
  Head.e_shnum = uint16_t(SectionTypes.size() + 2);
  Head.e_shstrndx = 1;
  std::string File(reinterpret_cast<const char *>(&Head), sizeof(Head));
  File += '\0';
  std::vector<llvm::ELF::Elf64_Shdr> Sections(Head.e_shnum);
  Sections[1].sh_type = llvm::ELF::SHT_STRTAB;
  Sections[1].sh_offset = sizeof(Head);
  Sections[1].sh_size = 1;
  for (size_t I = 0; I < SectionTypes.size(); ++I)
    Sections[I + 2].sh_type = SectionTypes[I];
  File.append(reinterpret_cast<const char *>(Sections.data()),
              Sections.size() * sizeof(Sections[0]));
  return File + Behind;
}

std::string unfit(const std::string &Bytes, mode_t Mode = 0755) {
  Folder F;
  write(F / "image", Bytes);
  chmod((F / "image").c_str(), Mode);
  return cantFail(examineImage(F / "image")).Unfit;
}

constexpr uint16_t X86 = llvm::ELF::EM_X86_64;
constexpr uint32_t Rela = llvm::ELF::SHT_RELA, Symbols = llvm::ELF::SHT_SYMTAB;

TEST(Images, SayWhyTheyAreLeftAlone) {
  EXPECT_EQ(unfit(elf(X86, {Rela, Symbols})), "");
  EXPECT_NE(unfit(elf(X86, {Symbols})).find("--emit-relocs"),
            std::string::npos);
  EXPECT_NE(unfit(elf(X86, {Rela})).find("stripped"), std::string::npos);
  EXPECT_NE(unfit(elf(llvm::ELF::EM_AARCH64, {Rela, Symbols}))
                .find("another processor"),
            std::string::npos);
  EXPECT_NE(unfit(elf(X86, {Rela, Symbols}), 04755).find("set-uid"),
            std::string::npos);
  EXPECT_NE(unfit("#!/bin/sh\n").find("script"), std::string::npos);
  EXPECT_NE(unfit("text").find("not a program"), std::string::npos);
}

TEST(Images, FindWhatIsAppended) {
  EXPECT_NE(unfit(elf(X86, {Rela, Symbols}, "PK")).find("appended"),
            std::string::npos);
  // Linkers may fill the last page.
  EXPECT_EQ(unfit(elf(X86, {Rela, Symbols}, std::string(100, '\0'))), "");
}

TEST(Images, DamagedFilesHaveAReasonToo) {
  const std::string Good = elf(X86, {Rela, Symbols});
  for (size_t Size = 4; Size < Good.size(); ++Size)
    EXPECT_NE(unfit(Good.substr(0, Size)), "") << Size;
  for (size_t At = 4; At < Good.size(); ++At)
    for (char Bad : {'\xff', '\x7f'}) {
      std::string Bytes = Good;
      Bytes[At] = Bad;
      unfit(Bytes); // An answer, whichever.
    }
}

TEST(Images, ScriptsNameTheirInterpreter) {
  auto interpreter = [](const char *Line) {
    Folder F;
    write(F / "script", Line);
    return cantFail(examineImage(F / "script")).Interpreter;
  };
  EXPECT_EQ(interpreter("#!/bin/sh\nexit"), "/bin/sh");
  EXPECT_EQ(interpreter("#! /usr/bin/perl -w\n"), "/usr/bin/perl");
  EXPECT_EQ(interpreter("#!/usr/bin/env python3\n"), "python3");
  EXPECT_EQ(interpreter("#!/usr/bin/env\tpython3\t-u\r\n"), "python3");
  EXPECT_EQ(interpreter("#!\t/usr/bin/perl\t-w\n"), "/usr/bin/perl");
  EXPECT_EQ(interpreter("#!/usr/bin/env -S python3\n"), "/usr/bin/env");
}

TEST(Images, TheLoadersListIsUnderstood) {
  const Dependencies D =
      parseListing("\tlinux-vdso.so.1 (0x00007ffd)\n"
                   "\tlibm.so.6 => /lib/lib m.so (1).so (0x00007f12)\n"
                   "\tlibgone.so => not found\n"
                   "\t/lib64/ld-linux-x86-64.so.2 (0x00007f13)\n"
                   "warning: something\n");
  EXPECT_EQ(D.Paths, (std::vector<std::string>{"/lib/lib m.so (1).so",
                                               "/lib64/ld-linux-x86-64.so.2"}));
  EXPECT_EQ(D.Missing, std::vector<std::string>{"libgone.so"});
}

TEST(Images, TheLoadersListMayHavePathsOfSeveralLines) {
  const Dependencies D =
      parseListing("a warning\n"
                   "\tlibp.so => /tmp/a\nb/libp.so (0x00007f12)\n"
                   "\tlibq.so => not found\n"
                   "\tlibr.so => /tmp/a\nb/libr.so (0x00007f13)\n");
  EXPECT_EQ(D.Paths, (std::vector<std::string>{"/tmp/a\nb/libp.so",
                                               "/tmp/a\nb/libr.so"}));
  EXPECT_EQ(D.Missing, std::vector<std::string>{"libq.so"});
  EXPECT_TRUE(parseListing("statically linked\n").Paths.empty());
}

TEST(Images, TheReasonOfAFailureIsFound) {
  EXPECT_EQ(failureIn("BOLT-INFO: x\ngraupel-bolt: error: a: no; do\n", 1),
            "a: no; do");
  EXPECT_NE(failureIn("last words\n", 139).find("signal 11: last words"),
            std::string::npos);
}

} // namespace

//===- unit/FlagTableTest.cpp - What instructions do to flags -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/FlagTable.h"
#include "Verify/Disassembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace graupel;

namespace {

class FlagTableTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
  }

  Disassembler Decoder{ELF::EM_X86_64};
  FlagTable Table{Decoder.instructions()};

  FlagUse of(std::initializer_list<uint8_t> Bytes) {
    const std::string Text(Bytes.begin(), Bytes.end());
    Instruction I;
    Decoder.decode(Text, 0x1000, I);
    EXPECT_EQ(I.Size, Bytes.size());
    return Table.of(I.Inst);
  }
};

/// Instructions of which LLVM does not say that they read flags.
TEST_F(FlagTableTest, ReadersThatLLVMOmits) {
  EXPECT_EQ(of({0xda, 0xc1}).Reads, CF);      // fcmovb
  EXPECT_EQ(of({0xda, 0xc9}).Reads, ZF);      // fcmove
  EXPECT_EQ(of({0xda, 0xd1}).Reads, CF | ZF); // fcmovbe
  EXPECT_EQ(of({0xda, 0xd9}).Reads, PF);      // fcmovu
  EXPECT_EQ(of({0xdb, 0xc1}).Reads, CF);      // fcmovnb
  EXPECT_EQ(of({0xdb, 0xc9}).Reads, ZF);      // fcmovne
  EXPECT_EQ(of({0xdb, 0xd1}).Reads, CF | ZF); // fcmovnbe
  EXPECT_EQ(of({0xdb, 0xd9}).Reads, PF);      // fcmovnu
  EXPECT_EQ(of({0xe1, 0x00}).Reads, ZF);      // loope
  EXPECT_EQ(of({0xe0, 0x00}).Reads, ZF);      // loopne
  EXPECT_EQ(of({0xe2, 0x00}).Reads, NoFlags); // loop
  EXPECT_EQ(of({0xe3, 0x00}).Reads, NoFlags); // jrcxz
}

TEST_F(FlagTableTest, Readers) {
  EXPECT_EQ(of({0x70, 0x00}).Reads, OF);                   // jo
  EXPECT_EQ(of({0x73, 0x00}).Reads, CF);                   // jae
  EXPECT_EQ(of({0x74, 0x00}).Reads, ZF);                   // je
  EXPECT_EQ(of({0x77, 0x00}).Reads, CF | ZF);              // ja
  EXPECT_EQ(of({0x78, 0x00}).Reads, SF);                   // js
  EXPECT_EQ(of({0x7b, 0x00}).Reads, PF);                   // jnp
  EXPECT_EQ(of({0x7c, 0x00}).Reads, SF | OF);              // jl
  EXPECT_EQ(of({0x7f, 0x00}).Reads, ZF | SF | OF);         // jg
  EXPECT_EQ(of({0x0f, 0x92, 0xc0}).Reads, CF);             // setb %al
  EXPECT_EQ(of({0x0f, 0x4d, 0xc1}).Reads, SF | OF);        // cmovge
  EXPECT_EQ(of({0x11, 0xc8}).Reads, CF);                   // adc
  EXPECT_EQ(of({0x19, 0xc8}).Reads, CF);                   // sbb
  EXPECT_EQ(of({0xd1, 0xd0}).Reads, CF);                   // rcl $1
  EXPECT_EQ(of({0xc1, 0xd8, 0x03}).Reads, CF);             // rcr $3
  EXPECT_EQ(of({0xd3, 0xd0}).Reads, CF);                   // rcl %cl
  EXPECT_EQ(of({0x66, 0x0f, 0x38, 0xf6, 0xc1}).Reads, CF); // adcx
  EXPECT_EQ(of({0xf3, 0x0f, 0x38, 0xf6, 0xc1}).Reads, OF); // adox
  EXPECT_EQ(of({0xf5}).Reads, CF);                         // cmc
  EXPECT_EQ(of({0x9f}).Reads, AllFlags & ~OF);             // lahf
  EXPECT_EQ(of({0x9c}).Reads, AllFlags);                   // pushf
  EXPECT_EQ(of({0x01, 0xc8}).Reads, NoFlags);              // add
  EXPECT_EQ(of({0xf8}).Reads, NoFlags);                    // clc
  EXPECT_EQ(of({0xf9}).Reads, NoFlags);                    // stc
}

TEST_F(FlagTableTest, Writers) {
  EXPECT_EQ(of({0x01, 0xc8}).Overwrites, AllFlags);               // add
  EXPECT_EQ(of({0x85, 0xc0}).Overwrites, AllFlags);               // test
  EXPECT_EQ(of({0xff, 0xc0}).Overwrites, AllFlags & ~CF);         // inc
  EXPECT_EQ(of({0xff, 0xc0}).Changes, AllFlags & ~CF);            // inc
  EXPECT_EQ(of({0x0f, 0xa3, 0xc8}).Overwrites, CF);               // bt
  EXPECT_EQ(of({0x0f, 0xbc, 0xc1}).Overwrites, ZF);               // bsf
  EXPECT_EQ(of({0x0f, 0xc7, 0x0e}).Overwrites, ZF);               // cmpxchg8b
  EXPECT_EQ(of({0x0f, 0xc7, 0x0e}).Changes, ZF);                  // cmpxchg8b
  EXPECT_EQ(of({0x66, 0x0f, 0x38, 0xf6, 0xc1}).Changes, CF);      // adcx
  EXPECT_EQ(of({0xf3, 0x0f, 0x38, 0xf6, 0xc1}).Changes, OF);      // adox
  EXPECT_EQ(of({0x0f, 0x2e, 0xc1}).Overwrites, AllFlags);         // ucomiss
  EXPECT_EQ(of({0xdb, 0xe9}).Overwrites, CF | PF | ZF);           // fucomi
  EXPECT_EQ(of({0x9e}).Overwrites, AllFlags & ~OF);               // sahf
  EXPECT_EQ(of({0x9d}).Overwrites, AllFlags);                     // popf
  EXPECT_EQ(of({0xf8}).Overwrites, CF);                           // clc
  EXPECT_EQ(of({0xf7, 0xd0}).Changes, NoFlags);                   // not
  EXPECT_EQ(of({0x8d, 0x04, 0x08}).Changes, NoFlags);             // lea
  EXPECT_EQ(of({0xc4, 0xe2, 0x79, 0xf7, 0xc1}).Changes, NoFlags); // shlx
}

/// What may do nothing leaves the flags as they were.
TEST_F(FlagTableTest, Counts) {
  EXPECT_EQ(of({0xd1, 0xe0}).Overwrites, AllFlags);             // shl $1
  EXPECT_EQ(of({0xc1, 0xe0, 0x03}).Overwrites, AllFlags);       // shl $3
  EXPECT_EQ(of({0xc1, 0xe0, 0x20}).Overwrites, NoFlags);        // shl $32
  EXPECT_EQ(of({0x48, 0xc1, 0xe0, 0x20}).Overwrites, AllFlags); // 64 bits
  EXPECT_EQ(of({0xd3, 0xe0}).Overwrites, NoFlags);              // shl %cl
  EXPECT_EQ(of({0xd3, 0xe0}).Changes, AllFlags);                // shl %cl
  EXPECT_EQ(of({0x0f, 0xa4, 0xc8, 0x03}).Overwrites, AllFlags); // shld $3
  EXPECT_EQ(of({0xc1, 0xc0, 0x03}).Overwrites, CF);             // rol $3
  EXPECT_EQ(of({0xa6}).Overwrites, NoFlags);                    // cmpsb
}

/// Whatever LLVM says reads or writes flags does so by the table.
TEST_F(FlagTableTest, NoLessThanLLVM) {
  const MCInstrInfo &All = Decoder.instructions();
  unsigned Flags = 0;
  for (unsigned Code = 0; Code < All.getNumOpcodes(); ++Code)
    if (All.getName(Code) == "CMP64rr")
      Flags = All.get(Code).implicit_defs().front();
  ASSERT_NE(Flags, 0u);
  unsigned Readers = 0, Writers = 0;
  for (unsigned Code = 0; Code < All.getNumOpcodes(); ++Code) {
    MCInst Inst;
    Inst.setOpcode(Code);
    const FlagUse Use = Table.of(Inst);
    const MCInstrDesc &Desc = All.get(Code);
    if (is_contained(Desc.implicit_uses(), Flags)) {
      ++Readers;
      // As LLVM sees it, these two read what they leave alone.
      if (All.getName(Code) != "CLC" && All.getName(Code) != "STC")
        EXPECT_NE(Use.Reads, NoFlags) << All.getName(Code).str();
    }
    if (is_contained(Desc.implicit_defs(), Flags)) {
      ++Writers;
      EXPECT_NE(Use.Changes, NoFlags) << All.getName(Code).str();
    }
    EXPECT_EQ(Use.Overwrites & ~Use.Changes, 0) << All.getName(Code).str();
  }
  EXPECT_GT(Readers, 50u);
  EXPECT_GT(Writers, 300u);
}

} // namespace

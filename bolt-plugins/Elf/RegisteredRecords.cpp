//===- Elf/RegisteredRecords.cpp - Code that registers .eh_frame ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GCC's crtbeginT.o, which each -static program has, calls
// __register_frame_info(__EH_FRAME_BEGIN__, &object) if the program has that
// function. It has no unwind record of its own, and once the symbols are gone
// nothing but its bytes tell.
//
// 1. Where records begin is known. Hardly any other number is the address of
//    one, but for the first: it may also be the end of what is before them.
// 2. In code look for the instructions that put an address into a register:
//    lea, and mov where addresses are fixed. Where there is an index of the
//    records, too, only into the register of the first argument.
// 3. A call follows. If it leads nowhere, the linker did not find the function.
// 4. Where there is no index also look at data: someone has to register.
//
//===----------------------------------------------------------------------===//

#include "RegisteredRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

namespace {

using Section = ElfView::Section;

/// From the address of the records to the call that gets it.
constexpr size_t MostBetween = 32;

class Finder {
public:
  Finder(const ElfView &File, ArrayRef<uint64_t> Records)
      : File(File), Records(Records),
        IsFixed(File.header().e_type == ELF::ET_EXEC),
        HasIndex(any_of(File.segments(), [](const ElfView::Segment &S) {
          return S.p_type == ELF::PT_GNU_EH_FRAME;
        })) {}

  bool run() const {
    return any_of(File.sections().drop_front(), [&](const Section &S) {
      // BOLT moved the functions of .bolt.org.text away.
      if (!(S.sh_flags & ELF::SHF_ALLOC) ||
          File.name(S).starts_with(".bolt.org"))
        return false;
      if (S.sh_flags & ELF::SHF_EXECINSTR)
        return isInCode(S);
      return !HasIndex && isInData(S);
    });
  }

private:
  const ElfView &File;
  ArrayRef<uint64_t> Records;
  const bool IsFixed, HasIndex;

  bool isRecord(uint64_t Address) const {
    return binary_search(Records, Address);
  }

  // Step 2.
  bool isInCode(const Section &S) const {
    const StringRef Code = File.content(S);
    for (size_t I = 1; I + 4 <= Code.size(); ++I) {
      const uint32_t Value = support::endian::read32le(Code.data() + I);
      const uint64_t Relative = S.sh_addr + I + 4 + int64_t(int32_t(Value));
      const bool IsPassed =
          (isRecord(Relative) && isLea(Code.take_front(I))) ||
          (IsFixed && isRecord(Value) && isMove(Code.take_front(I)));
      if (IsPassed && isCalled(S, I + 4))
        return true;
    }
    return false;
  }

  /// True if \p Before ends in the opcode of a lea of an address relative to
  /// the next instruction.
  bool isLea(StringRef Before) const {
    constexpr uint8_t FirstArgument = 0x3d;
    if (Before.size() < 3)
      return false;
    const uint8_t Mode = Before.back();
    return uint8_t(Before[Before.size() - 2]) == 0x8d &&
           (HasIndex ? Mode == FirstArgument : (Mode & 0xc7) == 0x05);
  }

  /// The same of a mov of a constant to a register, or a push.
  bool isMove(StringRef Before) const {
    const uint8_t Last = Before.back();
    if (HasIndex && Last != 0xbf && Last != 0xc7)
      return false;
    if ((Last & 0xf8) == 0xb8 || Last == 0x68)
      return true;
    return (Last & 0xf8) == 0xc0 && Before.size() > 1 &&
           uint8_t(Before[Before.size() - 2]) == 0xc7;
  }

  // Step 3.
  bool isCalled(const Section &S, size_t Behind) const {
    const StringRef Code = File.content(S);
    for (size_t I = Behind; I < Behind + MostBetween && I + 5 <= Code.size();
         ++I) {
      const uint8_t Opcode = Code[I];
      if (Opcode != 0xe8 && Opcode != 0xe9)
        continue;
      const int32_t Distance = support::endian::read32le(Code.data() + I + 1);
      const uint64_t Target = S.sh_addr + I + 5 + int64_t(Distance);
      if (File.isCode(Target))
        return true;
      if (!Target)
        return false;
    }
    return !HasIndex;
  }

  // Step 4.
  bool isInData(const Section &S) const {
    if (S.sh_type == ELF::SHT_RELA)
      return any_of(File.table<ElfView::Rela>(S), [&](const ElfView::Rela &R) {
        return R.getType(/*isMips64EL=*/false) == ELF::R_X86_64_RELATIVE &&
               isRecord(R.r_addend);
      });
    if (!S.sh_addr || S.sh_addr % 8 || S.sh_type == ELF::SHT_NOBITS ||
        File.name(S).starts_with(".eh_frame"))
      return false;
    return any_of(File.table<support::ulittle64_t>(S),
                  [&](uint64_t Word) { return isRecord(Word); });
  }
};

} // namespace

std::vector<uint64_t> graupel::recordsIn(const ElfView &File,
                                         const Section &S) {
  std::vector<uint64_t> Found;
  const StringRef Bytes = File.content(S);
  for (uint64_t At = 0; At + 4 <= Bytes.size();) {
    const uint64_t Size = support::endian::read32le(Bytes.data() + At);
    if (Size)
      Found.push_back(S.sh_addr + At);
    At += 4 + Size;
  }
  return Found;
}

bool graupel::registersOneOf(const ElfView &File, ArrayRef<uint64_t> Records) {
  return Finder(File, Records).run();
}

//===- Protect/DataWords.cpp - Words of data that may lead to code --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Words have 4 or 8 bytes and are aligned: what compilers write as .long and
//    .quad. One that leads to code by chance only costs the optimization of the
//    function that is there.
// 2. Whole addresses are in the file where it is linked to a fixed address, and
//    where the loader adds its base in place (.relr.dyn). Otherwise they are in
//    the loader's relocations.
// 3. Distances look the same in every file.
// 4. Code holds addresses anywhere: "movl $.L, %edi".
//
//===----------------------------------------------------------------------===//

#include "DataWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;

/// Calls \p Visit with the offset of each aligned word of \p Bytes in a section
/// at \p Base and with its value. Words of 4 bytes have a sign if \p Signed.
template <typename Visitor>
static void forEachWord(StringRef Bytes, uint64_t Base, bool Signed,
                        Visitor Visit) {
  for (uint64_t At = alignTo(Base, 4) - Base; At + 4 <= Bytes.size(); At += 4) {
    const uint32_t Short = support::endian::read32le(Bytes.data() + At);
    Visit(Base + At, Signed ? uint64_t(int64_t(int32_t(Short))) : Short);
    if ((Base + At) % 8 == 0 && At + 8 <= Bytes.size())
      Visit(Base + At, support::endian::read64le(Bytes.data() + At));
  }
}

bool graupel::hasAppliedRelocations(const ElfView &File) {
  return llvm::any_of(File.sections().drop_front(), [&](const Section &S) {
    return File.isAppliedToProgram(S);
  });
}

std::vector<DataWord> graupel::packedAddresses(const ElfView &File,
                                               const Section &S) {
  std::vector<DataWord> Found;
  for (uint64_t At : File.packedPlaces(S)) {
    const StringRef Bytes = File.bytesAt(At);
    if (Bytes.size() < 8)
      continue;
    const uint64_t Target = support::endian::read64le(Bytes.data());
    if (File.isCode(Target))
      Found.push_back({At, Target});
  }
  return Found;
}

bool graupel::holdsWords(const ElfView &File, const Section &S) {
  if (!(S.sh_flags & ELF::SHF_ALLOC) || S.sh_flags & ELF::SHF_EXECINSTR ||
      S.sh_type != ELF::SHT_PROGBITS)
    return false;
  const StringRef Name = File.name(S);
  return llvm::none_of(
      ArrayRef<StringRef>{".interp", ".eh_frame", ".gcc_except_table", ".plt"},
      [&](StringRef Made) { return Name.starts_with(Made); });
}

std::vector<DataWord> graupel::addressesIn(const ElfView &File,
                                           const Section &S) {
  std::vector<DataWord> Found;
  if (File.header().e_type == ELF::ET_EXEC)
    forEachWord(File.content(S), S.sh_addr, /*Signed=*/false,
                [&](uint64_t At, uint64_t Value) {
                  if (File.isCode(Value))
                    Found.push_back({At, Value});
                });
  return Found;
}

std::vector<DataWord> graupel::operandsIn(const ElfView &File,
                                          const Section &S) {
  std::vector<DataWord> Found;
  const StringRef Code = File.content(S);
  if (File.header().e_type != ELF::ET_EXEC ||
      !(S.sh_flags & ELF::SHF_EXECINSTR))
    return Found;
  // Most are in the section itself, and others are hit by chance.
  for (size_t I = 0; I + 4 <= Code.size(); ++I)
    if (const uint64_t Target = support::endian::read32le(Code.data() + I);
        Target - S.sh_addr < S.sh_size)
      Found.push_back({S.sh_addr + I, Target});
  return Found;
}

std::vector<DataWord> graupel::distancesIn(const ElfView &File,
                                           const Section &S) {
  std::vector<DataWord> Found;
  forEachWord(File.content(S), S.sh_addr, /*Signed=*/true,
              [&](uint64_t At, uint64_t Value) {
                if (File.isCode(At + Value))
                  Found.push_back({At, At + Value});
              });
  return Found;
}

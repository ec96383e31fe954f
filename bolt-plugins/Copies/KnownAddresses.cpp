//===- Copies/KnownAddresses.cpp - Who may know code ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code and data are read byte by byte, not instruction by instruction: what is
// overlooked breaks the program. Who asks may tell what is no instruction where
// the code around it was decoded without a doubt.
//
//   1. The loader's relocations write addresses: relative ones, those of
//      symbols, and packed ones.
//   2. A file with a fixed address has numbers that are addresses, anywhere in
//      data and code.
//   3. "lea A(%rip)" takes an address. All other displacements from the
//      instruction read or write what is there.
//   4. Branches with displacements of 4 bytes lead to code. Shorter ones are
//      left to who knows the instructions around a place.
//   5. Landing pads of exception tables are entered by the unwinder, symbols by
//      who looks them up, and some places by the loader.
//   6. Data may hold distances from itself, or from the beginning of its table.
//      A table begins where code takes an address. One that counts from its
//      beginning ends at the latest at a word that does not lead to code, one
//      that counts from itself where four in a row do not. Proved tables end
//      where they end.
//
//===----------------------------------------------------------------------===//

#include "KnownAddresses.h"
#include "Elf/Unwind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;
using support::endian::read32le;
using support::endian::read64le;

static bool isLoadedCode(const Section &S) {
  return S.sh_flags & ELF::SHF_EXECINSTR && S.sh_flags & ELF::SHF_ALLOC;
}

/// Unwind records and exception tables have numbers of their own kind, which
/// readFrames() reads.
static bool isUnwindTable(const ElfView &File, const Section &S) {
  const StringRef Name = File.name(S);
  return Name.starts_with(".eh_frame") || Name == ".gcc_except_table";
}

template <typename T> static void sortUnique(std::vector<T> &V) {
  llvm::sort(V);
  V.erase(llvm::unique(V), V.end());
}

KnownAddresses::KnownAddresses(const ElfView &File) {
  for (const Section &S : File.sections())
    if (isLoadedCode(S))
      Code.push_back({S.sh_addr, S.sh_addr + S.sh_size});
  for (const Section &S : File.sections()) {
    if (!(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    if (isLoadedCode(S))
      readCode(File, S);
    else if (!isUnwindTable(File, S))
      readDistances(File, S);
    readLoaders(File, S);
    readNumbers(File, S);
  }
  for (const Section &S : File.sections())
    if (S.sh_type == ELF::SHT_DYNSYM || S.sh_type == ELF::SHT_SYMTAB)
      readSymbols(File, S);
  readEntries(File);
  readHandlers(File);
  for (std::vector<Hit> *V : {&Held, &Distances, &Targets, &Operands})
    sortUnique(*V);
  sortUnique(Bases);
}

bool KnownAddresses::hasOneIn(ArrayRef<Hit> Sorted, uint64_t Begin,
                              uint64_t End, Filter IsReal) {
  auto At = llvm::lower_bound(Sorted, Hit{Begin, 0});
  for (; At != Sorted.end() && At->Target < End; ++At)
    if (IsReal(*At))
      return true;
  return false;
}

bool KnownAddresses::isCode(uint64_t Address) const {
  return llvm::any_of(Code, [&](const AddressRange &Range) {
    return Address >= Range.Begin && Address < Range.End;
  });
}

void KnownAddresses::hold(uint64_t Address, uint64_t At) {
  if (isCode(Address))
    Held.push_back({Address, At});
}

// Steps 3 and 4.
void KnownAddresses::readCode(const ElfView &File, const Section &S) {
  const StringRef Bytes = File.content(S);
  constexpr size_t NumberSize = 4;
  auto byte = [&](size_t At) { return static_cast<uint8_t>(Bytes[At]); };
  auto target = [&](size_t Number) {
    return S.sh_addr + Number + NumberSize +
           int64_t(int32_t(read32le(Bytes.data() + Number)));
  };
  for (size_t At = 1; At + NumberSize <= Bytes.size(); ++At) {
    const uint8_t Before = byte(At - 1);
    const bool IsJump = Before == 0xe8 || Before == 0xe9;
    const bool IsBranch =
        At >= 2 && ((Before & 0xf0) == 0x80) && byte(At - 2) == 0x0f;
    const bool IsBegin = At >= 2 && Before == 0xf8 && byte(At - 2) == 0xc7;
    if (IsJump || IsBranch || IsBegin) {
      if (isCode(target(At)))
        Targets.push_back({target(At), S.sh_addr + At});
      continue;
    }
    if ((Before & 0xc7) != 0x05 || At < 2) // A displacement from %rip.
      continue;
    if (byte(At - 2) == 0x8d) {
      if (isCode(target(At)))
        Held.push_back({target(At), S.sh_addr + At});
      else
        Bases.push_back(target(At));
      continue;
    }
    for (unsigned Immediate : {0, 1, 2, 4})
      if (isCode(target(At) + Immediate))
        Operands.push_back({target(At) + Immediate, S.sh_addr + At});
  }
}

// Step 2.
void KnownAddresses::readNumbers(const ElfView &File, const Section &S) {
  if (File.header().e_type != ELF::ET_EXEC || isUnwindTable(File, S))
    return;
  const StringRef Bytes = File.content(S);
  for (size_t At = 0; At + 4 <= Bytes.size(); ++At) {
    const uint32_t Short = read32le(Bytes.data() + At);
    hold(Short, S.sh_addr + At);
    // "mov $table, %ebx".
    if (isLoadedCode(S) && !isCode(Short) && File.sectionAt(Short))
      Bases.push_back(Short);
    if (At + 8 <= Bytes.size())
      hold(read64le(Bytes.data() + At), S.sh_addr + At);
  }
}

// Step 6: from itself.
void KnownAddresses::readDistances(const ElfView &File, const Section &S) {
  const StringRef Bytes = File.content(S);
  for (size_t At = alignTo(S.sh_addr, 4) - S.sh_addr; At + 4 <= Bytes.size();
       At += 4)
    if (const uint64_t Target =
            S.sh_addr + At + int64_t(int32_t(read32le(Bytes.data() + At)));
        isCode(Target))
      Distances.push_back({Target, S.sh_addr + At});
}

// Step 1.
void KnownAddresses::readLoaders(const ElfView &File, const Section &S) {
  if (S.sh_type == ELF::SHT_RELR)
    for (uint64_t At : File.packedPlaces(S))
      if (const StringRef Bytes = File.bytesAt(At); Bytes.size() >= 8)
        hold(read64le(Bytes.data()), At);
  if (S.sh_type != ELF::SHT_RELA)
    return;
  ArrayRef<ElfView::Symbol> Symbols;
  if (S.sh_link && S.sh_link < File.sections().size())
    Symbols = File.table<ElfView::Symbol>(File.sections()[S.sh_link]);
  for (const ElfView::Rela &R : File.table<ElfView::Rela>(S)) {
    const uint32_t Symbol = R.getSymbol(/*isMips64EL=*/false);
    const uint64_t Base =
        Symbol < Symbols.size() ? uint64_t(Symbols[Symbol].st_value) : 0;
    hold(Base + R.r_addend, R.r_offset);
  }
}

/// Whether the rules at the beginning of \p Record are those of the ABI at the
/// entry of a function.
static bool isAsAtEntry(const FrameRecord &Record) {
  // The frame begins 8 bytes above the stack pointer, which is register 7, with
  // the return address.
  constexpr StringLiteral AtEntry = "\x0c\x07\x08\x90\x01";
  const StringRef Common = Record.Common.Program, Own = Record.Program;
  return Common.starts_with(AtEntry) &&
         Common.drop_front(AtEntry.size()).find_first_not_of('\0') ==
             StringRef::npos &&
         Record.Common.DataAlignment == -8 &&
         (Own.empty() || Own[0] == dwarf::DW_CFA_nop ||
          (Own[0] & 0xc0) == dwarf::DW_CFA_advance_loc ||
          (Own[0] >= dwarf::DW_CFA_advance_loc1 &&
           Own[0] <= dwarf::DW_CFA_advance_loc4));
}

// Step 5.
void KnownAddresses::readHandlers(const ElfView &File) {
  const Section *Frames = File.find(".eh_frame");
  if (!Frames)
    return;
  Expected<std::vector<FrameRecord>> Found = readFrames(File, *Frames);
  if (!Found)
    return consumeError(Found.takeError());
  for (const FrameRecord &Record : *Found) {
    Records.push_back({Record.Begin, Record.End});
    if (!isAsAtEntry(Record))
      InFrame.push_back(Record.Begin);
    const Section *Home = Record.LSDA ? File.sectionAt(Record.LSDA) : nullptr;
    if (!Home)
      continue;
    if (auto Sites = readCallSites(File, *Home, Record))
      for (const CallSite &Site : *Sites)
        Targets.push_back({Site.LandingPad, Record.LSDA});
    else
      consumeError(Sites.takeError());
  }
  llvm::sort(Records, [](const AddressRange &A, const AddressRange &B) {
    return std::tie(A.Begin, A.End) < std::tie(B.Begin, B.End);
  });
  llvm::sort(InFrame);
  // Clang writes empty records for functions without code, and lld's index has
  // one record for each address, the first: of two the unwinder may see none.
  uint64_t Unseen = 0;
  llvm::erase_if(Records, [&](const AddressRange &Record) {
    if (Record.Begin == Record.End)
      Unseen = Record.Begin;
    return Record.Begin == Unseen;
  });
}

bool KnownAddresses::hasRecord(uint64_t Begin, uint64_t End) const {
  const auto Next = llvm::upper_bound(
      Records, Begin, [](uint64_t Address, const AddressRange &Record) {
        return Address < Record.Begin;
      });
  return Next != Records.begin() && End <= std::prev(Next)->End;
}

// Nothing in the file is there: such a hit is real wherever its target is.
static constexpr uint64_t Nowhere = 0;

void KnownAddresses::readSymbols(const ElfView &File, const Section &S) {
  for (const ElfView::Symbol &Symbol : File.table<ElfView::Symbol>(S))
    if (File.isCode(Symbol))
      Targets.push_back({Symbol.st_value, Nowhere});
}

void KnownAddresses::readEntries(const ElfView &File) {
  Targets.push_back({File.header().e_entry, Nowhere});
  for (const ElfView::Dyn &Entry : File.dynamic())
    if (Entry.getTag() == ELF::DT_INIT || Entry.getTag() == ELF::DT_FINI)
      Targets.push_back({Entry.getPtr(), Nowhere});
}

// Step 6: from the beginning of a table.
void KnownAddresses::readTable(StringRef Bytes, uint64_t Base, uint64_t End) {
  for (size_t At = 0; At + 4 <= Bytes.size() && Base + At < End; At += 4) {
    const uint64_t Target =
        Base + int64_t(int32_t(read32le(Bytes.data() + At)));
    if (!isCode(Target))
      break;
    Held.push_back({Target, Base + At});
  }
}

// Step 6: from themselves. What leads into one function from the beginning of the
// table is a switch's.
void KnownAddresses::readFaultTable(StringRef Bytes, uint64_t Base,
                                    uint64_t End) {
  constexpr unsigned MostTags = 3;
  auto target = [&](size_t From, size_t At) {
    return Base + From + int64_t(int32_t(read32le(Bytes.data() + At)));
  };
  const size_t Size = std::min<uint64_t>(Bytes.size(), End - Base) / 4 * 4;
  bool IsSwitch = true, WasCode = false;
  for (size_t At = 0, Tags = 0; Tags <= MostTags && At < Size; At += 4) {
    const auto [Low, High] = std::minmax(target(0, 0), target(0, At));
    IsSwitch &= hasRecord(Low, High + 1);
    // The place of a fault is beside where to go on; strings have no two.
    const bool IsCode = isCode(target(At, At));
    const bool IsNextCode = At + 8 <= Size && isCode(target(At + 4, At + 4));
    if (!IsSwitch && IsCode && (WasCode || IsNextCode))
      Held.push_back({target(At, At), Base + At});
    Tags = IsCode ? 0 : Tags + 1;
    WasCode = IsCode;
  }
}

void KnownAddresses::addTables(const ElfView &File,
                               const std::map<uint64_t, uint64_t> &Proved) {
  for (uint64_t Base : Bases) {
    const Section *Home = File.sectionAt(Base);
    // Tables of the loader are full of small numbers.
    if (!Home || Home->sh_type != ELF::SHT_PROGBITS ||
        isUnwindTable(File, *Home) || Proved.contains(Base))
      continue;
    const StringRef Bytes = File.content(*Home).drop_front(
        std::min<uint64_t>(Base - Home->sh_addr, File.content(*Home).size()));
    // No object is inside of another.
    const auto Next = Proved.lower_bound(Base);
    const uint64_t End = Next == Proved.end() ? UINT64_MAX : Next->first;
    readTable(Bytes, Base, End);
    const auto Other = llvm::upper_bound(Bases, Base);
    readFaultTable(Bytes, Base,
                   Other == Bases.end() ? End : std::min(End, *Other));
  }
  sortUnique(Held);
}

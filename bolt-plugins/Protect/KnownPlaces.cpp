//===- Protect/KnownPlaces.cpp - Known places in code ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Sort the symbols of functions, and find those that are elements of an array
//    of code: they overlap without one being inside of the other, or are a jump
//    and nothing but padding.
// 2. Find functions that begin where a symbol says that another section ends.
// 3. Look at each relocation that the linker applied to data, and at the
//    loader's: which place in code does it mean, and where is that number held?
// 4. Look at each relocation of code that is relative to its own place. In
//    front of a displacement that the processor takes as relative there is one
//    of few bytes. Where these are not found, the number may count from some
//    label: "movzbl table-base(%rdx,%rdi), %eax". Whether it does is decided
//    where the instruction is decoded. For those behind a branch's first bytes,
//    note where they lead.
// 5. Read the notes about probes.
// 6. Note where the address of code is taken: by each relocation that is not of
//    a direct branch, and by symbols for the loader. Note what else code refers
//    to.
// 7. Where the linker left no relocations, read the words of data and the
//    operands of code themselves: each that could be the address of a place in
//    code is taken for one.
//
//===----------------------------------------------------------------------===//

#include "KnownPlaces.h"
#include "AbsoluteNumbers.h"
#include "DataWords.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace llvm;
using namespace graupel;

namespace {

using Kind = KnownPlace::Kind;
using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

uint32_t typeOf(const Rela &R) { return R.getType(/*isMips64EL=*/false); }

/// Sections into which linkers put what compilers call data. A program that
/// chooses another name walks over it as a table.
bool isOrdinaryData(StringRef Name) {
  for (StringRef Known :
       {".rodata", ".data", ".lrodata", ".ldata", ".init_array", ".fini_array",
        ".preinit_array", ".ctors", ".dtors", ".got", ".tdata", ".tm_clone"})
    if (Name.starts_with(Known))
      return true;
  return false;
}

/// Tables by which instructions are found that are going to be patched.
bool isPatchersTable(StringRef Name) {
  return Name == "__patchable_function_entries" || Name == "__mcount_loc" ||
         Name == "__jump_table" || Name.starts_with("xray_");
}

class Finder {
public:
  explicit Finder(const ElfView &File) : File(File) {}

  KnownPlaces run() {
    collectFunctions();
    findArrays();
    findEnds();
    for (const Section &S : File.sections().drop_front()) {
      if (S.sh_type == ELF::SHT_DYNSYM)
        for (const Symbol &Sym : File.table<Symbol>(S))
          take(Sym.st_value);
      if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC)
        for (const Rela &R : File.table<Rela>(S)) {
          if (typeOf(R) == ELF::R_X86_64_RELATIVE)
            addAddress(R.r_offset, R.r_addend, kindAt(R.r_offset));
          else if (typeOf(R) == ELF::R_X86_64_IRELATIVE)
            Result.Chosen.push_back({R.r_offset, R.r_addend});
        }
      if (File.isAppliedToProgram(S))
        look(S);
      if (S.sh_type == ELF::SHT_NOTE && File.name(S) == ".note.stapsdt")
        findProbes(S);
      if (S.sh_type == ELF::SHT_RELR)
        for (const DataWord &W : packedAddresses(File, S))
          addAddress(W.At, W.Target, kindAt(W.At));
    }
    if (!hasAppliedRelocations(File))
      readWords();
    sortUnique(Result.Known);
    sortUnique(Result.Branches);
    sortUnique(Result.Filled);
    sortUnique(Result.DataReferences);
    sortUnique(Result.DoubtfulOperands);
    sortUnique(Result.ArrayElements);
    sortUnique(Result.BehindSections);
    sortUnique(Result.CodeLabels);
    sortUnique(Result.InnerLabels);
    sortUnique(Result.SecondNames);
    sortUnique(Result.Chosen);
    Result.TakenAddresses.assign(Taken.begin(), Taken.end());
    llvm::sort(Result.TakenAddresses);
    return std::move(Result);
  }

private:
  const ElfView &File;
  KnownPlaces Result;
  struct Function {
    uint64_t Begin, End;
  };
  std::vector<Function> Functions; ///< By address.
  DenseSet<uint64_t> Beginnings, Taken;
  /// The name of the function at an address; empty if it has several.
  DenseMap<uint64_t, StringRef> Names;

  template <typename T> static void sortUnique(std::vector<T> &V) {
    llvm::sort(V);
    V.erase(llvm::unique(V), V.end());
  }

  bool isCode(const Section &S) const {
    return S.sh_flags & ELF::SHF_ALLOC && S.sh_flags & ELF::SHF_EXECINSTR;
  }

  // Step 1.
  void collectFunctions() {
    for (const Section &S : File.sections().drop_front()) {
      if (S.sh_type != ELF::SHT_SYMTAB)
        continue;
      const StringRef Strings = File.linkedStrings(S);
      for (const Symbol &Sym : File.table<Symbol>(S)) {
        const bool IsFunction = Sym.getType() == ELF::STT_FUNC ||
                                Sym.getType() == ELF::STT_GNU_IFUNC;
        if (!IsFunction || Sym.st_shndx == ELF::SHN_UNDEF ||
            Sym.st_shndx == ELF::SHN_ABS)
          continue;
        Beginnings.insert(Sym.st_value);
        const StringRef Name = ElfView::string(Strings, Sym.st_name);
        const auto [First, IsNew] = Names.try_emplace(Sym.st_value, Name);
        if (!IsNew && First->second != Name)
          First->second = StringRef();
        if (Sym.st_size)
          Functions.push_back({Sym.st_value, Sym.st_value + Sym.st_size});
        // The type of a function, which -fsanitize=kcfi puts before it.
        if (Name.starts_with("__cfi_"))
          for (uint64_t Offset : {uint64_t(0), uint64_t(Sym.st_size)})
            add(Sym.st_value, Sym.st_value + Offset, Kind::Patched);
      }
    }
    llvm::sort(Functions, [](const Function &A, const Function &B) {
      return std::tie(A.Begin, B.End) < std::tie(B.Begin, A.End);
    });
  }

  /// The bounds of sections are looked at elsewhere (CodeBounds.h).
  bool boundsSection(const Symbol &S, StringRef Name) const {
    if (Name.starts_with("__start_") || Name.starts_with("__stop_"))
      return true;
    if (!S.st_shndx || S.st_shndx >= File.sections().size())
      return false;
    const Section &Home = File.sections()[S.st_shndx];
    return S.st_value == Home.sh_addr + Home.sh_size;
  }

  /// The address of \p S is taken under that name. A label that is no function
  /// says that what follows is more than the function which begins there. A
  /// second name may be that of the first instruction.
  void noteName(const Symbol &S, StringRef Strings) {
    const StringRef Name = ElfView::string(Strings, S.st_name);
    if (Name.empty() || boundsSection(S, Name))
      return;
    if (!Beginnings.contains(S.st_value)) {
      if (S.getType() == ELF::STT_NOTYPE && File.isCode(S.st_value))
        Result.InnerLabels.push_back(S.st_value);
      return;
    }
    if (S.getType() == ELF::STT_NOTYPE || S.getType() == ELF::STT_OBJECT)
      Result.CodeLabels.push_back(S.st_value);
    else if (S.getType() == ELF::STT_FUNC && !Name.starts_with("_Z") &&
             Names.lookup(S.st_value).empty())
      Result.SecondNames.push_back(S.st_value);
  }

  void findArrays() {
    findOverlaps();
    for (const Function &F : Functions)
      if (isPaddedJump(File.bytesAt(F.Begin).take_front(F.End - F.Begin)))
        Result.ArrayElements.push_back(F.Begin);
  }

  /// True for [endbr64], jmp, int3 ..., if that is filled up to a power of two.
  static bool isPaddedJump(StringRef Code) {
    if (Code.size() != 8 && Code.size() != 16)
      return false;
    Code.consume_front("\xf3\x0f\x1e\xfa");
    return Code.consume_front("\xe9") && Code.size() > 4 &&
           Code.drop_front(4).find_first_not_of('\xcc') == StringRef::npos;
  }

  void findOverlaps() {
    Function Outer = {0, 0};
    for (const Function &F : Functions) {
      if (F.Begin < Outer.End && F.Begin != Outer.Begin && F.End > Outer.End) {
        Result.ArrayElements.push_back(Outer.Begin);
        Result.ArrayElements.push_back(F.Begin);
      }
      if (F.End > Outer.End)
        Outer = F;
    }
  }

  // Step 2.
  void findEnds() {
    for (const Section &Table : File.sections().drop_front()) {
      if (Table.sh_type != ELF::SHT_SYMTAB)
        continue;
      for (const Symbol &S : File.table<Symbol>(Table))
        if (S.st_shndx && S.st_shndx < File.sections().size() &&
            Beginnings.contains(S.st_value)) {
          const Section &Home = File.sections()[S.st_shndx];
          if (S.st_value == Home.sh_addr + Home.sh_size)
            Result.BehindSections.push_back(S.st_value);
        }
    }
  }

  void add(uint64_t At, uint64_t Target, Kind Is) {
    Result.Known.push_back({At, Target, Is});
  }

  void addAddress(uint64_t At, uint64_t Target, Kind Is) {
    take(Target);
    if (File.isCode(Target) &&
        (Is == Kind::Patched || !Beginnings.contains(Target)))
      add(At, Target, Is);
  }

  // Step 6.
  void take(uint64_t Target) {
    if (File.isCode(Target))
      Taken.insert(Target);
  }

  Kind kindAt(uint64_t Address) const {
    const Section *S = File.sectionAt(Address);
    return S ? kindIn(*S) : Kind::Data;
  }

  /// The kind of an address in section \p S.
  Kind kindIn(const Section &S) const {
    const StringRef Name = File.name(S);
    return isPatchersTable(Name)  ? Kind::Patched
           : isOrdinaryData(Name) ? Kind::Data
                                  : Kind::Table;
  }

  // Step 3.
  void look(const Section &Relocations) {
    const Section &Place = File.sections()[Relocations.sh_info];
    const StringRef Name = File.name(Place);
    if (Place.sh_type == ELF::SHT_NOBITS || Name.starts_with(".eh_frame") ||
        Name.starts_with(".gcc_except_table"))
      return;
    const Section &Table = File.sections()[Relocations.sh_link];
    ArrayRef<Symbol> Symbols = File.table<Symbol>(Table);
    const StringRef Strings = File.linkedStrings(Table);
    const bool InCode = isCode(Place);
    const Kind Is = kindIn(Place);
    for (const Rela &R : File.table<Rela>(Relocations)) {
      const Symbol &S = Symbols[R.getSymbol(/*isMips64EL=*/false)];
      if (isOfNumber(R, S)) {
        // Where files are not moved, it may be meant for an address.
        if (File.header().e_type == ELF::ET_EXEC)
          addNumber(R.r_offset, S.st_value + R.r_addend, Is);
      } else if (InCode)
        lookInCode(R, S, Place, Strings);
      else
        lookInData(R, S, Is, Strings);
    }
  }

  void lookInData(const Rela &R, const Symbol &S, Kind Is, StringRef Strings) {
    const uint64_t Target = S.st_value + R.r_addend;
    take(Target);
    noteName(S, Strings);
    switch (typeOf(R)) {
    case ELF::R_X86_64_64:
    case ELF::R_X86_64_32:
    case ELF::R_X86_64_32S:
      return addAddress(R.r_offset, Target, Is);
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_PLT32:
      if (Is != Kind::Data)
        addNumber(R.r_offset, Target, Is);
      // A number that counts from a table's beginning may seem to be behind the
      // code.
      if (Is != Kind::Patched &&
          (File.isCode(Target) || File.isCode(S.st_value)))
        add(R.r_offset, Target, Kind::RelativeData);
      return;
    case ELF::R_X86_64_8:
    case ELF::R_X86_64_16:
    case ELF::R_X86_64_PC8:
    case ELF::R_X86_64_PC16:
    case ELF::R_X86_64_PC64:
    case ELF::R_X86_64_GOTOFF64:
    case ELF::R_X86_64_PLTOFF64:
      return addNumber(R.r_offset, Target, Is);
    default:
      return;
    }
  }

  /// Nobody updates this, even if it is the beginning of a function.
  void addNumber(uint64_t At, uint64_t Target, Kind Is) {
    if (File.isCode(Target))
      add(At, Target, Is == Kind::Patched ? Is : Kind::Number);
  }

  // Step 4.
  void lookInCode(const Rela &R, const Symbol &S, const Section &Place,
                  StringRef Strings) {
    const StringRef Code = File.content(Place);
    const uint64_t Offset = R.r_offset - Place.sh_addr;
    Result.Filled.push_back({R.r_offset, kindOf(typeOf(R))});
    switch (typeOf(R)) {
    case ELF::R_X86_64_GOTOFF64:
    case ELF::R_X86_64_PLTOFF64:
    case ELF::R_X86_64_8:
    case ELF::R_X86_64_16:
      take(S.st_value + R.r_addend);
      return addNumber(R.r_offset, S.st_value + R.r_addend, Kind::Number);
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_PLT32:
      if (!isBranch(Code, Offset)) {
        refer(S.st_value + R.r_addend + 4);
        noteName(S, Strings);
      } else if (const uint64_t Target = S.st_value + R.r_addend + 4;
                 File.isCode(Target) && !Beginnings.contains(Target))
        Result.Branches.push_back({R.r_offset, Target});
      if (!isAccess(Code, Offset) && isApplied(S, Strings))
        Result.DoubtfulOperands.push_back(R.r_offset);
      return;
    case ELF::R_X86_64_GOTPCRELX:
    case ELF::R_X86_64_REX_GOTPCRELX:
      if (!isBranch(Code, Offset)) {
        take(S.st_value);
        noteName(S, Strings);
      }
      return;
    case ELF::R_X86_64_GOTPCREL:
    case ELF::R_X86_64_GOTPC32:
      take(S.st_value);
      noteName(S, Strings);
      if (!isAccess(Code, Offset))
        Result.DoubtfulOperands.push_back(R.r_offset);
      return;
    case ELF::R_X86_64_PC8:
    case ELF::R_X86_64_PC16:
    case ELF::R_X86_64_PC64:
    case ELF::R_X86_64_GOTPC64:
    case ELF::R_X86_64_GOTPCREL64:
      Result.DoubtfulOperands.push_back(R.r_offset);
      break;
    default:
      break;
    }
    noteName(S, Strings);
    refer(S.st_value + R.r_addend);
  }

  /// An operand of code is the address \p Target.
  void refer(uint64_t Target) {
    if (File.isCode(Target))
      Taken.insert(Target);
    else
      Result.DataReferences.push_back(Target);
  }

  static FilledPlace::Kind kindOf(uint32_t Type) {
    switch (Type) {
    case ELF::R_X86_64_PC8:
    case ELF::R_X86_64_PC16:
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_PC64:
    case ELF::R_X86_64_PLT32:
      return FilledPlace::Kind::Relative;
    case ELF::R_X86_64_8:
    case ELF::R_X86_64_16:
    case ELF::R_X86_64_32:
    case ELF::R_X86_64_32S:
    case ELF::R_X86_64_64:
      return FilledPlace::Kind::Absolute;
    default:
      return FilledPlace::Kind::Either;
    }
  }

  /// Linkers put other instructions in the place of calls of __tls_get_addr.
  static bool isApplied(const Symbol &S, StringRef Strings) {
    return S.getType() != ELF::STT_TLS &&
           !ElfView::string(Strings, S.st_name).starts_with("__tls_get_addr");
  }

  static uint8_t byteBefore(StringRef Code, uint64_t Offset, unsigned Before) {
    return Offset >= Before && Offset - Before < Code.size()
               ? Code[Offset - Before]
               : 0;
  }

  /// True if the four bytes at \p Offset may be the target of a direct jump or
  /// call.
  static bool isBranch(StringRef Code, uint64_t Offset) {
    const uint8_t Last = byteBefore(Code, Offset, 1);
    return Last == 0xe8 || Last == 0xe9 ||
           (byteBefore(Code, Offset, 2) == 0x0f && (Last & 0xf0) == 0x80);
  }

  /// True if the four bytes at \p Offset surely are the target of a jump or
  /// call, or a displacement from the instruction pointer.
  static bool isAccess(StringRef Code, uint64_t Offset) {
    auto byte = [&](unsigned Before) {
      return byteBefore(Code, Offset, Before);
    };
    // Behind one of these is another byte about the operand.
    auto mayHaveIndex = [](uint8_t Mode) {
      return (Mode & 0x07) == 4 &&
             ((Mode & 0xc0) == 0 || (Mode & 0xc0) == 0x80);
    };
    const uint8_t Last = byte(1);
    if ((Last & 0xc7) == 0x05 || Last == 0xe8 || Last == 0xe9)
      return !mayHaveIndex(byte(2));
    // Conditional jumps; vpalignr looks alike.
    return byte(2) == 0x0f && (Last & 0xf0) == 0x80 && byte(3) != 0x3a &&
           byte(5) != 0xc4 && byte(6) != 0x62;
  }

  // Step 5.
  void findProbes(const Section &S) {
    constexpr uint64_t HeaderSize = 12;
    for (StringRef Rest = File.content(S); Rest.size() >= HeaderSize;) {
      const uint64_t NameSize = support::endian::read32le(Rest.data());
      const uint64_t Size = support::endian::read32le(Rest.data() + 4);
      const uint64_t Begin = HeaderSize + alignTo(NameSize, 4);
      if (!fits(Begin, Size, Rest.size()))
        return;
      if (Size >= 8)
        addNumber(S.sh_addr, support::endian::read64le(Rest.data() + Begin),
                  Kind::Patched);
      Rest = Rest.drop_front(
          std::min<uint64_t>(alignTo(Begin + Size, 4), Rest.size()));
    }
  }

  // Step 7.
  void readWords() {
    for (const Section &S : File.sections().drop_front()) {
      for (const DataWord &W : operandsIn(File, S))
        addAddress(W.At, W.Target, Kind::Number);
      if (!holdsWords(File, S))
        continue;
      const Kind Is = kindIn(S);
      for (const DataWord &W : addressesIn(File, S))
        addAddress(W.At, W.Target, Is);
      // Without relocations functions keep their beginnings. In ordinary data
      // are switches.
      if (Is != Kind::Data)
        for (const DataWord &W : distancesIn(File, S))
          addAddress(W.At, W.Target, Is == Kind::Table ? Kind::Number : Is);
    }
  }
};

KnownPlaces Noted;

} // namespace

KnownPlaces graupel::findKnownPlaces(const ElfView &File) {
  if (File.header().e_machine != ELF::EM_X86_64)
    return KnownPlaces();
  return Finder(File).run();
}

void graupel::noteKnownPlaces(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (File)
    Noted = findKnownPlaces(*File);
  else
    consumeError(File.takeError());
}

const KnownPlaces &graupel::knownPlaces() { return Noted; }

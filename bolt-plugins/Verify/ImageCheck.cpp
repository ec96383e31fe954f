//===- Verify/ImageCheck.cpp - Checks parts that must stay ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares everything in both images but the code. The checks run in the order
// of Checker::run(); the first difference is the error.
//
// 1. checkHeadersPlace(), checkSegments() and checkAppended() compare the
//    segments with the input's and with their sections, and what is behind all
//    parts of the file.
// 2. checkDynamic() looks for each entry of the input's dynamic section in the
//    output's. Values may differ where functions or tables have moved.
// 3. checkRelocations() compares the loader's relocations by their places, and
//    whether resolvers run last (checkOrder).
// 4. checkStubs() disassembles the lazy stubs of the PLT and compares the
//    numbers that they push.
// 5. checkData() compares the bytes of data outside of addresses. Then
//    checkDynamicSymbols() compares the loader's symbols, and
//    checkDataSymbols() the places of named data.
//
//===----------------------------------------------------------------------===//

#include "ImageCheck.h"
#include "CommandLine.h"
#include "Disassembler.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include <map>
#include <set>

using namespace llvm;
using namespace graupel;

namespace {

using Section = ElfView::Section;
using Segment = ElfView::Segment;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

class Checker {
public:
  Checker(const ElfView &Input, const ElfView &Output,
          const AppliedRelocations &Before, bool MayAdd)
      : Input(Input), Output(Output), Before(Before), MayAdd(MayAdd) {}

  Error run() {
    using Check = Error (Checker::*)();
    for (Check C :
         {&Checker::checkHeadersPlace, &Checker::checkSegments,
          &Checker::checkAppended, &Checker::checkDynamic,
          &Checker::checkRelocations, &Checker::checkStubs, &Checker::checkData,
          &Checker::checkDynamicSymbols, &Checker::checkDataSymbols})
      if (Error E = (this->*C)())
        return E;
    return Error::success();
  }

private:
  const ElfView &Input, &Output;
  const AppliedRelocations &Before;
  const bool MayAdd;

  static Error bad(const Twine &Problem) {
    return badFile(Problem,
                   "this is a defect of graupel-bolt, report it with the "
                   "input");
  }

  Error checkSegments();
  Error checkHeadersPlace();
  Error checkAppended();
  Error checkSegment(const Segment &S) const;
  Error checkSectionOf(const Segment &S) const;
  Error checkDynamic();
  Error checkRelocations();
  Error checkOrder(const ElfView &File, bool &InOrder) const;
  Error checkStubs();
  Error checkData();
  Error checkBytes(const Section &S) const;
  Error checkDynamicSymbols();
  Error checkExportsApart(const Section &Old, const Section &New) const;
  Error checkDataSymbols();
  uint64_t behindAddress(uint64_t Place) const;
  bool isMoved(uint64_t Before, uint64_t Now) const;
  uint64_t valueNow(const Symbol &S) const;
};

//===-- 1. Segments -------------------------------------------------------===//

/// True if \p Note is what a header of PT_GNU_PROPERTY is for, too. Such a note
/// may be left out: loaders do not look at it.
bool isRepeated(const ElfView &File, const Segment &Note) {
  return Note.p_type == ELF::PT_NOTE &&
         llvm::any_of(File.segments(), [&](const Segment &S) {
           return S.p_type == ELF::PT_GNU_PROPERTY &&
                  S.p_offset == Note.p_offset && S.p_filesz == Note.p_filesz;
         });
}

std::vector<const Segment *> segmentsOf(const ElfView &File, uint32_t Type) {
  std::vector<const Segment *> List;
  for (const Segment &S : File.segments())
    if (S.p_type == Type && !isRepeated(File, S))
      List.push_back(&S);
  return List;
}

bool isWatched(uint32_t Type) {
  switch (Type) {
  case ELF::PT_PHDR:
  case ELF::PT_INTERP:
  case ELF::PT_DYNAMIC:
  case ELF::PT_NOTE:
  case ELF::PT_TLS:
  case ELF::PT_GNU_EH_FRAME:
  case ELF::PT_GNU_RELRO:
  case ELF::PT_GNU_PROPERTY:
  case ELF::PT_GNU_STACK:
    return true;
  default:
    return false;
  }
}

/// Whether \p S is in the file where it is in memory.
bool isCongruent(const ElfView &File, const Segment &S) {
  const StringRef Loaded = File.bytesAt(S.p_vaddr);
  return !S.p_filesz || (Loaded.size() >= S.p_filesz &&
                         Loaded.data() == File.content(S).data());
}

Error Checker::checkSegments() {
  std::set<uint32_t> Types;
  for (const ElfView *File : {&Input, &Output})
    for (const Segment &S : File->segments())
      if (isWatched(S.p_type))
        Types.insert(S.p_type);
  for (uint32_t Type : Types) {
    auto Old = segmentsOf(Input, Type), New = segmentsOf(Output, Type);
    if (Old.size() != New.size())
      return bad("there are " + Twine(New.size()) + " segments of type " +
                 hex(Type) + ", in the input " + Twine(Old.size()));
    // Parts that the loader finds by their segment alone may be elsewhere.
    const bool MayMove = Type == ELF::PT_PHDR || Type == ELF::PT_GNU_EH_FRAME ||
                         Type == ELF::PT_INTERP || Type == ELF::PT_NOTE ||
                         Type == ELF::PT_GNU_PROPERTY;
    for (const auto &[A, B] : zip(Old, New)) {
      if (!MayMove && (A->p_vaddr != B->p_vaddr || A->p_memsz != B->p_memsz ||
                       A->p_flags != B->p_flags))
        return bad("the segment of type " + hex(Type) + " is at " +
                   hex(B->p_vaddr) + ", in the input at " + hex(A->p_vaddr) +
                   ", or of another size or with other rights");
      // Linkers do not care where the file has what is only protected.
      if (isCongruent(Input, *A) && !isCongruent(Output, *B))
        return bad("the segment of type " + hex(Type) + " at " +
                   hex(B->p_vaddr) +
                   " is not in the file where it is in memory");
      if (Error E = checkSegment(*B))
        return E;
    }
  }
  for (const Segment &S : Output.segments())
    if (S.p_type == ELF::PT_LOAD && S.p_flags & ELF::PF_X &&
        S.p_flags & ELF::PF_W &&
        llvm::none_of(Input.segments(), [](const Segment &Old) {
          return Old.p_flags & ELF::PF_X && Old.p_flags & ELF::PF_W;
        }))
      return bad("code can be written to");
  return Error::success();
}

/// The number of load segments that hold the program headers. The system tells
/// a program where they are in one of them, and the loader computes from that
/// where the program is.
unsigned holdersOfHeaders(const ElfView &File) {
  return llvm::count_if(File.segments(), [&](const Segment &S) {
    return S.p_type == ELF::PT_LOAD &&
           File.header().e_phoff - S.p_offset < S.p_filesz;
  });
}

Error Checker::checkHeadersPlace() {
  const unsigned Holders = holdersOfHeaders(Output);
  if (Holders > 1 && Holders > holdersOfHeaders(Input))
    return bad("the program headers are in several segments");
  return Error::success();
}

Error Checker::checkAppended() {
  if (Input.appended() != Output.appended())
    return bad("what is behind the sections in the file is not what is there "
               "in the input");
  return Error::success();
}

Error Checker::checkSegment(const Segment &S) const {
  if (S.p_type == ELF::PT_GNU_STACK)
    return Error::success();
  if (S.p_type == ELF::PT_PHDR &&
      (S.p_offset != Output.header().e_phoff ||
       S.p_filesz != Output.segments().size() * sizeof(Segment)))
    return bad("the program headers are not where their segment says");
  return checkSectionOf(S);
}

/// Segments that are one section.
Error Checker::checkSectionOf(const Segment &S) const {
  StringRef Name;
  switch (S.p_type) {
  case ELF::PT_INTERP:
    Name = ".interp";
    break;
  case ELF::PT_DYNAMIC:
    Name = ".dynamic";
    break;
  case ELF::PT_GNU_EH_FRAME:
    Name = ".eh_frame_hdr";
    break;
  default:
    return Error::success();
  }
  if (!Input.find(Name))
    return Error::success();
  const Section *Home = Output.find(Name);
  if (!Home || Home->sh_addr != S.p_vaddr || Home->sh_size != S.p_filesz ||
      Home->sh_size != S.p_memsz)
    return bad("section " + Name + " is not where its segment is");
  return Error::success();
}

//===-- 2. The dynamic section --------------------------------------------===//

/// Whether only tables say where a section like \p S is.
bool mayMove(const Section &S, StringRef Name) {
  switch (S.sh_type) {
  case ELF::SHT_NOTE:
  case ELF::SHT_HASH:
  case ELF::SHT_GNU_HASH:
  case ELF::SHT_DYNSYM:
  case ELF::SHT_STRTAB:
  case ELF::SHT_GNU_versym:
  case ELF::SHT_GNU_verneed:
  case ELF::SHT_GNU_verdef:
    return true;
  default:
    return Name == ".interp";
  }
}

/// The value that the symbol \p S of the input must have in the output. That of
/// an absolute one is a number, as the offset of a structure's member is.
uint64_t Checker::valueNow(const Symbol &S) const {
  const Section *Home = Input.sectionAt(S.st_value);
  if (!Home || S.st_shndx == ELF::SHN_ABS || S.getType() == ELF::STT_TLS ||
      !mayMove(*Home, Input.name(*Home)))
    return S.st_value;
  const Section *New = Output.find(Input.name(*Home));
  return New ? S.st_value - Home->sh_addr + New->sh_addr : S.st_value;
}

/// Whether \p Now is where the section at \p Before is in the output.
bool Checker::isMoved(uint64_t Before, uint64_t Now) const {
  const Section *S = Input.sectionAt(Before);
  if (!S || S->sh_addr != Before || !mayMove(*S, Input.name(*S)))
    return false;
  const Section *New = Output.find(Input.name(*S));
  return New && New->sh_addr == Now && New->sh_type == S->sh_type;
}

Error Checker::checkDynamic() {
  std::multimap<uint64_t, uint64_t> Now;
  for (const ElfView::Dyn &D : Output.dynamic())
    Now.emplace(D.getTag(), D.getVal());
  for (const ElfView::Dyn &D : Input.dynamic()) {
    const uint64_t Tag = D.getTag();
    auto [Begin, End] = Now.equal_range(Tag);
    if (Begin == End)
      return bad("the dynamic section has no entry " + hex(Tag) +
                 ", the input's has");
    // Functions move; binding may become immediate; the debugger's is empty.
    if (Tag == ELF::DT_INIT || Tag == ELF::DT_FINI || Tag == ELF::DT_FLAGS ||
        Tag == ELF::DT_FLAGS_1 || Tag == ELF::DT_DEBUG ||
        Tag == ELF::DT_RELACOUNT)
      continue;
    if (MayAdd && (Tag == ELF::DT_RELASZ || Tag == ELF::DT_RELA ||
                   Tag == ELF::DT_FINI_ARRAY || Tag == ELF::DT_FINI_ARRAYSZ ||
                   Tag == ELF::DT_INIT_ARRAY || Tag == ELF::DT_INIT_ARRAYSZ))
      continue;
    if (std::none_of(Begin, End, [&](const auto &E) {
          return E.second == D.getVal() || isMoved(D.getVal(), E.second);
        }))
      return bad("the entry " + hex(Tag) + " of the dynamic section is " +
                 hex(Begin->second) + ", in the input " + hex(D.getVal()));
  }
  return Error::success();
}

//===-- 3. Dynamic relocations --------------------------------------------===//

struct Relocated {
  uint32_t Type;
  StringRef Name;
  int64_t Addend;
};

template <typename Action> void forEachDynamic(const ElfView &File, Action Do) {
  for (const Section &S : File.sections()) {
    if (S.sh_type != ELF::SHT_RELA || !(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    ArrayRef<Symbol> Symbols;
    StringRef Strings;
    if (S.sh_link && S.sh_link < File.sections().size()) {
      Symbols = File.table<Symbol>(File.sections()[S.sh_link]);
      Strings = File.linkedStrings(File.sections()[S.sh_link]);
    }
    for (const Rela &R : File.table<Rela>(S)) {
      const uint32_t Number = R.getSymbol(/*isMips64EL=*/false);
      Do(R, Number && Number < Symbols.size()
                ? ElfView::string(Strings, Symbols[Number].st_name)
                : StringRef());
    }
  }
}

bool isOwn(uint32_t Type) {
  return Type == ELF::R_X86_64_RELATIVE || Type == ELF::R_X86_64_IRELATIVE;
}

Error Checker::checkRelocations() {
  std::map<uint64_t, Relocated> Now;
  // Two names of one function are as good as each other.
  StringMap<uint64_t> Values;
  if (const Section *S = Input.find(".dynsym"))
    for (const Symbol &Sym : Input.table<Symbol>(*S))
      Values[ElfView::string(Input.linkedStrings(*S), Sym.st_name)] =
          Sym.st_value;
  auto isSame = [&](const Relocated &A, const Relocated &B) {
    return A.Type == B.Type && A.Addend == B.Addend &&
           (A.Name == B.Name ||
            (Values.lookup(A.Name) &&
             Values.lookup(A.Name) == Values.lookup(B.Name)));
  };
  forEachDynamic(Output, [&](const Rela &R, StringRef Name) {
    const uint32_t Type = R.getType(/*isMips64EL=*/false);
    if (Type != ELF::R_X86_64_NONE)
      Now[R.r_offset] = {Type, Name, isOwn(Type) ? 0 : int64_t(R.r_addend)};
  });
  Error Result = Error::success();
  std::set<uint64_t> Old;
  forEachDynamic(Input, [&](const Rela &R, StringRef Name) {
    const uint32_t Type = R.getType(/*isMips64EL=*/false);
    if (Result || Type == ELF::R_X86_64_NONE)
      return;
    Old.insert(R.r_offset);
    auto It = Now.find(R.r_offset);
    const Relocated Wanted{Type, Name, isOwn(Type) ? 0 : int64_t(R.r_addend)};
    if (It == Now.end())
      Result = bad("the loader no longer relocates " + hex(R.r_offset));
    else if (!isSame(It->second, Wanted))
      Result = bad("the loader relocates " + hex(R.r_offset) + " by " +
                   It->second.Name + " and not as in the input");
  });
  if (Result)
    return Result;
  for (const auto &[Place, R] : Now)
    if (!MayAdd && !Old.contains(Place) && Input.isMapped(Place))
      return bad("the loader relocates " + hex(Place) +
                 ", in the input it does not");
  bool OldOrder = true, NewOrder = true;
  if (Error E = checkOrder(Input, OldOrder))
    return E;
  if (Error E = checkOrder(Output, NewOrder))
    return E;
  return OldOrder && !NewOrder
             ? bad("resolvers of functions run before the loader has "
                   "relocated what they use")
             : Error::success();
}

/// \p InOrder becomes false if a resolver runs before other relocations of its
/// table, which it may need.
Error Checker::checkOrder(const ElfView &File, bool &InOrder) const {
  for (const Section &S : File.sections()) {
    if (S.sh_type != ELF::SHT_RELA || !(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    bool Resolved = false;
    for (const Rela &R : File.table<Rela>(S)) {
      const uint32_t Type = R.getType(/*isMips64EL=*/false);
      if (Type == ELF::R_X86_64_IRELATIVE)
        Resolved = true;
      else if (Resolved && Type != ELF::R_X86_64_NONE)
        InOrder = false;
    }
  }
  return Error::success();
}

//===-- 4. Lazy stubs -----------------------------------------------------===//

/// Places that jumps of lazy stubs go through hold the address of the code that
/// pushes a number, that of the place's relocation, and calls the loader.
Error Checker::checkStubs() {
  uint64_t Begin = 0, Size = 0;
  for (const ElfView::Dyn &D : Output.dynamic()) {
    if (D.getTag() == ELF::DT_JMPREL)
      Begin = D.getVal();
    if (D.getTag() == ELF::DT_PLTRELSZ)
      Size = D.getVal();
  }
  ArrayRef<Rela> Table =
      ElfView::entries<Rela>(Output.bytesAt(Begin).take_front(Size));
  Disassembler Decoder(Output.header().e_machine);
  Instruction I;
  for (const auto &[Number, R] : enumerate(Table)) {
    StringRef Slot = Output.bytesAt(R.r_offset);
    if (Slot.size() < 8)
      continue;
    uint64_t At = support::endian::read64le(Slot.data());
    const Section *Home = Output.sectionAt(At);
    if (!Home || !Output.name(*Home).starts_with(".plt"))
      continue;
    do {
      Decoder.decode(Output.bytesAt(At), At, I);
      At = I.end();
    } while (I.Size && Decoder.name(I) == "ENDBR64");
    const bool Pushes = I.Size && Decoder.name(I).starts_with("PUSH64i");
    if (Pushes && uint64_t(I.Inst.getOperand(0).getImm()) != Number)
      return bad("the lazy stub at " + hex(I.Address) +
                 " asks for relocation " +
                 Twine(I.Inst.getOperand(0).getImm()) + ", its own is " +
                 Twine(Number));
  }
  return Error::success();
}

//===-- 5. Data -----------------------------------------------------------===//

bool isRewritten(StringRef Name) {
  return Name.starts_with(".rela") || Name.starts_with(".relr") ||
         Name.contains("eh_frame") || Name.contains("gcc_except_table") ||
         StringSwitch<bool>(Name)
             .Cases({".dynamic", ".dynsym", ".note.gnu.build-id"}, true)
             .Default(false);
}

Error Checker::checkData() {
  for (const Section &S : Input.sections()) {
    // Stubs of the PLT are code, but stay.
    const bool IsCode =
        S.sh_flags & ELF::SHF_EXECINSTR && !Input.name(S).starts_with(".plt");
    if (!(S.sh_flags & ELF::SHF_ALLOC) || IsCode ||
        S.sh_type == ELF::SHT_NOBITS || isRewritten(Input.name(S)))
      continue;
    // Without the linker's relocations tables of jumps are not known.
    if (!Before.known() && Input.name(S).contains("rodata"))
      continue;
    if (MayAdd &&
        (S.sh_type == ELF::SHT_FINI_ARRAY || S.sh_type == ELF::SHT_INIT_ARRAY))
      continue;
    if (Error E = checkBytes(S))
      return E;
  }
  return Error::success();
}

/// The end of the address that is at or around \p Place, 0 if there is none.
uint64_t Checker::behindAddress(uint64_t Place) const {
  constexpr uint64_t PointerSize = 8;
  for (uint64_t At = Place < PointerSize ? 0 : Place - PointerSize + 1;
       At <= Place; ++At) {
    uint64_t End = 0;
    if (Before.relative().contains(At))
      End = At + PointerSize;
    else if (const AppliedRelocations::Place *P = Before.dataAt(At))
      End = At + (P->Type == ELF::R_X86_64_64 || P->Type == ELF::R_X86_64_PC64
                      ? PointerSize
                      : 4);
    if (End > Place)
      return End;
  }
  return 0;
}

Error Checker::checkBytes(const Section &S) const {
  StringRef Old = Input.content(S), New = Output.bytesAt(S.sh_addr);
  if (mayMove(S, Input.name(S))) {
    const Section *Moved = Output.find(Input.name(S));
    if (Moved && Moved->sh_addr != S.sh_addr)
      New = Output.content(*Moved);
  }
  if (New.size() < Old.size())
    return bad("the data of " + Input.describe(S) + " is not in the output");
  for (uint64_t At = 0; At < Old.size();) {
    const auto Different =
        std::mismatch(Old.begin() + At, Old.end(), New.begin() + At).first;
    if (Different == Old.end())
      break;
    At = Different - Old.begin();
    uint64_t End = behindAddress(S.sh_addr + At);
    // Addresses of code, which were checked as such.
    if (const uint64_t Word = At & ~uint64_t(7);
        !End && Input.name(S).starts_with(".got") && Word + 8 <= Old.size() &&
        Input.isCode(support::endian::read64le(Old.data() + Word)))
      End = S.sh_addr + Word + 8;
    if (!End)
      return bad("the byte at " + hex(S.sh_addr + At) + " of " +
                 Input.describe(S) + " is not the input's");
    At = End - S.sh_addr;
  }
  return Error::success();
}

Error Checker::checkDynamicSymbols() {
  const Section *Old = Input.find(".dynsym"), *New = Output.find(".dynsym");
  if (!Old)
    return Error::success();
  if (!New || Old->sh_size != New->sh_size)
    return bad("the loader's symbols are not as many as the input's");
  StringRef OldNames = Input.linkedStrings(*Old),
            NewNames = Output.linkedStrings(*New);
  for (const auto &[A, B] :
       zip(Input.table<Symbol>(*Old), Output.table<Symbol>(*New))) {
    StringRef Name = ElfView::string(OldNames, A.st_name);
    if (Name != ElfView::string(NewNames, B.st_name) ||
        A.st_info != B.st_info || A.st_other != B.st_other ||
        (A.st_shndx == ELF::SHN_UNDEF) != (B.st_shndx == ELF::SHN_UNDEF))
      return bad("the loader's symbol " + Name + " is another one");
    const bool IsData = A.st_shndx == ELF::SHN_UNDEF ||
                        A.getType() == ELF::STT_OBJECT ||
                        A.getType() == ELF::STT_TLS;
    if (IsData && (A.st_value != B.st_value || A.st_size != B.st_size))
      return bad("the loader's symbol " + Name + " is at " + hex(B.st_value) +
                 ", in the input at " + hex(A.st_value));
  }
  return checkExportsApart(*Old, *New);
}

/// Whether the last -icf of the command line asks for all functions: -icf,
/// -icf=all, or a number other than 0.
static bool foldsEverything(const ElfView &Output) {
  bool Everything = false;
  for (StringRef Option : optionsOf(Output)) {
    unsigned Level = 0;
    if (Option == "icf")
      Everything = true;
    else if (Option.consume_front("icf="))
      Everything = Option.empty() || Option == "all" ||
                   (!Option.getAsInteger(0, Level) && Level);
  }
  return Everything;
}

/// Programs may compare the addresses of functions that dlsym() found. With
/// -icf=all they were told not to.
Error Checker::checkExportsApart(const Section &Old, const Section &New) const {
  if (foldsEverything(Output))
    return Error::success();
  DenseMap<uint64_t, const Symbol *> Known;
  for (const auto &[A, B] :
       zip(Input.table<Symbol>(Old), Output.table<Symbol>(New))) {
    if (A.getType() != ELF::STT_FUNC || A.st_shndx == ELF::SHN_UNDEF ||
        !A.st_size)
      continue;
    const auto [It, IsNew] = Known.try_emplace(B.st_value, &A);
    if (!IsNew && It->second->st_value != A.st_value)
      return bad(
          "the loader's symbols " +
          ElfView::string(Input.linkedStrings(Old), A.st_name) + " and " +
          ElfView::string(Input.linkedStrings(Old), It->second->st_name) +
          " are one function, in the input two");
  }
  return Error::success();
}

/// Whether \p S is the mark behind all of the program, which grows. Its type
/// says nothing: tools make it that of the section in which it is said to be.
static bool isEndOfProgram(StringRef Name, const Symbol &S) {
  return Name == "_end" && !S.st_size;
}

/// Data does not move. If several symbols have one name, any of them may be the
/// one.
Error Checker::checkDataSymbols() {
  const Section *Old = Input.find(".symtab"), *New = Output.find(".symtab");
  if (!Old || !New)
    return Error::success();
  auto isData = [](const ElfView &File, const Symbol &S) {
    return (S.getType() == ELF::STT_OBJECT || S.getType() == ELF::STT_TLS) &&
           S.st_shndx != ELF::SHN_UNDEF &&
           (S.getType() == ELF::STT_TLS || !File.isCode(S.st_value));
  };
  StringMap<std::set<std::pair<uint64_t, uint64_t>>> Now;
  StringRef Strings = Output.linkedStrings(*New);
  for (const Symbol &S : Output.table<Symbol>(*New))
    if (isData(Output, S))
      Now[ElfView::string(Strings, S.st_name)].insert({S.st_value, S.st_size});
  Strings = Input.linkedStrings(*Old);
  for (const Symbol &S : Input.table<Symbol>(*Old)) {
    StringRef Name = ElfView::string(Strings, S.st_name);
    auto It = Now.find(Name);
    if (isData(Input, S) && !isEndOfProgram(Name, S) && It != Now.end() &&
        !It->second.contains({valueNow(S), S.st_size}))
      return bad("the symbol " + Name + " is not at " + hex(S.st_value) +
                 " any more, or of another size");
  }
  return Error::success();
}

} // namespace

Error graupel::verifyImage(const ElfView &Input, const ElfView &Output,
                           const AppliedRelocations &Before, bool MayAdd) {
  return Checker(Input, Output, Before, MayAdd).run();
}

//===- Verify/OutputCheck.cpp - Whether an output can be right ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. No symbol of the input is lost, and functions have code (checkSymbols).
//    The types in front of functions are as they were (checkTypes).
// 2. The loader's relocations, the beginnings that the dynamic section names,
//    and pointers in data lead to code (checkRelocations, checkStarts,
//    checkPointers).
// 3. Branches lead to instructions (CodeMap), unwind records to code
//    (verifyUnwinding), and what must not change did not (ImageCheck).
// 4. The code does what the input's does (CodeComparison).
//
//===----------------------------------------------------------------------===//

#include "OutputCheck.h"
#include "CallSurvey.h"
#include "CodeComparison.h"
#include "CommandLine.h"
#include "Elf/InputCheck.h"
#include "ImageCheck.h"
#include "RecordedCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

constexpr uint64_t PointerSize = 8;

class Checker {
public:
  Checker(const ElfView &Input, const ElfView &Output,
          const SymbolMap &Functions, const CodeMap &Code)
      : Input(Input), Output(Output), Functions(Functions), Code(Code) {}

  Error run() {
    using Check = Error (Checker::*)();
    for (Check C : {&Checker::checkSymbols, &Checker::checkRelocations,
                    &Checker::checkTypes, &Checker::checkStarts,
                    &Checker::checkPointers, &Checker::checkBuildID})
      if (Error E = (this->*C)())
        return E;
    return Error::success();
  }
  Verified Count;

private:
  const ElfView &Input, &Output;
  const SymbolMap &Functions;
  const CodeMap &Code;
  /// Addends of relative relocations by place.
  DenseMap<uint64_t, uint64_t> Relative;

  static Error bad(const Twine &Problem) {
    return badFile(Problem,
                   "this is a defect of graupel-bolt, report it with the "
                   "input");
  }
  Error checkSymbols();
  Error checkRelocations();
  Error checkTypes();
  Error checkStarts();
  Error checkStart(StringRef Description, uint64_t Address) const;
  Error checkPointers();
  Error checkPointersOf(const Section &Table);
  Error checkBuildID();
  const Rela *inputRelocationAt(uint64_t Place) const;
  bool ledNowhere(const Rela &Now) const;
  bool isBehindFunction(uint64_t Place, uint64_t Now) const;
  /// The pointer that is at \p Place when the program starts.
  std::optional<uint64_t> pointerAt(const ElfView &File, uint64_t Place) const;
};

/// Symbols that BOLT leaves out: of sections, those of what is not loaded, and
/// labels without a size.
bool mayBeLeftOut(const ElfView &File, const Symbol &S) {
  if (S.st_shndx < File.sections().size() &&
      !(File.sections()[S.st_shndx].sh_flags & ELF::SHF_ALLOC))
    return true;
  return S.getType() == ELF::STT_SECTION || S.getType() == ELF::STT_FILE ||
         S.st_shndx == ELF::SHN_UNDEF ||
         (S.getBinding() == ELF::STB_LOCAL && S.getType() == ELF::STT_NOTYPE);
}

/// Whether \p S says that it is a function, and there is no code. Assembly says
/// so of tables (nasm's "global table:function").
bool isFunctionWithoutCode(const ElfView &File, const Symbol &S) {
  return S.getType() == ELF::STT_FUNC && S.st_shndx != ELF::SHN_UNDEF &&
         S.st_shndx != ELF::SHN_ABS && (S.st_value || S.st_size) &&
         !File.isCode(S.st_value);
}

Error Checker::checkSymbols() {
  const Section *Old = Input.find(".symtab"), *New = Output.find(".symtab");
  if (!Old || !New)
    return Error::success();
  StringSet<> Names, WithoutCode;
  StringRef Strings = Input.linkedStrings(*Old);
  for (const Symbol &S : Input.table<Symbol>(*Old))
    if (isFunctionWithoutCode(Input, S))
      WithoutCode.insert(ElfView::string(Strings, S.st_name));
  Strings = Output.linkedStrings(*New);
  for (const Symbol &S : Output.table<Symbol>(*New)) {
    StringRef Name = ElfView::string(Strings, S.st_name);
    Names.insert(Name);
    ++Count.Symbols;
    if (isFunctionWithoutCode(Output, S) && !WithoutCode.contains(Name))
      return bad("the symbol of function " + Name + " (" + hex(S.st_value) +
                 ") is not code");
  }
  Strings = Input.linkedStrings(*Old);
  for (const Symbol &S : Input.table<Symbol>(*Old))
    if (StringRef Name = ElfView::string(Strings, S.st_name);
        !mayBeLeftOut(Input, S) && !Names.contains(Name))
      return bad("symbol " + Name + " was lost");
  return Error::success();
}

/// The words that -fsanitize=kcfi compares before a call: four bytes in front
/// of each function, the last of an instruction whose symbol is __cfi_FUNCTION.
/// Nops for patchers may follow them. Local functions may have the same name.
StringMap<SmallVector<StringRef, 1>> findTypes(const ElfView &File,
                                               const Section &Table) {
  constexpr StringLiteral Prefix = "__cfi_";
  constexpr uint64_t TypeSize = 4, MostNops = 64;
  const StringRef Strings = File.linkedStrings(Table);
  StringMap<std::vector<uint64_t>> Functions;
  for (const Symbol &S : File.table<Symbol>(Table))
    if (S.getType() == ELF::STT_FUNC)
      Functions[ElfView::string(Strings, S.st_name)].push_back(S.st_value);
  StringMap<SmallVector<StringRef, 1>> Types;
  for (const Symbol &S : File.table<Symbol>(Table)) {
    StringRef Name = ElfView::string(Strings, S.st_name);
    if (!Name.consume_front(Prefix) || S.st_size <= TypeSize ||
        !File.isCode(S.st_value))
      continue;
    const uint64_t End = S.st_value + S.st_size;
    for (uint64_t Function : Functions.lookup(Name))
      if (Function >= End && Function - End <= MostNops)
        Types[Name].push_back(
            File.bytesAt(End - TypeSize).take_front(Function - End + TypeSize));
  }
  return Types;
}

Error Checker::checkTypes() {
  const Section *Old = Input.find(".symtab"), *New = Output.find(".symtab");
  if (!Old || !New)
    return Error::success();
  const StringMap<SmallVector<StringRef, 1>> Types = findTypes(Input, *Old);
  for (const Symbol &S : Output.table<Symbol>(*New)) {
    const StringRef Name =
        ElfView::string(Output.linkedStrings(*New), S.st_name);
    const auto Found = Types.find(Name);
    if (Found == Types.end() || S.getType() != ELF::STT_FUNC)
      continue;
    if (none_of(Found->second, [&](StringRef Type) {
          return Output.bytesAt(S.st_value - Type.size()).starts_with(Type);
        }))
      return bad("the type before function " + Name + " (" + hex(S.st_value) +
                 ") is not that of the input");
  }
  return Error::success();
}

/// The relocation that the loader applied to \p Place in the input. This reads
/// all of them, for the few places that look wrong.
const Rela *Checker::inputRelocationAt(uint64_t Place) const {
  for (const Section &S : Input.sections())
    if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC)
      for (const Rela &R : Input.table<Rela>(S))
        if (R.r_offset == Place)
          return &R;
  return nullptr;
}

/// Programs may compute with addresses that are no places: f + 0x100000.
bool Checker::ledNowhere(const Rela &Now) const {
  if (Input.isMapped(Now.r_addend))
    return false;
  const Rela *Before = inputRelocationAt(Now.r_offset);
  return Before && Before->r_info == Now.r_info &&
         Before->r_addend == Now.r_addend;
}

Error Checker::checkRelocations() {
  for (const Section &S : Output.sections()) {
    if (S.sh_type != ELF::SHT_RELA || !(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    for (const Rela &R : Output.table<Rela>(S)) {
      ++Count.Relocations;
      const uint32_t Type = R.getType(/*isMips64EL=*/false);
      if (Type == ELF::R_X86_64_NONE)
        continue;
      if (!Output.isMapped(R.r_offset))
        return bad("a dynamic relocation changes " + hex(R.r_offset) +
                   ", which is in no segment");
      if (Type != ELF::R_X86_64_RELATIVE && Type != ELF::R_X86_64_IRELATIVE)
        continue;
      const uint64_t Target = R.r_addend;
      Relative[R.r_offset] = Target;
      const Section *Home = Output.sectionAt(Target);
      // One behind the end is where many a range ends.
      if (!Output.isMapped(Target) && !Output.isMapped(Target - 1) &&
          !ledNowhere(R))
        return bad("the pointer at " + hex(R.r_offset) + " leads to " +
                   hex(Target) + ", which is in no segment");
      if (Home && Home->sh_flags & ELF::SHF_EXECINSTR &&
          !Code.isTarget(Target) && !isBehindFunction(R.r_offset, Target))
        return bad("the pointer at " + hex(R.r_offset) + " leads to " +
                   hex(Target) + ", where no instruction begins");
    }
  }
  return Error::success();
}

Error Checker::checkStart(StringRef Description, uint64_t Address) const {
  return Code.isTarget(Address) ? Error::success()
                                : bad(Description + " (" + hex(Address) +
                                      ") leads to no function");
}

std::optional<uint64_t> Checker::pointerAt(const ElfView &File,
                                           uint64_t Place) const {
  if (&File == &Output)
    if (auto It = Relative.find(Place); It != Relative.end())
      return It->second;
  StringRef Bytes = File.bytesAt(Place);
  if (Bytes.size() < PointerSize)
    return std::nullopt;
  return support::endian::read64le(Bytes.data());
}

Error Checker::checkStarts() {
  if (Input.header().e_entry && !Output.header().e_entry)
    return bad("the output has no entry point");
  if (Output.header().e_entry)
    if (Error E = checkStart("the entry point", Output.header().e_entry))
      return E;
  uint64_t Begin[2] = {}, Size[2] = {};
  for (const ElfView::Dyn &D : Output.dynamic())
    switch (D.d_tag) {
    case ELF::DT_INIT:
    case ELF::DT_FINI:
      if (Error E = checkStart(D.d_tag == ELF::DT_INIT ? "DT_INIT" : "DT_FINI",
                               D.getVal()))
        return E;
      break;
    case ELF::DT_INIT_ARRAY:
    case ELF::DT_FINI_ARRAY:
      Begin[D.d_tag == ELF::DT_FINI_ARRAY] = D.getVal();
      break;
    case ELF::DT_INIT_ARRAYSZ:
    case ELF::DT_FINI_ARRAYSZ:
      Size[D.d_tag == ELF::DT_FINI_ARRAYSZ] = D.getVal();
      break;
    }
  for (int I : {0, 1})
    for (uint64_t Place = Begin[I]; Place + PointerSize <= Begin[I] + Size[I];
         Place += PointerSize) {
      const uint64_t Target = pointerAt(Output, Place).value_or(0);
      if (Target && Target != UINT64_MAX) // Those are skipped by the loader.
        if (Error E = checkStart(I ? "a function of DT_FINI_ARRAY"
                                   : "a function of DT_INIT_ARRAY",
                                 Target))
          return E;
    }
  return Error::success();
}

Error Checker::checkPointers() {
  for (const Section &S : Input.sections())
    if (S.sh_type == ELF::SHT_RELA && !(S.sh_flags & ELF::SHF_ALLOC) &&
        S.sh_info && S.sh_info < Input.sections().size())
      if (Error E = checkPointersOf(S))
        return E;
  return Error::success();
}

/// Entries of jump tables and other pointers to code that the linker filled in.
/// BOLT changes those in use; the rest of a table it moved is as it was, and
/// may lead nowhere.
Error Checker::checkPointersOf(const Section &Table) {
  const Section &Home = Input.sections()[Table.sh_info];
  if (!(Home.sh_flags & ELF::SHF_ALLOC) || Home.sh_flags & ELF::SHF_EXECINSTR)
    return Error::success();
  for (const Rela &R : Input.table<Rela>(Table)) {
    if (R.getType(/*isMips64EL=*/false) != ELF::R_X86_64_64)
      continue;
    std::optional<uint64_t> Before = pointerAt(Input, R.r_offset),
                            Now = pointerAt(Output, R.r_offset);
    if (!Before || !Now || Before == Now || !Input.isCode(*Before) ||
        Relative.contains(R.r_offset))
      continue;
    ++Count.Relocations;
    if (!Code.isTarget(*Now) && !isBehindFunction(R.r_offset, *Now))
      return bad("the pointer at " + hex(R.r_offset) + " leads to " +
                 hex(*Now) + ", where no instruction begins");
  }
  return Error::success();
}

/// The pointer at \p Place led behind the end of a function in the input, as
/// the address of a label does whose code the compiler removed, and still does
/// so or was left as it was.
bool Checker::isBehindFunction(uint64_t Place, uint64_t Now) const {
  std::optional<uint64_t> Before = pointerAt(Input, Place);
  if (const Rela *R = inputRelocationAt(Place);
      R && R->getType(/*isMips64EL=*/false) == ELF::R_X86_64_RELATIVE)
    Before = R->r_addend;
  const CodeMap::Function *F = Code.functionAt(Now - 1);
  const bool StillBehind = F && F->End == Now;
  if (!Before || (!StillBehind && Now != *Before))
    return false;
  // Unwind records tell where those without a name end.
  const SymbolMap::Range *Old = Functions.inputAt(*Before - 1);
  if (Old && Old->End == *Before)
    return true;
  const Section *Symbols = Input.find(".symtab");
  return Symbols &&
         llvm::any_of(Input.table<Symbol>(*Symbols), [&](const Symbol &S) {
           return S.getType() == ELF::STT_FUNC && S.st_size &&
                  S.st_value + S.st_size == *Before;
         });
}

Error Checker::checkBuildID() {
  const Section *Old = Input.find(".note.gnu.build-id");
  const Section *New = Output.find(".note.gnu.build-id");
  if (!Old)
    return Error::success();
  if (!New)
    return bad("the build-id was lost");
  StringRef Before = Input.content(*Old), Now = Output.content(*New);
  // BOLT changes the last bit, so that both files can be told apart.
  return Before.drop_back() == Now.drop_back() ? Error::success()
                                               : bad("the build-id is another");
}

} // namespace

/// Whether options were given that change instructions and not only their
/// places. The output says by which it was made.
static bool mayDiffer(const ElfView &Output) {
  // With counters nothing else is done by a profile.
  static constexpr StringLiteral ByProfile[] = {"data", "p", "b", "fdata",
                                                "perfdata"};
  static constexpr StringLiteral Changing[] = {"hco",
                                               "frame-opt",
                                               "inline",
                                               "indirect",
                                               "icp",
                                               "tail-dup",
                                               "cmov",
                                               "reg-reassign",
                                               "jt-footprint",
                                               "memcpy",
                                               "stoke",
                                               "retpoline",
                                               "mcf",
                                               "load-bolt-plugin",
                                               "hugify",
                                               "simplify",
                                               "reorder-data",
                                               "three-way",
                                               "jump-tables=aggressive"};
  const bool IsInstrumented = Output.find(".graupel.head");
  return llvm::any_of(optionsOf(Output), [&](StringRef Word) {
    auto names = [&](StringRef O) {
      return O.size() <= 2 ? Word == O || Word.starts_with((O + "=").str())
                           : Word.starts_with(O);
    };
    return llvm::any_of(Changing, names) ||
           // llvm-bolt's own instrumentation is not known.
           (!IsInstrumented &&
            (Word.starts_with("instrument") || llvm::any_of(ByProfile, names)));
  });
}

/// The output's code against the input's, instruction by instruction.
static Error compareCode(const ElfView &Input, const ElfView &Output,
                         const SymbolMap &Symbols, UnwindTables &Before,
                         UnwindTables &Now, FrameStates &States,
                         Verified &Count) {
  const AppliedRelocations PlacesBefore(Input), PlacesNow(Output);
  const bool MayDiffer = mayDiffer(Output);
  if (Error E = verifyImage(Input, Output, PlacesBefore, MayDiffer))
    return E;
  const CodeComparison::Files Files{Input,     Output, Symbols, PlacesBefore,
                                    PlacesNow, Before, Now,     States};
  CodeComparison Comparison(Files, MayDiffer);
  if (Error E = Comparison.run())
    return E;
  CallSurvey Calls(Files);
  for (uint64_t Function : Comparison.different())
    if (Error E = Calls.check(Function))
      return E;
  Count.Instructions = Comparison.instructions();
  Count.Different = Comparison.different().size();
  Count.Recordings = Comparison.recordings();
  return Error::success();
}

Expected<Verified> graupel::verifyOutput(const ElfView &Input,
                                         const ElfView &Output) {
  if (Error E = checkStructure(Output))
    return std::move(E);
  // Elsewhere BOLT changes less, and we know less.
  if (Output.header().e_machine != ELF::EM_X86_64)
    return Verified();
  FrameStates States;
  UnwindTables Before(Input, States), Now(Output, States);
  for (UnwindTables *Tables : {&Before, &Now})
    if (Error E = Tables->read())
      return std::move(E);
  const SymbolMap Symbols(Input, Output, Before, Now);
  if (!Input.find(".symtab"))
    if (Error E = checkGaps(Input, Output, Symbols))
      return std::move(E);
  Expected<CodeMap> Code = CodeMap::make(Input, Output, Symbols, Now);
  if (!Code)
    return Code.takeError();
  Checker C(Input, Output, Symbols, *Code);
  C.Count.Functions = Code->functions().size();
  C.Count.Branches = Code->branches();
  if (Error E = Code->checkBranches())
    return std::move(E);
  if (Error E = C.run())
    return std::move(E);
  if (Error E = verifyUnwinding(Input, Output, Symbols, *Code, C.Count))
    return std::move(E);
  if (Error E =
          compareCode(Input, Output, Symbols, Before, Now, States, C.Count))
    return std::move(E);
  return C.Count;
}

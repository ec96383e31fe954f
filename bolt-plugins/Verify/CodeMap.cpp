//===- Verify/CodeMap.cpp - Where instructions begin ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Functions are those of the output's symbols, or those that are recorded,
//    and the code of unwind records that is in none of them. Where the input
//    has code whose labels are no functions, what is between functions counts,
//    too.
// 2. Each is disassembled from its beginning: where instructions begin, and
//    where branches lead.
// 3. A branch must lead to an instruction, to an entry, or to code that is as
//    it was in the input.
//
//===----------------------------------------------------------------------===//

#include "CodeMap.h"
#include "Disassembler.h"
#include "Elf/Unwind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

static constexpr StringLiteral OurDefect =
    "this is a defect of graupel-bolt, report it with the input";

Expected<CodeMap> CodeMap::make(const ElfView &Input, const ElfView &Output,
                                const SymbolMap &Symbols,
                                const UnwindTables &Unwind) {
  CodeMap Map;
  Map.Input = &Input;
  Map.Output = &Output;
  for (const ElfView::Section &S : Output.sections())
    if (S.sh_flags & ELF::SHF_EXECINSTR && S.sh_size)
      Map.Starts[S.sh_addr].resize(S.sh_size);
  if (Input.find(".symtab")) {
    Map.findFunctions();
    addNameless(Map.Functions, Output, Unwind,
                [](uint64_t Begin, uint64_t End) {
                  return Function{Begin, End,   "code without a symbol", false,
                                  false, false, /*MayBePart=*/true};
                });
  } else {
    Map.addRecorded(Symbols);
  }
  if (Error E = Map.readPatches(Symbols))
    return std::move(E);
  if (Map.HasAnonymous)
    Map.addAnonymous();
  if (Error E = Map.disassemble())
    return std::move(E);
  return std::move(Map);
}

bool CodeMap::isUnchanged(uint64_t Begin, uint64_t Size) const {
  StringRef Now = Output->bytesAt(Begin), Before = Input->bytesAt(Begin);
  return Before.size() >= Size && Now.size() >= Size &&
         Now.take_front(Size) == Before.take_front(Size);
}

/// The size of a jump with a displacement of four bytes.
static constexpr uint64_t JumpSize = 5;
static constexpr StringLiteral Endbr = "\xf3\x0f\x1e\xfa";

/// Whether a jump is at \p Address of the output that leads to what the input
/// does not load.
bool CodeMap::jumpsToAdded(uint64_t Address) const {
  constexpr char Jump = '\xe9';
  const StringRef Now = Output->bytesAt(Address).take_front(JumpSize);
  if (Now.size() < JumpSize || Now[0] != Jump)
    return false;
  const uint64_t Target =
      Address + JumpSize +
      int64_t(int32_t(support::endian::read32le(Now.data() + 1)));
  const ElfView::Section *Home = Output->sectionAt(Target);
  return Home && Home->sh_flags & ELF::SHF_EXECINSTR &&
         !Input->sectionAt(Target);
}

/// Finds the beginnings of functions of the input, with those that only their
/// unwind records tell.
void CodeMap::findBegins() {
  Begins = OldEntries;
  for (const Function &F : Functions)
    Begins.push_back(F.Begin);
  if (const ElfView::Section *Frames = Input->find(".eh_frame")) {
    if (auto Records = readFrames(*Input, *Frames))
      for (const FrameRecord &Record : *Records)
        Begins.push_back(Record.Begin);
    else
      consumeError(Records.takeError());
  }
  llvm::sort(Begins);
}

/// Notes the jumps to copies. Returns where else the input's code differs.
std::optional<uint64_t> CodeMap::findPatches() {
  findBegins();
  for (const ElfView::Section &S : Input->sections()) {
    if (!(S.sh_flags & ELF::SHF_EXECINSTR) || !(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    const StringRef Before = Input->content(S),
                    Now = Output->bytesAt(S.sh_addr).take_front(Before.size());
    auto differsFrom = [&](size_t At) -> size_t {
      return std::mismatch(Now.begin() + At, Now.end(), Before.begin() + At)
                 .first -
             Now.begin();
    };
    for (size_t At = differsFrom(0); At < Now.size();) {
      const uint64_t Address = S.sh_addr + At;
      const auto Next = llvm::upper_bound(Begins, Address);
      uint64_t Patch = Next == Begins.begin() ? Address + 1 : *std::prev(Next);
      if (Input->bytesAt(Patch).starts_with(Endbr))
        Patch += Endbr.size();
      // The first bytes of a jump may be those that were there.
      if (Address < Patch || Address >= Patch + JumpSize ||
          !jumpsToAdded(Patch))
        return Address;
      Patches.push_back(Patch);
      At = differsFrom(
          std::min<size_t>(Patch + JumpSize - S.sh_addr, Now.size()));
    }
    if (Now.size() < Before.size())
      return S.sh_addr + Now.size();
  }
  return std::nullopt;
}

/// Whether the jump at \p Patch leads to the copy of its function, as far as
/// symbols say what that is; otherwise the code there is compared.
bool CodeMap::leadsToCopy(uint64_t Patch, const SymbolMap &Symbols) const {
  const uint64_t Target = Patch + JumpSize +
                          int64_t(int32_t(support::endian::read32le(
                              Output->bytesAt(Patch).data() + 1)));
  const auto Next = llvm::upper_bound(Begins, Patch);
  const uint64_t Begin = Next == Begins.begin() ? Patch : *std::prev(Next);
  const bool IsBehindEndbr = Begin != Patch;
  auto isCopy = [&](uint64_t Copy) {
    if (Input->find(".symtab") && Symbols.isEntry(Begin))
      return Symbols.isCounterpart(Begin, Copy);
    const SymbolMap::Range *R = Symbols.outputAt(Copy);
    return (R && R->Begin == Copy) ||
           llvm::any_of(Functions, [&](const Function &F) {
             return F.MayBePart && F.Begin == Copy;
           });
  };
  return isCopy(Target) ||
         (IsBehindEndbr && isCopy(Target - Endbr.size()) &&
          Output->bytesAt(Target - Endbr.size()).starts_with(Endbr));
}

/// Whether the code of \p Input must have stayed in \p Output, since nobody knows
/// what refers to it, and new code is elsewhere.
static bool mustStay(const ElfView &Input, const ElfView &Output) {
  return Output.find(".bolt.org.text") &&
         llvm::none_of(Input.sections(), [&](const ElfView::Section &S) {
           return Input.isAppliedToProgram(S);
         });
}

Error CodeMap::readPatches(const SymbolMap &Symbols) {
  std::optional<uint64_t> Wrong = findPatches();
  const char *Why = " is not that of the input, beside copies";
  if (!Wrong)
    for (uint64_t Patch : Patches)
      if (!leadsToCopy(Patch, Symbols)) {
        Wrong = Patch;
        Why = " does not jump to the copy of its function";
        break;
      }
  if (!Wrong)
    return Error::success();
  Patches.clear();
  if (!mustStay(*Input, *Output))
    return Error::success();
  return badFile("the code at " + hex(*Wrong) + Why, OurDefect);
}

/// The jumps to copies in [\p Begin, \p End).
ArrayRef<uint64_t> CodeMap::patchesIn(uint64_t Begin, uint64_t End) const {
  const auto First = llvm::lower_bound(Patches, Begin);
  return ArrayRef(Patches).slice(First - Patches.begin(),
                                 std::lower_bound(First, Patches.end(), End) -
                                     First);
}

/// Calls \p Do with each symbol of \p File that is code, and its name.
template <typename Action>
static void forEachCodeSymbol(const ElfView &File, Action Do) {
  const ElfView::Section *Table = File.find(".symtab");
  if (!Table)
    return;
  StringRef Strings = File.linkedStrings(*Table);
  for (const ElfView::Symbol &S : File.table<ElfView::Symbol>(*Table))
    if (File.isCode(S))
      Do(S, ElfView::string(Strings, S.st_name));
}

static bool isFunction(const ElfView::Symbol &S) {
  return S.getType() == ELF::STT_FUNC || S.getType() == ELF::STT_GNU_IFUNC;
}

void CodeMap::findFunctions() {
  forEachCodeSymbol(*Input, [&](const ElfView::Symbol &S, StringRef) {
    if (!isFunction(S))
      return;
    OldEntries.push_back(S.st_value);
    if (S.st_size)
      OldRanges.push_back({S.st_value, S.st_value + S.st_size});
  });
  llvm::sort(OldEntries);
  llvm::sort(OldRanges);
  uint64_t End = 0;
  for (auto &[_, RangeEnd] : OldRanges) // Functions may be inside of others.
    End = RangeEnd = std::max(End, RangeEnd);
  forEachCodeSymbol(*Output, [&](const ElfView::Symbol &S, StringRef Name) {
    // BOLT's runtime library has only labels.
    if (isFunction(S) || Name.starts_with("__bolt_"))
      Entries.push_back(S.st_value);
    if (isFunction(S) && S.st_size)
      Functions.push_back(
          {S.st_value, S.st_value + S.st_size, Name, false, false, false});
  });
  llvm::sort(Entries);
  // The longest of several aliases stays, a function inside of another does
  // not.
  llvm::sort(Functions, [](const Function &A, const Function &B) {
    return std::tie(A.Begin, B.End) < std::tie(B.Begin, A.End);
  });
  std::vector<Function> Apart;
  for (const Function &F : Functions)
    if (Apart.empty() || F.Begin >= Apart.back().End)
      Apart.push_back(F);
  Functions = std::move(Apart);
  forEachCodeSymbol(*Input, [&](const ElfView::Symbol &S, StringRef) {
    if (S.getType() == ELF::STT_NOTYPE)
      HasAnonymous = true;
  });
}

void CodeMap::addRecorded(const SymbolMap &Recorded) {
  for (const SymbolMap::Range &R : Recorded.inputs()) {
    OldEntries.push_back(R.Begin);
    OldRanges.push_back({R.Begin, R.End});
  }
  for (const SymbolMap::Range &R : Recorded.outputs()) {
    Entries.push_back(R.Begin);
    Functions.push_back({R.Begin, R.End, R.Name, false, false, false, true});
  }
}

/// If the input has code whose labels are no functions, the output has it
/// without labels: what is between its functions is then taken for code.
void CodeMap::addAnonymous() {
  std::vector<Function> Known;
  std::swap(Known, Functions);
  auto next = Known.begin();
  for (const auto &[Begin, Bits] : Starts) {
    const ElfView::Section *S = Output->sectionAt(Begin);
    const bool Old = !S || Output->name(*S).starts_with(".bolt.org");
    uint64_t At = Begin;
    auto gap = [&](uint64_t End) {
      if (At < End && !Old)
        Functions.push_back(
            {At, End, "code without a symbol", false, true, false});
    };
    for (; next != Known.end() && next->Begin < Begin + Bits.size(); ++next) {
      gap(next->Begin);
      Functions.push_back(*next);
      At = next->End;
    }
    gap(Begin + Bits.size());
  }
}

Error CodeMap::disassemble() {
  Disassembler Decoder(Output->header().e_machine);
  for (Function &F : Functions)
    if (Error E = disassemble(F, Decoder))
      return E;
  return Error::success();
}

Error CodeMap::disassemble(Function &F, Disassembler &Decoder) {
  const uint64_t FunctionSize = F.End - F.Begin;
  F.Unchanged = !F.Anonymous && isUnchanged(F.Begin, FunctionSize);
  StringRef Bytes = Output->bytesAt(F.Begin).take_front(FunctionSize);
  const ArrayRef<uint64_t> InF =
      F.Anonymous ? ArrayRef<uint64_t>() : patchesIn(F.Begin, F.End);
  for (uint64_t Patch : InF) {
    // The rest is executed if control enters behind the jump, and was decoded
    // when the input was.
    uint64_t Target = 0;
    const uint64_t Size =
        Decoder.next(Bytes.drop_front(Patch - F.Begin), Patch, Target);
    Branches.push_back({Patch, Size, Target});
    F.Unchanged = true;
  }
  if (!InF.empty())
    Bytes = Input->bytesAt(F.Begin).take_front(FunctionSize);
  auto isCovered = [&](uint64_t Address) {
    return llvm::any_of(InF, [&](uint64_t Patch) {
      return Address > Patch && Address < Patch + JumpSize;
    });
  };
  auto Section = Starts.upper_bound(F.Begin);
  if (Section == Starts.begin())
    return Error::success();
  --Section;
  uint64_t At = 0;
  while (At < Bytes.size()) {
    const uint64_t InSection = F.Begin + At - Section->first;
    if (InSection >= Section->second.size())
      break;
    if (!isCovered(F.Begin + At))
      Section->second.set(InSection);
    uint64_t Target = 0;
    const uint64_t Size =
        Decoder.next(Bytes.drop_front(At), F.Begin + At, Target);
    if (!Size)
      break;
    if (Target && !F.Unchanged && !F.Anonymous)
      Branches.push_back({F.Begin + At, Size, Target});
    At += Size;
  }
  F.Decoded = At == FunctionSize;
  if (!F.Decoded && !F.Unchanged && !F.Anonymous)
    return badFile("the code of " + F.Name + " at " + hex(F.Begin + At) +
                       " is no instruction",
                   OurDefect);
  return Error::success();
}

const CodeMap::Function *CodeMap::functionAt(uint64_t Address) const {
  auto It =
      llvm::upper_bound(Functions, Address, [](uint64_t A, const Function &F) {
        return A < F.Begin;
      });
  if (It == Functions.begin() || Address >= std::prev(It)->End)
    return nullptr;
  return &*std::prev(It);
}

/// Whether \p Address is in a function of the input whose size is known.
bool CodeMap::isInOldFunction(uint64_t Address) const {
  auto It =
      llvm::upper_bound(OldRanges, Address, [](uint64_t A, const auto &Range) {
        return A < Range.first;
      });
  return It != OldRanges.begin() && Address < std::prev(It)->second;
}

/// Whether a function of the input begins at \p Address, and jumps to its copy.
bool CodeMap::isPatchedEntry(uint64_t Address) const {
  if (!llvm::binary_search(OldEntries, Address))
    return false;
  const ArrayRef<uint64_t> Near =
      patchesIn(Address, Address + Endbr.size() + 1);
  return !Near.empty() &&
         (Near[0] == Address || Input->bytesAt(Address).starts_with(Endbr));
}

/// Whether \p Address is between functions, before and now, and the rest of
/// that gap is as it was.
bool CodeMap::isUnchangedGap(uint64_t Address) const {
  const auto Next =
      llvm::upper_bound(Functions, Address, [](uint64_t A, const Function &F) {
        return A < F.Begin;
      });
  if (isInOldFunction(Address))
    return false;
  // The last gap of a section.
  const ElfView::Section *S = Output->sectionAt(Address);
  if (S && (Next == Functions.end() || Next->Begin >= S->sh_addr + S->sh_size))
    return isUnchanged(Address, S->sh_addr + S->sh_size - Address);
  return Next != Functions.end() &&
         llvm::binary_search(OldEntries, Next->Begin) &&
         isUnchanged(Address, Next->Begin - Address);
}

/// Whether the instruction at \p Address does what it did in the input; only
/// where its jumps lead may differ.
bool CodeMap::doesTheSame(uint64_t Address) const {
  Disassembler Decoder(Output->header().e_machine);
  Instruction A, B;
  Decoder.decode(Input->bytesAt(Address), Address, A);
  Decoder.decode(Output->bytesAt(Address), Address, B);
  return A.Size && A.Size == B.Size &&
         Decoder.operation(A) == Decoder.operation(B);
}

/// Whether \p Address is in code before all symbols of its section, which stays
/// (Protect/UnlabeledCode.h), and the instruction there does what it did.
bool CodeMap::isUnlabeled(uint64_t Address) const {
  const ElfView::Section *Old = Input->sectionAt(Address),
                         *Now = Output->sectionAt(Address);
  if (!Old || !Now || Old->sh_addr != Now->sh_addr)
    return false;
  const auto First = llvm::lower_bound(OldEntries, Old->sh_addr);
  if (First != OldEntries.end() && *First <= Address)
    return false;
  return doesTheSame(Address);
}

/// Whether \p B is inside of a function that stayed, and does what it did.
/// Where data is among its instructions, not all of those were found.
bool CodeMap::staysInside(const Branch &B) const {
  const Function *F = functionAt(B.From);
  return F && F == functionAt(B.To) &&
         llvm::binary_search(OldRanges, std::make_pair(F->Begin, F->End)) &&
         isUnchanged(B.From, B.Size) && doesTheSame(B.To);
}

bool CodeMap::isTarget(uint64_t Address) const {
  const ElfView::Section *S = Output->sectionAt(Address);
  if (!S || !(S->sh_flags & ELF::SHF_EXECINSTR))
    return false;
  if (Functions.empty()) // The input was stripped.
    return true;
  if (const Function *F = functionAt(Address)) {
    if (!F->Decoded)
      return true;
    if (Starts.at(S->sh_addr).test(Address - S->sh_addr))
      return true;
    // Over a lock prefix, as glibc does when it runs with one thread.
    return F->Unchanged ||
           (Address > F->Begin && Output->bytesAt(Address - 1)[0] == '\xf0');
  }
  if (llvm::binary_search(Entries, Address))
    return true;
  // The runtime of profiles, which comes without symbols.
  if (Output->name(*S) == ".graupel.text")
    return true;
  // The old copy of a function that was moved still does its work, and so does
  // what BOLT does not know: nops before functions, and code without a size.
  if (Output->name(*S).starts_with(".bolt.org"))
    return ((llvm::binary_search(OldEntries, Address) ||
             !isInOldFunction(Address)) &&
            isUnchanged(Address, 1)) ||
           isPatchedEntry(Address);
  // PLTs, and code without symbols that BOLT cannot have moved; what is before
  // a function that did not move.
  return isUnchanged(S->sh_addr, S->sh_size) || isUnchangedGap(Address) ||
         isUnlabeled(Address);
}

/// Whether \p B does what it did in the input: it leads to its function's end
/// (compilers make such jumps where control does not come; CodeComparison knows
/// whether this is one); it was not changed, and leads nowhere, as it did, where
/// the section ends; or into the old copy of a function that was moved, which is
/// from there on as it was. A jump through a table may lead such a copy to new
/// code by now.
bool CodeMap::isAsBefore(const Branch &B, Disassembler &Decoder) const {
  if (staysInside(B) || B.To == functionAt(B.From)->End)
    return true;
  const ElfView::Section *S = Output->sectionAt(B.To);
  if (!S && !Input->sectionAt(B.To))
    return isUnchanged(B.From, B.Size);
  if (!S || !Output->name(*S).starts_with(".bolt.org") ||
      !isUnchanged(B.From, B.Size))
    return false;
  auto Old =
      llvm::upper_bound(OldRanges, B.To, [](uint64_t A, const auto &Range) {
        return A < Range.first;
      });
  if (Old == OldRanges.begin())
    return false;
  const auto [Begin, End] = *std::prev(Old);
  if (B.To >= End || !isUnchanged(B.To, End - B.To))
    return false;
  bool IsInstruction = false;
  Instruction I;
  for (uint64_t At = Begin; At < End; At = I.end()) {
    IsInstruction |= At == B.To;
    Decoder.decode(Input->bytesAt(At).take_front(End - At), At, I);
    if (!I.Size || I.Kind == FlowKind::IndirectJump)
      return false;
  }
  return IsInstruction;
}

Error CodeMap::checkBranches() const {
  Disassembler Decoder(Output->header().e_machine);
  for (const Branch &B : Branches)
    if (!isTarget(B.To) && !isAsBefore(B, Decoder))
      return badFile("the code of " + functionAt(B.From)->Name + " at " +
                         hex(B.From) + " branches to " + hex(B.To) +
                         ", where no instruction begins",
                     OurDefect);
  return Error::success();
}

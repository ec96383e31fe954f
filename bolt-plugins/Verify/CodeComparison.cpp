//===- Verify/CodeComparison.cpp - Both files' code in step ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the code of both files, by the steps of CodeComparison.h and with
// their numbers.
//
// 1. addSymbols() and addPointers() make the first pairs: the entry, the
//    symbols of the loader and of the linker, then pointers in data.
// 2. follow() follows a pair until it is done or known (mark). settle() goes on
//    to the next instructions of both sides, meetEntry() checks where the input
//    has come to another function.
// 3. compare() compares the unwind states (CodeFrames.cpp), then the
//    instructions, with their operands (CodeOperands.cpp).
// 4. compareBranch() and compareCall() look at where control goes, and at
//    handlers (CodeFrames.cpp), and whether functions end where they seem to
//    (FunctionEnds.cpp).
// 5. drain() compares tables when there is no pair left, which makes further
//    pairs (CodeOperands.cpp).
// 6. settle() and meetEntry() step over code that counts (CodeRecordings.cpp).
//    At the end run() has it checked that nothing reads the changes of that
//    code, and judges unwind states that differ (checkRows).
//
//===----------------------------------------------------------------------===//

#include "CodeComparison.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;

// Jumps to jumps; more of them are a loop of jumps.
static constexpr unsigned MaxJumps = 64;

CodeComparison::CodeComparison(const Files &F, bool MayDiffer)
    : F(F), MayDiffer(MayDiffer), Decoder(F.Output.header().e_machine),
      Recording(F.Input, F.Output, F.Symbols, F.Before, Decoder),
      In{F.Input, F.UnwindBefore, {}, 0, nullptr, {}, 0},
      Out{F.Output, F.UnwindNow, {}, 0, nullptr, {}, 0} {}

Error CodeComparison::bad(const Twine &Problem) {
  return badFile(Problem,
                 "this is a defect of graupel-bolt, report it with the input");
}

std::string CodeComparison::place(uint64_t Address, bool IsOutput) const {
  const SymbolMap::Range *R =
      IsOutput ? F.Symbols.outputAt(Address) : F.Symbols.inputAt(Address);
  return R ? R->Name.str() + " (" + hex(Address) + ")" : hex(Address);
}

/// The function is different: an error, or only noted.
Error CodeComparison::mismatch(const Twine &Problem) {
  if (MayDiffer) { // Startup code may have no symbol.
    Different.insert(Owner ? Owner->Begin : In.At);
    return Error::success();
  }
  return bad("the code of " + place(Out.At, true) +
             " is not that of the input's " + place(In.At, false) +
             ", reached from " + hex(From) + ": " + Problem + Recording.why());
}

void CodeComparison::findSections() {
  for (const ElfView::Section &S : F.Input.sections())
    if (S.sh_flags & ELF::SHF_EXECINSTR && S.sh_flags & ELF::SHF_ALLOC)
      First[S.sh_addr].resize(S.sh_size);
  OutputBase = UINT64_MAX;
  for (const ElfView::Segment &S : F.Output.segments())
    if (S.p_type == ELF::PT_LOAD && S.p_flags & ELF::PF_X)
      OutputBase = std::min<uint64_t>(OutputBase, S.p_vaddr);
}

/// A word from which the end of a section is loaded must still hold it.
Error CodeComparison::checkEnds() {
  for (uint64_t Slot : F.Before.slotsOfEnds()) {
    std::optional<uint64_t> Before = F.Before.pointerAt(Slot),
                            Now = F.Now.pointerAt(Slot);
    if (Before && F.Input.isCode(*Before) && Before != Now)
      return bad("the end of a section that is loaded from " + hex(Slot) +
                 " is " + hex(Now.value_or(0)) + " instead of " + hex(*Before));
  }
  return Error::success();
}

Error CodeComparison::run() {
  findSections();
  if (Error E = checkEnds())
    return E;
  addSymbols();
  if (Error E = drain())
    return E;
  addPointers();
  if (Error E = drain())
    return E;
  if (Recording.any())
    if (Error E = Recording.run(
            [](const Twine &Problem) { return bad(Problem); },
            [&](uint64_t At, bool IsOutput) { return place(At, IsOutput); }))
      return E;
  return checkRows();
}

void CodeComparison::push(uint64_t Input, uint64_t Output) {
  Work.push_back({Input, Output, In.At});
}

void CodeComparison::addSymbols() {
  if (F.Input.header().e_entry)
    Work.push_back({F.Input.header().e_entry, F.Output.header().e_entry, 0});
  // The loader finds functions by the numbers of their symbols.
  const ElfView::Section *Old = F.Input.find(".dynsym"),
                         *New = F.Output.find(".dynsym");
  if (Old && New)
    for (const auto &[A, B] : zip(F.Input.table<ElfView::Symbol>(*Old),
                                  F.Output.table<ElfView::Symbol>(*New)))
      if (A.st_value && A.getType() == ELF::STT_FUNC &&
          F.Input.isCode(A.st_value))
        Work.push_back({A.st_value, B.st_value, 0});
  for (const SymbolMap::Pair &P : F.Symbols.pairs())
    // Parts are reached from their functions.
    if (!isPartName(P.Name))
      Work.push_back({P.Input, P.Output, 0});
}

/// Pointers to functions must lead to their counterparts. Those to labels are
/// updated if they are in use.
void CodeComparison::addPointers() {
  auto add = [&](uint64_t Place) {
    std::optional<uint64_t> Before = F.Before.pointerAt(Place),
                            Now = F.Now.pointerAt(Place);
    if (!Before || !Now || !F.Input.isCode(*Before))
      return;
    noteTaken(*Before);
    const SymbolMap::Range *R = F.Symbols.inputAt(*Before);
    if (isPLT(*Before) || !R || (R->Begin != *Before && Before == Now) ||
        isDataAmongCode(*Before, *Now))
      return;
    auto Moved = MovedTables.upper_bound(Place);
    if (Moved != MovedTables.begin() && Place < std::prev(Moved)->second)
      return;
    Work.push_back({*Before, *Now, Place});
  };
  for (const auto &[Place, Target] : F.Before.relative())
    if (!F.Before.slotsOfEnds().contains(Place))
      add(Place);
  for (const AppliedRelocations::Place &P : F.Before.data())
    if (P.Type == ELF::R_X86_64_64 && !F.Before.relative().contains(P.Address))
      add(P.Address);
  // The global offset table has none of the linker's relocations.
  for (const ElfView::Section &S : F.Input.sections())
    if (F.Input.name(S).starts_with(".got"))
      for (uint64_t Place = S.sh_addr; Place + 8 <= S.sh_addr + S.sh_size;
           Place += 8)
        if (!F.Before.relative().contains(Place) &&
            !F.Before.slotsOfEnds().contains(Place))
          add(Place);
  llvm::sort(Work,
             [](const Pair &A, const Pair &B) { return A.From > B.From; });
}

Error CodeComparison::drain() {
  while (!Work.empty() || !Tables.empty()) {
    if (Work.empty()) {
      const Table T = Tables.back();
      Tables.pop_back();
      if (Error E = compareTable(T))
        return E;
      continue;
    }
    const Pair P = Work.back();
    Work.pop_back();
    if (Error E = follow(P))
      return E;
  }
  return Error::success();
}

bool CodeComparison::decode(Side &S) {
  // One look for the segment serves many instructions.
  if (S.At < S.BytesAt || S.At - S.BytesAt >= S.Bytes.size()) {
    S.BytesAt = S.At;
    S.Bytes = S.File.isCode(S.At) ? S.File.bytesAt(S.At) : StringRef();
  }
  StringRef Bytes =
      S.Bytes.drop_front(std::min<uint64_t>(S.At - S.BytesAt, S.Bytes.size()));
  Decoder.decode(Bytes, S.At, S.Now);
  // Processors ignore this prefix of a return.
  if (S.Now.Size <= 2 && Bytes.size() > 1 && Bytes[0] == '\xf3' &&
      (Bytes[1] == '\xc3' || Bytes[1] == '\xc2'))
    Decoder.decode(Bytes.drop_front(), ++S.At, S.Now);
  return S.Now.Size != 0;
}

/// Follows \p S over a nop or a jump, if there is one.
bool CodeComparison::skip(Side &S) {
  if (!decode(S))
    return false;
  if (S.Now.Kind == FlowKind::Nop)
    S.At = S.Now.end();
  else if (S.Now.Kind == FlowKind::Jump)
    S.At = S.Now.Target;
  else
    return false;
  return true;
}

/// Whether \p At is the end of the function that is followed and no other one:
/// control does not come there. Compilers jump there from what they know to be
/// unreachable, and BOLT drops such jumps.
bool CodeComparison::isBehindOwner(uint64_t At) const {
  return Owner && At == Owner->End && !F.Symbols.inputAt(At);
}

/// Whether \p At is a part without code, which GCC makes of what it knows to be
/// unreachable (f.cold of no bytes): control does not come there.
bool CodeComparison::isEmptyPart(uint64_t At) {
  if (!F.Symbols.isEmptyPart(At))
    return false;
  Side Look{F.Input, F.UnwindBefore, {}, At, nullptr, {}, 0};
  const ElfView::Section *S = F.Input.sectionAt(At);
  const uint64_t End = S ? S->sh_addr + S->sh_size : At;
  while (Look.At < End && !F.Symbols.isEntry(Look.At)) {
    if (!decode(Look) || Look.Now.Kind != FlowKind::Nop)
      return false;
    Look.At = Look.Now.end();
  }
  return true;
}

/// Whether nothing but zeros is between where \p S is and the next function: mold
/// pads with them, behind calls that do not return.
bool CodeComparison::isZeroPadding(const Side &S) const {
  const StringRef Bytes =
      S.Bytes.drop_front(std::min<uint64_t>(S.At - S.BytesAt, S.Bytes.size()));
  const size_t Size = Bytes.find_first_not_of('\0');
  return Size && Size != StringRef::npos && F.Symbols.isEntry(S.At + Size);
}

/// Step 2: both sides go on to their next instruction.
Expected<CodeComparison::Where> CodeComparison::settle(bool Beginning) {
  unsigned Jumps = 0;
  for (bool First = Beginning; Jumps < MaxJumps; First = false) {
    if (!First && (F.Symbols.isEntry(In.At) || isPLT(In.At)))
      return meetEntry();
    if (isBehindOwner(In.At) || isEmptyPart(In.At))
      return Where::Done;
    const uint64_t Before = In.At;
    if (!skip(In)) {
      if (isZeroPadding(In))
        return Where::Done;
      break;
    }
    // A jump to another function hands on what that returns.
    if (Recording.any())
      Recording.flow().add(In.Now, true);
    Jumps += In.Now.Kind == FlowKind::Jump && In.At <= Before;
  }
  if (Jumps == MaxJumps) // An empty loop, in which nothing can be wrong.
    return Where::Done;
  Recorded.clear();
  Jumps = 0;
  while (Jumps < MaxJumps) {
    const uint64_t Before = Out.At;
    if (!skip(Out) && !skipRecording(&In.Now)) {
      noteRecorded(&In.Now);
      return Where::Instruction;
    }
    Jumps += Out.Now.Kind == FlowKind::Jump && Out.At <= Before;
  }
  if (Error E = mismatch("it does nothing forever"))
    return std::move(E);
  return Where::Done;
}

/// The input has come to the beginning of a function or a stub of the PLT, and
/// the output must come to the same one.
Expected<CodeComparison::Where> CodeComparison::meetEntry() {
  const uint64_t Entry = In.At, Start = Out.At;
  Recorded.clear();
  for (unsigned Jumps = 0; Jumps < MaxJumps; ++Jumps) {
    if (F.Symbols.isCounterpart(Entry, Out.At) ||
        (isPLT(Entry) && isSameStub(Entry, Out.At))) {
      noteRecorded(nullptr);
      return Where::Done;
    }
    if (!skip(Out) && !skipRecording(nullptr))
      break;
  }
  if (isPLT(Entry)) {
    noteRecorded(nullptr);
    if (!isBypassOf(Entry, Out.Now))
      if (Error E = mismatch("it does not go on to the stub " + hex(Entry)))
        return std::move(E);
    return Where::Done;
  }
  if (Entry == RunsInto && Out.At != Entry)
    return runsElsewhere();
  // By another name, or in its old place: it must be the same code.
  Out.At = Start;
  push(Entry, Start);
  return Where::Done;
}

/// Marks the pair; false if it has been looked at before.
bool CodeComparison::mark() {
  if (!Marks || In.At < MarksAt || In.At - MarksAt >= Marks->size()) {
    auto It = First.upper_bound(In.At);
    if (It == First.begin())
      return false;
    --It;
    MarksAt = It->first;
    Marks = &It->second;
    if (In.At - MarksAt >= Marks->size())
      return false;
  }
  uint32_t &Known = (*Marks)[In.At - MarksAt];
  const uint64_t Number = Out.At - OutputBase + 1;
  if (!Known && Number <= UINT32_MAX) {
    Known = Number;
    return true;
  }
  return Known != Number && Further.insert({In.At, Out.At}).second;
}

Error CodeComparison::follow(const Pair &P) {
  In.At = P.Input;
  Out.At = P.Output;
  From = P.From;
  Owner = F.Symbols.inputAt(P.Input);
  if (!Owner)
    Owner = F.Symbols.inputAt(P.From);
  for (bool Beginning = true;; Beginning = false) {
    Expected<Where> Next = settle(Beginning);
    if (!Next)
      return Next.takeError();
    if (*Next == Where::Done || !mark())
      return Error::success();
    ++Instructions;
    if (const SymbolMap::Range *R = F.Symbols.inputAt(In.At))
      Owner = R;
    // Bytes that are no instruction are not executed, as far as the input
    // tells.
    if (!In.Now.Size)
      return Error::success();
    if (Error E = checkTargets())
      return E;
    Expected<bool> More = compare();
    if (!More)
      return More.takeError();
    if (Recording.any())
      Recording.flow().add(In.Now, *More);
    if (!*More)
      return Error::success();
  }
}

static StringRef bytesOf(StringRef Bytes, uint64_t BytesAt,
                         const Instruction &I) {
  return Bytes.substr(I.Address - BytesAt, I.Size);
}

/// Step 3.
Expected<bool> CodeComparison::compare() {
  const size_t Changed = Different.size();
  if (Error E = compareFrames())
    return std::move(E);
  if (Different.size() != Changed)
    return false;
  const Instruction &A = In.Now, &B = Out.Now;
  switch (A.Kind) {
  case FlowKind::Branch:
  case FlowKind::OtherBranch:
    return compareBranch();
  case FlowKind::Call:
  case FlowKind::IndirectCall:
    return compareCall();
  default:
    break;
  }
  const bool SameBytes =
      A.MemoryOperand < 0 &&
      bytesOf(In.Bytes, In.BytesAt, A) == bytesOf(Out.Bytes, Out.BytesAt, B) &&
      !F.Before.hasAbsolute(A.Address, A.end());
  if (!SameBytes && !isSame(A, B)) {
    if (Error E = mismatch(Decoder.difference(A, B)))
      return std::move(E);
    return false;
  }
  In.At = A.end();
  Out.At = B.end();
  if (A.Kind != FlowKind::Plain || isLastSystemCall(A))
    return false;
  Expected<bool> Ends = leavesFrame(A);
  if (!Ends)
    return Ends.takeError();
  noteRunsOn(A);
  return !*Ends;
}

bool CodeComparison::isEndOfFunction(const Instruction &I) const {
  const SymbolMap::Range *Home = F.Symbols.inputAt(I.Address);
  return Home && I.end() >= Home->End;
}

/// Whether a branch comes to the same place on both sides: BOLT drops those.
bool CodeComparison::goesNowhere(uint64_t Taken, uint64_t Behind) {
  Side Look{F.Input, F.UnwindBefore, {}, 0, nullptr, {}, 0};
  auto settled = [&](uint64_t At) {
    Look.At = At;
    for (unsigned Jumps = 0; Jumps < MaxJumps && skip(Look); ++Jumps)
      ;
    return Look.At;
  };
  return settled(Taken) == settled(Behind);
}

/// Step 4, branches.
Expected<bool> CodeComparison::compareBranch() {
  const Instruction A = In.Now, B = Out.Now;
  bool Same = A.Kind == B.Kind && Decoder.operation(A) == Decoder.operation(B);
  bool Inverted = false;
  if (Same && A.Kind == FlowKind::Branch) {
    const int64_t Now = B.Inst.getOperand(1).getImm(),
                  Before = A.Inst.getOperand(1).getImm();
    // The conditions come in pairs of opposites.
    Inverted = Now == (Before ^ 1);
    Same = Inverted || Now == Before;
  }
  if (!Same) {
    if (goesNowhere(A.Target, A.end()) || isBehindOwner(A.Target)) {
      In.At = A.end();
      return true;
    }
    if (isBehindOwner(A.end())) {
      In.At = A.Target;
      return true;
    }
    if (Error E = mismatch(Decoder.difference(A, B)))
      return std::move(E);
    return false;
  }
  push(A.Target, Inverted ? B.end() : B.Target);
  In.At = A.end();
  Out.At = Inverted ? B.Target : B.end();
  noteRunsOn(A);
  return true;
}

/// Step 4, calls.
Expected<bool> CodeComparison::compareCall() {
  const Instruction A = In.Now, B = Out.Now;
  bool Same = false;
  if (A.Kind == FlowKind::Call && B.Kind == FlowKind::Call)
    Same = isSameCode(A.Target, B.Target);
  else if (A.Kind == FlowKind::Call)
    Same = isPLT(A.Target) && isBypassOf(A.Target, B);
  else
    Same = isSame(A, B);
  if (!Same) {
    if (Error E = mismatch(A.Kind == FlowKind::Call && B.Kind == FlowKind::Call
                               ? "it calls " + place(B.Target, true) +
                                     " instead of " + place(A.Target, false)
                               : "there is " + Decoder.name(B) +
                                     " instead of the call"))
      return std::move(E);
    return false;
  }
  if (Error E = compareHandlers())
    return std::move(E);
  In.At = A.end();
  Out.At = B.end();
  return goesOnBehind(A, B.end());
}

/// Parts of functions may have a record of their own and no symbol that says
/// where they end. Linkers put traps behind the last one.
bool CodeComparison::isEndOfRecord(const Instruction &I) const {
  return In.Frame && I.end() >= In.Frame->Record.End &&
         (F.Input.bytesAt(I.end()).starts_with("\xcc") ||
          !F.UnwindBefore.hasRecord(I.end()));
}

/// Whether there is data at \p Address, for all that is known: only an address
/// in other code leads there. \p Now is what leads there in the output.
bool CodeComparison::isDataAmongCode(uint64_t Address, uint64_t Now) const {
  return Address == Now && !F.Symbols.isEntry(Address) &&
         !F.UnwindBefore.hasRecord(Address);
}

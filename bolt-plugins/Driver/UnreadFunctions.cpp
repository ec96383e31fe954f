//===- Driver/UnreadFunctions.cpp - Why BOLT skips functions --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Note at which step of reading each function was ignored: before it was
//    read (the options), when it was decoded, when branches between functions,
//    branches inside of it, entries or what is behind it were looked at.
// 2. When somebody asks, follow the control flow of the function from its
//    entries. BOLT decodes from the beginning to the end. If nothing is wrong
//    with what control comes to, it was data that BOLT took for code: a string
//    behind the last return, say.
//
//===----------------------------------------------------------------------===//

#include "UnreadFunctions.h"
#include "Options/CopyPlan.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstrInfo.h"
#include <utility>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

enum class Step : uint8_t {
  NotChosen,      ///< Ignored before anything was read.
  Bounds,         ///< Its end was doubtful then.
  Parts,          ///< It has several parts, and functions keep their places.
  Code,           ///< Its instructions.
  BranchesAway,   ///< A branch of it to another function.
  BranchesHere,   ///< A branch of another function to it.
  OwnBranches,    ///< A branch inside of it.
  Entries,        ///< Something refers to an address in it.
  SeveralEntries, ///< The same, where BOLT cannot have that.
  Padding,        ///< The bytes behind it.
};

struct Note {
  Step At;
  uint64_t Other = 0;   ///< The address of the other function of a branch.
  uint64_t Address = 0; ///< The target of that branch.
};

/// By the address of the function. The first reason counts.
DenseMap<uint64_t, Note> Notes;

void note(const BinaryFunction &BF, Note N) {
  Notes.try_emplace(BF.getAddress(), N);
}

/// Notes the functions that have been ignored since the last step.
void noteIgnored(const BinaryContext &BC, Step At) {
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isIgnored())
      note(BF, {At});
}

/// Step 2.
class Walk {
public:
  enum class Finding { Nothing, Unreadable, Unsupported, Overlap };

  /// From the entries of \p BF, one of which is \p Address.
  explicit Walk(const BinaryFunction &BF, uint64_t Address = 0)
      : BC(BF.getBinaryContext()), Begin(BF.getAddress()) {
    if (ErrorOr<ArrayRef<uint8_t>> Data = BF.getData())
      Code = Data->take_front(BF.getSize());
    Starts.resize(Code.size());
    Inside.resize(Code.size());
    if (Address)
      reach(Address - Begin);
    reach(0);
    followAll();
    const bool IsReadable = Found != Finding::Unreadable;
    BF.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
      reach(Offset);
      return true;
    });
    followAll();
    if (!IsReadable || Found != Finding::Unreadable)
      return;
    // An address that is taken may be that of data.
    Found = Finding::Nothing;
    IsDoubtful = true;
  }

  /// The problem with the instructions that control comes to.
  Finding found() const { return Found; }
  /// It may come to others, too, or what it comes to is doubtful.
  bool isDoubtful() const { return IsDoubtful; }
  /// A branch or call there is among them.
  bool leadsTo(uint64_t Address) const { return Targets.contains(Address); }

private:
  const BinaryContext &BC;
  const uint64_t Begin;
  ArrayRef<uint8_t> Code;
  BitVector Starts, Inside; ///< Bytes of instructions: the first, the others.
  SmallVector<uint64_t> Worklist;
  SmallDenseSet<uint64_t> Targets;
  Finding Found = Finding::Nothing;
  bool IsDoubtful = false;

  void reach(uint64_t Offset) {
    if (Offset >= Code.size() || Starts[Offset])
      return;
    Starts.set(Offset);
    Worklist.push_back(Offset);
  }

  void followAll() {
    while (Found == Finding::Nothing && !Worklist.empty())
      follow(Worklist.pop_back_val());
  }

  void follow(uint64_t Offset) {
    MCInst Inst;
    uint64_t Size = 0, Target = 0;
    if (!BC.DisAsm->getInstruction(Inst, Size, Code.slice(Offset),
                                   Begin + Offset, nulls()))
      Found = Finding::Unreadable;
    else if (BC.MIB->isUnsupportedInstruction(Inst))
      Found = Finding::Unsupported;
    else if (overlaps(Offset, Size))
      Found = Finding::Overlap;
    if (Found != Finding::Nothing)
      return;
    if (BC.MIB->isIndirectBranch(Inst))
      IsDoubtful = true;
    else if ((BC.MIB->isBranch(Inst) || BC.MIB->isCall(Inst)) &&
             BC.MIB->evaluateBranch(Inst, Begin + Offset, Size, Target)) {
      Targets.insert(Target);
      reach(Target - Begin);
    }
    if (goesOn(Inst))
      reach(Offset + Size);
  }

  bool overlaps(uint64_t Offset, uint64_t Size) {
    if (Inside[Offset])
      return true;
    for (uint64_t I = Offset + 1; I < Offset + Size; ++I) {
      if (Starts[I])
        return true;
      Inside.set(I);
    }
    return false;
  }

  bool goesOn(const MCInst &Inst) const {
    return !BC.MIB->isReturn(Inst) && !BC.MIB->isUnconditionalBranch(Inst) &&
           !BC.MIB->isIndirectBranch(Inst) && !BC.MIB->isTrap(Inst) &&
           BC.MII->getName(Inst.getOpcode()) != "HLT";
  }
};

/// Whether LLVM cannot write what it reads there.
bool hasStrangeEncoding(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  uint64_t Size = 0;
  for (uint64_t At = 0; Code && At < BF.getSize(); At += Size) {
    MCInst Inst;
    if (!BC.DisAsm->getInstruction(Inst, Size, Code->slice(At),
                                   BF.getAddress() + At, nulls()))
      return false;
    if (BC.MIB->hasEVEXEncoding(Inst) &&
        !BC.validateInstructionEncoding(Code->slice(At, Size)))
      return true;
  }
  return false;
}

/// Whether each byte of \p BF can be read as code, in order.
bool canBeRead(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  uint64_t Size = 0;
  for (uint64_t At = 0; Code && At < BF.getSize(); At += Size) {
    MCInst Inst;
    if (!BC.DisAsm->getInstruction(Inst, Size, Code->slice(At),
                                   BF.getAddress() + At, nulls()) ||
        BC.MIB->isUnsupportedInstruction(Inst))
      return false;
  }
  return true;
}

std::string dataInside(const Walk &Path) {
  return Path.isDoubtful() ? "it seems to have data among its instructions"
                           : "it has data among its instructions";
}

std::string whyUndecoded(const BinaryFunction &BF) {
  const Walk Path(BF);
  if (Path.found() == Walk::Finding::Unreadable)
    return "its instructions cannot be read";
  if (Path.found() == Walk::Finding::Unsupported)
    return "it has a jump that cannot become longer (jrcxz, loop)";
  if (hasStrangeEncoding(BF))
    return "one of its instructions cannot be written again";
  if (canBeRead(BF))
    return "a jump that cannot become longer leads to it (jrcxz, loop)";
  return dataInside(Path);
}

/// \p Address in \p BF is no instruction for BOLT.
std::string whyMiddle(const BinaryFunction &BF, uint64_t Address,
                      const Twine &Otherwise) {
  const Walk Path(BF, Address);
  return Path.found() == Walk::Finding::Nothing ? dataInside(Path)
                                                : Otherwise.str();
}

/// \p BF branches to \p Address in \p To.
std::string whyAway(const BinaryFunction &BF, const BinaryFunction &To,
                    uint64_t Address) {
  const Walk Path(BF);
  if (Path.found() == Walk::Finding::Nothing && !Path.leadsTo(Address))
    return dataInside(Path);
  return "it branches to the middle of an instruction of " + shortName(To);
}

/// \p From seems to branch to \p Address in \p BF.
std::string whyHere(const BinaryFunction &BF, const BinaryFunction &From,
                    uint64_t Address) {
  const Walk Path(From);
  if (Path.found() == Walk::Finding::Nothing && !Path.leadsTo(Address))
    return "data in " + shortName(From) +
           " looks like a branch to the middle of one of its instructions";
  return whyMiddle(BF, Address,
                   shortName(From) +
                       " branches to the middle of one of its instructions");
}

} // namespace

std::string graupel::shortName(const BinaryFunction &BF) {
  // Names of template instances can be as long as a page.
  constexpr size_t LongestName = 60;
  std::string Name = BF.getDemangledName();
  // BOLT's number of a local symbol.
  Name.resize(std::min(Name.size(), Name.rfind('/')));
  if (Name.size() > LongestName)
    Name = Name.substr(0, LongestName - 3) + "...";
  return Name;
}

void graupel::watchReading(BinaryContext &BC) {
  static const BinaryContext *Watched = nullptr;
  if (std::exchange(Watched, &BC) == &BC)
    return;
  noteIgnored(BC, Step::NotChosen);
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (!BF.isSimple() || !BF.getSize())
      note(BF,
           {isInParts(BF) && !BC.HasRelocations ? Step::Parts : Step::Bounds});
}

/// The function that \p Target is in, if that is no instruction of it.
static const BinaryFunction *functionMissed(BinaryContext &BC,
                                            uint64_t Target) {
  const BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Target);
  if (!BF || BF->isIgnored() || Target == BF->getAddress() ||
      BF->getInstructionAtOffset(Target - BF->getAddress()))
    return nullptr;
  return BF;
}

void graupel::watchBranches(BinaryContext &BC, function_ref<void()> Judge) {
  noteIgnored(BC, Step::Code);
  struct Branch {
    const BinaryFunction *From, *To;
    uint64_t Address;
  };
  std::vector<Branch> Branches;
  for (const auto &[BF, Target] :
       BC.*member(internals::InterproceduralReferencesTag()))
    if (const BinaryFunction *To = functionMissed(BC, Target);
        To && !BF->isIgnored())
      Branches.push_back({BF, To, Target});
  Judge();
  for (const Branch &B : Branches)
    if (B.From->isIgnored() && B.To->isIgnored()) {
      note(*B.From, {Step::BranchesAway, B.To->getAddress(), B.Address});
      note(*B.To, {Step::BranchesHere, B.From->getAddress(), B.Address});
    }
}

bool graupel::isNotChosen(const BinaryFunction &BF) {
  const auto It = Notes.find(BF.getAddress());
  return It != Notes.end() && It->second.At == Step::NotChosen;
}

bool graupel::isUnread(const BinaryFunction &BF) {
  const auto It = Notes.find(BF.getAddress());
  return BF.isIgnored() && It != Notes.end() &&
         It->second.At != Step::NotChosen;
}

std::string graupel::whyUnread(const BinaryFunction &BF) {
  const auto It = Notes.find(BF.getAddress());
  // BOLT does not follow jump tables from one part to another, which it finds
  // out last.
  if (It == Notes.end())
    return BF.hasIndirectTargetToSplitFragment() || BF.isFragment()
               ? "a jump table leads to its cold part, which "
                 "-fno-reorder-blocks-and-partition avoids"
               : "";
  const Note &N = It->second;
  const BinaryFunction *Other =
      BF.getBinaryContext().getBinaryFunctionAtAddress(N.Other);
  switch (N.At) {
  case Step::NotChosen:
    return "";
  case Step::Bounds:
    return "symbols or unwind records contradict its size";
  case Step::Parts:
    return "the compiler split it, and functions keep their places";
  case Step::Code:
    return whyUndecoded(BF);
  case Step::BranchesAway:
    return whyAway(BF, *Other, N.Address);
  case Step::BranchesHere:
    return whyHere(BF, *Other, N.Address);
  case Step::OwnBranches:
    return whyMiddle(BF, BF.getAddress(),
                     "it branches to the middle of one of its instructions");
  case Step::Entries:
    return whyMiddle(
        BF, BF.getAddress(),
        "something refers to the middle of one of its instructions");
  case Step::SeveralEntries:
    return "it has several entries, which must not move without relocations";
  case Step::Padding:
    return "what is right behind it is no padding";
  }
  llvm_unreachable("unknown step");
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// BinaryFunction::validateInternalBranches()
bool __real__ZN4llvm4bolt14BinaryFunction24validateInternalBranchesEv(
    BinaryFunction *BF);
bool __wrap__ZN4llvm4bolt14BinaryFunction24validateInternalBranchesEv(
    BinaryFunction *BF) {
  const bool IsValid =
      __real__ZN4llvm4bolt14BinaryFunction24validateInternalBranchesEv(BF);
  if (!IsValid && isOurs(BF->getBinaryContext()))
    note(*BF, {Step::OwnBranches});
  return IsValid;
}

// BinaryFunction::postProcessEntryPoints()
void __real__ZN4llvm4bolt14BinaryFunction22postProcessEntryPointsEv(
    BinaryFunction *BF);
void __wrap__ZN4llvm4bolt14BinaryFunction22postProcessEntryPointsEv(
    BinaryFunction *BF) {
  const bool WasSimple = BF->isSimple();
  __real__ZN4llvm4bolt14BinaryFunction22postProcessEntryPointsEv(BF);
  if (WasSimple && !BF->isSimple() && isOurs(BF->getBinaryContext()))
    note(*BF, {BF->isIgnored() ? Step::Entries : Step::SeveralEntries});
}

// BinaryContext::adjustCodePadding()
void __real__ZN4llvm4bolt13BinaryContext17adjustCodePaddingEv(
    BinaryContext *BC);
void __wrap__ZN4llvm4bolt13BinaryContext17adjustCodePaddingEv(
    BinaryContext *BC) {
  // Bytes behind an original stay there. They may be code without a record.
  if (makesCopies())
    return;
  __real__ZN4llvm4bolt13BinaryContext17adjustCodePaddingEv(BC);
  if (isOurs(*BC))
    noteIgnored(*BC, Step::Padding);
}
}

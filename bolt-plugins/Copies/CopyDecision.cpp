//===- Copies/CopyDecision.cpp - Which functions are copied ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy is entered at its beginning, through the jump in the original, and
// where other copies branch to. Whatever else leads into the function leads into
// the original, which goes on there with the same state of the machine. So three
// things must be proved:
//
//   1. The copy does what the function does. All of it is decoded. Each indirect
//      jump goes through a table whose size is proved (SwitchProof), or leaves
//      the function: then nothing may know an address in its middle.
//   2. Nobody asks whether control is at a certain place of the function, as
//      handlers of faults do: no number or operand is an address in its middle.
//   3. Nobody but who enters the function sees the patched bytes. No branch,
//      landing pad, number or table leads behind the first of them
//      (KnownAddresses), and nothing reads them.
//
// Each byte counts as the beginning of a branch or operand, but where straight
// decoding is without a doubt (StraightCode). So do short branches, which reach
// 128 bytes.
//
// Tables are proved twice: before BOLT disassembles, so that it reads as many
// entries as there are; and when all entries and landing pads are known.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "KnownAddresses.h"
#include "StraightCode.h"
#include "Support/BoltInternals.h"
#include "Support/Decoding.h"
#include "SwitchProof.h"
#include "bolt/Core/JumpTable.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/BinaryFormat/ELF.h"
#include <optional>

#define DEBUG_TYPE "graupel-copies"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

STATISTIC(NumCopied, "Number of functions that are copied");
STATISTIC(NumTables, "Number of jump tables whose sizes were proved");
STATISTIC(NumNotCopied, "Number of functions that cannot be copied");

namespace {

StringRef Input;
std::optional<KnownAddresses> Known;
std::map<uint64_t, uint64_t> Tables; ///< Ends of proved ones by their begins.

/// A short branch reaches so far, with its own bytes.
constexpr uint64_t ShortReach = 130;
/// What one instruction reads or writes.
constexpr uint64_t WidestAccess = 64;

/// Judges one function.
class Judge {
public:
  Judge(BinaryFunction &BF, StraightCode &Straight)
      : BF(BF), BC(BF.getBinaryContext()), Straight(Straight),
        Begin(BF.getAddress()),
        PatchBegin(Begin + (beginsWithEndbr(BF) ? EndbrSize : 0)),
        PatchEnd(PatchBegin + PatchSize) {}

  /// Why the function cannot be copied; null if it can.
  const char *reason() {
    if (!BF.getOriginSectionName() ||
        !BF.getOriginSectionName()->starts_with(".text"))
      return "it is in a section whose pieces run into each other";
    if (!Known->hasRecord(Begin, Begin + BF.getSize()))
      return "no unwind record tells where it ends";
    if (BF.*member(internals::HasInternalLabelReferenceTag()))
      return "it takes the address of one of its own instructions";
    if (branchesToEnd())
      return "it branches to what is behind its end";
    if (const char *Why = reasonInJumps())
      return Why;
    if (Known->isAddress(Begin + 1, Begin + BF.getSize(), [&](const auto &Hit) {
          return Straight.isWhole(Hit) && Straight.isReal(Hit);
        }))
      return "the address of an instruction in it is known";
    HasKnownFlow = true;
    if (const char *Why = reasonInPatch())
      return Why;
    // It may count from there. Code with a record is known to call what it takes
    // the address of (Protect/CodeRows).
    if (Known->isAddress(Begin, Begin + 1, [&](const auto &Hit) {
          const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Hit.At);
          return Home && Home->isText() &&
                 !Known->hasRecord(Hit.At, Hit.At + 1) && Straight.isWhole(Hit);
        }))
      return "code without an unwind record takes its address";
    return nullptr;
  }

  /// Whether reason() found nothing but where the function is.
  bool HasKnownFlow = false;

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  StraightCode &Straight;
  const uint64_t Begin, PatchBegin, PatchEnd;

  /// BOLT takes such a branch, or call, out if it knows no function there.
  bool branchesToEnd() const {
    const uint64_t End = Begin + BF.getSize();
    if (BC.getBinaryFunctionAtAddress(End))
      return false;
    bool Found = false;
    decodeInOrder(BC, BF.getData()->take_front(BF.getSize()), Begin,
                  [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
                    uint64_t Target = 0;
                    if (BC.MIB->isBranch(Inst) || BC.MIB->isCall(Inst))
                      Found |= BC.MIB->evaluateBranch(Inst, Begin + Offset,
                                                      Size, Target) &&
                               Target == End;
                  });
    return Found;
  }

  const char *reasonInJumps() {
    std::vector<uint64_t> Entries;
    BF.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
      if (Offset)
        Entries.push_back(Offset);
      return true;
    });
    for (const BinaryBasicBlock &Block : BF)
      if (Block.isLandingPad())
        Entries.push_back(Block.getOffset());
    auto IsReal = [&](const auto &Hit) { return Straight.isReal(Hit); };
    const SwitchProof Proof = proveSwitches(BF, Entries);
    if (!Proof.IsDecoded)
      return "some of its bytes cannot be decoded";
    if (!Proof.Unproved.empty() && hasUnreachedBlock())
      return "an indirect jump may lead to code that nothing else leads to";
    if (!Proof.Unproved.empty() &&
        Known->isHeld(Begin + 1, Begin + BF.getSize(), IsReal))
      return "it has an indirect jump that may stay in it";
    size_t NumJumps = 0;
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block)
        if (const uint64_t Address = BC.MIB->getJumpTable(Inst)) {
          ++NumJumps;
          if (!hasProof(Address, Proof))
            return "the size of one of its jump tables is not proved";
        }
    // BOLT has dropped the offsets of the jumps. If there are as many as were
    // proved, and each table is that of one, they are the same.
    if (NumJumps != Proof.Tables.size())
      return "the size of one of its jump tables is not proved";
    return nullptr;
  }

  /// Padding behind jumps is no code.
  bool hasUnreachedBlock() const {
    return llvm::any_of(BF, [&](const BinaryBasicBlock &Block) {
      return Block.pred_empty() && !Block.isEntryPoint() &&
             !Block.isLandingPad() &&
             llvm::any_of(Block, [&](const MCInst &Inst) {
               return !BC.MIB->isNoop(Inst) && !BC.MIB->isPseudo(Inst);
             });
    });
  }

  /// BOLT's table at \p Address has at least the entries that are used.
  bool hasProof(uint64_t Address, const SwitchProof &Proof) const {
    const JumpTable *Table = BC.getJumpTableContainingAddress(Address);
    if (!Table)
      return false;
    bool Found = false;
    for (const SwitchTable &Used : make_second_range(Proof.Tables)) {
      if (Used.Address != Address)
        continue;
      Found = true;
      if (Table->EntrySize != Used.EntrySize ||
          Address - Table->getAddress() + Used.NumEntries * Used.EntrySize >
              Table->getSize())
        return false;
    }
    return Found;
  }

  const char *reasonInPatch() {
    if (PatchEnd > Begin + BF.getSize())
      return "it is shorter than a jump";
    const char *const IsEntered = "something may lead into its first bytes";
    for (const BinaryBasicBlock &Block : BF)
      if (isInPatch(Begin + Block.getOffset()))
        return IsEntered;
    if (!BF.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
          return !isInPatch(Begin + Offset);
        }))
      return IsEntered;
    const auto Next = BC.getBinaryFunctions().upper_bound(Begin);
    if (Next != BC.getBinaryFunctions().end() && Next->first < PatchEnd)
      return IsEntered;
    auto IsReal = [&](const auto &Hit) { return Straight.isReal(Hit); };
    if (Known->isHeld(PatchBegin + 1, PatchEnd, IsReal) ||
        Known->isBranchedTo(PatchBegin + 1, PatchEnd, IsReal) ||
        isReachedFromNear())
      return IsEntered;
    if (Known->isRead(PatchBegin - WidestAccess, PatchEnd, IsReal))
      return "something may read its first bytes";
    return nullptr;
  }

  bool isInPatch(uint64_t Address) const {
    return Address > PatchBegin && Address < PatchEnd;
  }

  // Short branches of others.
  bool isReachedFromNear() const {
    const BinarySection &Home = *BF.getOriginSection();
    const uint64_t From = std::max(Home.getAddress(), PatchBegin - ShortReach);
    const uint64_t To = std::min(Home.getEndAddress(), PatchEnd + ShortReach);
    auto &Functions = BC.getBinaryFunctions();
    for (uint64_t At = From; At < To;) {
      const BinaryFunction *Other = BC.getBinaryFunctionContainingAddress(At);
      if (Other && branchesFrom(*Other, At))
        return true;
      if (Other) {
        At = Other->getAddress() + std::max<uint64_t>(1, Other->getSize());
        continue;
      }
      const auto Next = Functions.upper_bound(At);
      const uint64_t End =
          Next == Functions.end() ? To : std::min(To, Next->first);
      if (mayBranchFrom(At, End))
        return true;
      At = End;
    }
    return false;
  }

  /// Whether \p Other, which is decoded, branches into the patch.
  bool branchesFrom(const BinaryFunction &Other, uint64_t From) const {
    if (&Other == &BF) // Its blocks are known.
      return false;
    if (!Straight.isSound(Other))
      return mayBranchFrom(From, Other.getAddress() + Other.getSize());
    bool Found = false;
    decodeInOrder(BC, Other.getData()->take_front(Other.getSize()),
                  Other.getAddress(),
                  [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
                    uint64_t Target = 0;
                    if (BC.MIB->isBranch(Inst) &&
                        BC.MIB->evaluateBranch(
                            Inst, Other.getAddress() + Offset, Size, Target))
                      Found |= isInPatch(Target);
                  });
    return Found;
  }

  /// Whether a byte from \p From on may begin a short branch into the patch.
  bool mayBranchFrom(uint64_t From, uint64_t To) const {
    const BinarySection &Home = *BF.getOriginSection();
    const StringRef Bytes = Home.getContents();
    To = std::min(To, Home.getEndAddress() - 1);
    for (uint64_t At = From; At < To; ++At) {
      const auto Byte = [&](uint64_t Address) {
        return static_cast<uint8_t>(Bytes[Address - Home.getAddress()]);
      };
      const uint8_t Code = Byte(At);
      const bool IsBranch =
          Code == 0xeb || (Code & 0xf0) == 0x70 || (Code & 0xfc) == 0xe0;
      if (IsBranch && isInPatch(At + 2 + int64_t(int8_t(Byte(At + 1)))))
        return true;
    }
    return false;
  }
};

} // namespace

bool graupel::beginsWithEndbr(const BinaryFunction &BF) {
  constexpr uint8_t Endbr[EndbrSize] = {0xf3, 0x0f, 0x1e, 0xfa};
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  return Bytes && Bytes->size() >= EndbrSize &&
         Bytes->take_front(EndbrSize) == ArrayRef(Endbr);
}

void graupel::noteKnownAddresses(StringRef File) {
  Input = File;
  if (Expected<ElfView> View = ElfView::open(File))
    Known.emplace(*View);
  else
    consumeError(View.takeError());
}

const KnownAddresses *graupel::knownAddresses() {
  return Known ? &*Known : nullptr;
}

static DenseSet<const BinaryFunction *> Staying;

void graupel::keepFlow(BinaryFunction &BF) { Staying.insert(&BF); }

bool graupel::staysOriginal(const BinaryFunction &BF) {
  return Staying.contains(&BF);
}

bool graupel::knowsFunctions() { return Known && Known->hasRecords(); }

/// The jump tables of \p BF, wherever branches enter it.
static std::vector<SwitchTable> tablesOf(const BinaryFunction &BF) {
  std::vector<uint64_t> Entries;
  Known->forEachEntry(
      BF.getAddress() + 1, BF.getAddress() + BF.getSize(),
      [&](uint64_t Target) { Entries.push_back(Target - BF.getAddress()); });
  std::vector<SwitchTable> Found;
  for (const SwitchTable &Table :
       make_second_range(proveSwitches(BF, Entries).Tables)) {
    ++NumTables;
    uint64_t &End = Tables[Table.Address];
    End = std::max(End, Table.Address + Table.NumEntries * Table.EntrySize);
    Found.push_back(Table);
  }
  return Found;
}

void graupel::noteTables(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  for (const SwitchTable &Table : tablesOf(BF))
    for (uint64_t I = 0; I < Table.NumEntries; ++I) {
      const uint64_t At = Table.Address + I * Table.EntrySize;
      if (Table.EntrySize == 4)
        BC.addPCRelativeDataRelocation(At);
      else if (!BC.getRelocationAt(At))
        BC.addRelocation(At, BF.getSymbol(), ELF::R_X86_64_64,
                         *BC.getPointerAtAddress(At) - BF.getAddress(), 0);
    }
}

std::vector<NotCopied> graupel::decideCopied(BinaryContext &BC) {
  std::vector<NotCopied> Left;
  // Tables of functions that are not read end those before them.
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isIgnored() && !BF.isPseudo() && !BF.isPLTFunction())
      tablesOf(BF);
  if (Expected<ElfView> View = ElfView::open(Input))
    Known->addTables(*View, Tables);
  else
    consumeError(View.takeError());
  StraightCode Straight(BC, *Known, Tables);
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (BF.isIgnored() || BF.isPseudo() || BF.isPLTFunction())
      continue;
    // Why BOLT does not know its flow is known elsewhere.
    const bool HasFlow = BF.isSimple() && BF.hasCFG() && !BF.empty();
    Judge J(BF, Straight);
    if (const char *Why = HasFlow ? J.reason() : "")
      Left.push_back({&BF, Why, J.HasKnownFlow});
    else
      ++NumCopied;
  }
  NumNotCopied += Left.size();
  return Left;
}

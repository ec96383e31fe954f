//===- Protect/UnreadBranches.cpp - Targets of code that stays ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT decodes a function that it is not going to read in a straight line, and
// writes over what leads to functions that move. Data among the instructions
// makes it see operands that are none, and overlook some.
//
// 1. The linker's relocations tell where operands are, but for those that the
//    assembler filled in: they are relative, and in the same section.
// 2. A branch that BOLT overlooked leads into the middle of another function,
//    where it knows no entry: that function stays.
// 3. A place that BOLT would write over is doubtful if the linker filled in a
//    part of it or counted otherwise; if no relocation is there, and it is
//    absolute or leads into the middle of a function. A number of the assembler
//    that leads to the beginning is hardly data.
// 4. In the latter case it is an operand nevertheless if all jumps inside of
//    the function lead to instructions, and control comes to this one: assembly
//    jumps into the middle of other functions.
// 5. A doubtful place is not written, and the function that it leads to stays.
// 6. An operand that BOLT is not going to write over keeps the address that it
//    has: the function that it leads to stays. BOLT finds none in a function
//    with bytes that are no instruction, none in what others seem to contain,
//    and none between functions. The linker's relocations tell where operands
//    are, and bytes that lead to the very beginning of a function.
//
//===----------------------------------------------------------------------===//

#include "KnownPlaces.h"
#include "Options/CopyPlan.h"
#include "Protected.h"
#include "Support/BoltInternals.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/Support/Endian.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Step 2, for one branch.
static bool isOverlooked(BinaryContext &BC, const KnownBranch &Branch,
                         const BinaryFunction &To) {
  const BinaryFunction *From = BC.getBinaryFunctionContainingAddress(Branch.At);
  return From && From != &To && From->isIgnored() &&
         !hasEntryAt(To, Branch.Target);
}

namespace {

/// A function in a straight line, as BOLT decodes it.
class StraightCode {
public:
  explicit StraightCode(const BinaryFunction &BF)
      : BC(BF.getBinaryContext()), Begin(BF.getAddress()) {
    ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
    IsCode =
        Code && BF.getSize() <= Code->size() && decode(*Code, BF.getSize());
  }

  /// Step 4, for the operand at \p Address.
  bool isReached(uint64_t Address) const {
    const auto Next = Starts.upper_bound(Address - Begin);
    return IsCode && Next != Starts.begin() && std::prev(Next)->second;
  }

  /// Whether BOLT reads all of it, and each instruction is one.
  bool isSure() const { return IsCode && !HasShortExit; }

private:
  const BinaryContext &BC;
  const uint64_t Begin;
  bool IsCode = false;
  /// At a short jump to another function BOLT gives up.
  bool HasShortExit = false;
  /// The offset of each instruction, and whether control comes to it.
  std::map<uint64_t, bool> Starts;

  bool decode(ArrayRef<uint8_t> Code, uint64_t Size) {
    constexpr uint64_t ShortestLongJump = 5;
    SmallVector<uint64_t> Targets;
    bool IsReached = true;
    uint64_t Length = 0;
    for (uint64_t At = 0; At < Size; At += Length) {
      MCInst Inst;
      uint64_t Target = 0;
      if (!BC.DisAsm->getInstruction(Inst, Length, Code.slice(At), Begin + At,
                                     nulls()))
        return false;
      Starts[At] = IsReached;
      IsReached = !BC.MIB->isReturn(Inst) &&
                  !BC.MIB->isUnconditionalBranch(Inst) &&
                  !BC.MIB->isIndirectBranch(Inst) && !BC.MIB->isTrap(Inst);
      if (BC.MIB->isBranch(Inst) && !BC.MIB->isIndirectBranch(Inst) &&
          BC.MIB->evaluateBranch(Inst, Begin + At, Length, Target)) {
        if (Target - Begin < Size)
          Targets.push_back(Target - Begin);
        else
          HasShortExit |= Length < ShortestLongJump;
      }
    }
    for (uint64_t Target : Targets) {
      const auto It = Starts.find(Target);
      if (It == Starts.end())
        return false;
      It->second = true;
    }
    return true;
  }
};

} // namespace

/// Step 3: whether BOLT would be wrong to write \p R to \p Address in \p From.
static bool isDoubtful(const Relocation &R, uint64_t Address,
                       bool LeadsToBeginning, const BinaryFunction &From) {
  // Operands have four bytes, but for movabs.
  constexpr uint64_t Size = 4;
  const std::vector<FilledPlace> &Filled = knownPlaces().Filled;
  const bool IsRelative = R.isPCRelative();
  const auto It = llvm::lower_bound(
      Filled, FilledPlace{Address - Size + 1, FilledPlace::Kind::Absolute});
  if (It != Filled.end() && It->At < Address + Size)
    return It->At != Address ||
           (It->Is != FilledPlace::Kind::Either &&
            (It->Is == FilledPlace::Kind::Relative) != IsRelative);
  return !IsRelative ||
         (!LeadsToBeginning && !StraightCode(From).isReached(Address));
}

/// Step 3, for \p Section.
static void dropDoubtful(BinaryContext &BC, BinarySection &Section,
                         ProtectedFunctions &Protected) {
  erase_if(Section.*member(internals::PendingRelocationsTag()),
           [&](const Relocation &R) {
             const uint64_t At = Section.getAddress() + R.Offset;
             const auto [To, IsBeginning] = findFunctionEntry(BC, R.Symbol);
             const BinaryFunction *From =
                 BC.getBinaryFunctionContainingAddress(At);
             if (!To || !From || !From->isIgnored() ||
                 !isDoubtful(R, At, IsBeginning, *From))
               return false;
             if (!To->isIgnored())
               Protected.add(*To, ProtectReason::DoubtfulBranch);
             return true;
           });
}

static void dropDoubtful(BinaryContext &BC, ProtectedFunctions &Protected) {
  for (BinarySection &Section : BC.allocatableSections())
    if (Section.isText())
      dropDoubtful(BC, Section, Protected);
}

namespace {

/// Step 6.
class UnwrittenPlaces {
public:
  UnwrittenPlaces(BinaryContext &BC, ProtectedFunctions &Protected)
      : BC(BC), Protected(Protected) {}

  void run() {
    for (BinarySection &Section : BC.allocatableSections())
      if (Section.isText())
        for (const Relocation &R :
             Section.*member(internals::PendingRelocationsTag()))
          Written.insert(Section.getAddress() + R.Offset);
    for (const BinarySection &Section : BC.allocatableSections())
      if (Section.isText())
        lookAtStaying(Section);
  }

private:
  BinaryContext &BC;
  ProtectedFunctions &Protected;
  DenseSet<uint64_t> Written;

  /// Looks at all of \p Section but functions that move.
  void lookAtStaying(const BinarySection &Section) {
    const uint64_t SectionEnd = Section.getEndAddress();
    const auto &Functions = BC.getBinaryFunctions();
    uint64_t Begin = Section.getAddress();
    for (auto It = Functions.lower_bound(Begin);
         It != Functions.end() && It->first < SectionEnd; ++It) {
      const BinaryFunction &BF = It->second;
      lookOnce(Section, Begin, BF.getAddress());
      Begin = BF.getAddress();
      if (!BF.isIgnored())
        Begin = std::min(Begin + BF.getSize(), SectionEnd);
    }
    lookOnce(Section, Begin, SectionEnd);
  }

  /// A place that is not written over once is never written over.
  void lookOnce(const BinarySection &Section, uint64_t Begin, uint64_t End) {
    static DenseSet<uint64_t> Done; // By beginnings.
    if (Begin >= End || !Done.insert(Begin).second)
      return;
    lookAtFilled(Section, Begin, End);
    lookAtBytes(Section, Begin, End);
  }

  void lookAtFilled(const BinarySection &Section, uint64_t Begin,
                    uint64_t End) {
    const std::vector<FilledPlace> &Filled = knownPlaces().Filled;
    for (auto It = llvm::lower_bound(
             Filled, FilledPlace{Begin, FilledPlace::Kind::Absolute});
         It != Filled.end() && It->At < End; ++It) {
      const std::optional<uint32_t> Number = read(Section, It->At);
      if (Number && isAddress(It->Is, *Number))
        protect(It->At, *Number);
      if (It->Is == FilledPlace::Kind::Relative)
        lookAtRelative(Section, It->At);
      if (It->Is != FilledPlace::Kind::Either)
        continue;
      // Linkers put lea, a call or a jump in the place of what uses the global
      // offset table; the jump is a byte shorter. Others are no distances.
      for (uint64_t At : {It->At, It->At - 1})
        if (hasOpcodeBefore(Section, At))
          lookAtRelative(Section, At);
    }
  }

  /// Where nothing is moved, linkers put addresses of functions in the place of
  /// what uses the global offset table.
  bool isAddress(FilledPlace::Kind Is, uint64_t Number) const {
    return Is == FilledPlace::Kind::Absolute ||
           (Is == FilledPlace::Kind::Either && BC.HasFixedLoadAddress &&
            BC.getBinaryFunctionAtAddress(Number));
  }

  /// The assembler leaves no relocation of a distance in one section. Where
  /// BOLT may be misled, what looks like one to the beginning of a function is
  /// hardly another thing by chance, but for zeros in padding before it.
  void lookAtBytes(const BinarySection &Section, uint64_t Begin, uint64_t End) {
    const BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Begin);
    std::optional<bool> IsSure;
    for (uint64_t At = Begin + 1; At + 4 <= End; ++At) {
      if (!hasOpcodeBefore(Section, At))
        continue;
      const std::optional<uint32_t> Number = read(Section, At);
      const uint64_t Target = Number && *Number ? relative(At, *Number) : 0;
      if (!Target || !BC.getBinaryFunctionAtAddress(Target))
        continue;
      if (BF && !IsSure)
        IsSure = StraightCode(*BF).isSure();
      if (IsSure.value_or(false) && At < BF->getAddress() + BF->getSize())
        continue;
      protect(At, Target);
    }
  }

  /// Whether an opcode of lea, call or a jump is before \p At.
  static bool hasOpcodeBefore(const BinarySection &Section, uint64_t At) {
    const StringRef Content = Section.getContents();
    const uint64_t Offset = At - Section.getAddress();
    if (Offset >= Content.size())
      return false;
    const uint8_t Last = Content[Offset - 1],
                  First = Offset > 1 ? Content[Offset - 2] : 0;
    return Last == 0xe8 || Last == 0xe9 ||
           ((Last & 0xc7) == 0x05 && First == 0x8d) ||
           ((Last & 0xf0) == 0x80 && First == 0x0f);
  }

  static uint64_t relative(uint64_t At, uint32_t Number) {
    return At + 4 + static_cast<int64_t>(static_cast<int32_t>(Number));
  }

  static std::optional<uint32_t> read(const BinarySection &Section,
                                      uint64_t At) {
    const StringRef Content = Section.getContents();
    const uint64_t Offset = At - Section.getAddress();
    if (Offset >= Content.size() || Content.size() - Offset < 4)
      return std::nullopt;
    return support::endian::read32le(Content.data() + Offset);
  }

  void lookAtRelative(const BinarySection &Section, uint64_t At) {
    if (const std::optional<uint32_t> Number = read(Section, At))
      protect(At, relative(At, *Number));
  }

  void protect(uint64_t At, uint64_t Target) {
    BinaryFunction *To =
        Written.contains(At) ? nullptr : functionWith(BC, Target);
    if (To && To != BC.getBinaryFunctionContainingAddress(At))
      Protected.add(*To, ProtectReason::UnreadOperand);
  }
};

} // namespace

/// Steps 3 to 6.
static void protectFromUnread(BinaryContext &BC,
                              ProtectedFunctions &Protected) {
  // Without relocations nothing is told, and functions keep their places.
  if (knownPlaces().Filled.empty())
    return;
  dropDoubtful(BC, Protected);
  // Where copies are made, old addresses are right.
  if (BC.HasRelocations && !makesCopies())
    UnwrittenPlaces(BC, Protected).run();
}

void graupel::protectEntered(BinaryContext &BC, ProtectedFunctions &Protected) {
  for (const KnownBranch &Branch : knownPlaces().Branches)
    if (BinaryFunction *To = functionAround(BC, Branch.Target))
      if (isOverlooked(BC, Branch, *To))
        Protected.add(*To, ProtectReason::UnreadBranch);
  protectFromUnread(BC, Protected);
}

ProtectedFunctions graupel::decideEntered(BinaryContext &BC) {
  ProtectedFunctions Protected;
  protectFromUnread(BC, Protected);
  Protected.addFragments();
  return Protected;
}

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

/// Entries of proved tables count from there, and not from themselves.
bool isInTable(uint64_t Address) {
  const auto Next = Tables.upper_bound(Address);
  return Next != Tables.begin() && Address < std::prev(Next)->second;
}

/// A short branch reaches so far, with its own bytes.
constexpr uint64_t ShortReach = 130;
/// What one instruction reads or writes.
constexpr uint64_t WidestAccess = 64;

/// Instructions of functions and of what is between them, decoded one behind the
/// other.
class StraightCode {
public:
  explicit StraightCode(BinaryContext &BC) : BC(BC) {}

  /// False if \p Hit is between the bytes of another instruction. Without a
  /// doubt: the code is decoded to its end, and all its branches, and those of
  /// others into it, lead to instructions.
  bool isReal(const KnownAddresses::Hit &Hit) {
    if (isInTable(Hit.At))
      return false;
    const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Hit.At);
    if (!Home || !Home->isText())
      return true;
    if (Home->getName().starts_with(".plt"))
      return false; // Its stubs lead to data.
    const Code &C = codeAround(*Home, Hit.At);
    const auto Inst = llvm::upper_bound(C.Begins, Hit.At);
    return !C.IsSound || Inst == C.Begins.begin() ||
           leadsTo(*Home, *std::prev(Inst), Hit.Target);
  }

  /// Where addresses are fixed, many numbers look like one: letters at the end of
  /// a string, parts of two operands. False if \p Hit is no word of data of 8
  /// bytes, none of 4 beside another one that is code, no distance, and not what
  /// an instruction takes that would begin right before it.
  bool isWhole(const KnownAddresses::Hit &Hit) const {
    const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Hit.At);
    if (!BC.HasFixedLoadAddress || !Home)
      return true;
    if (Home->isText())
      return isTaken(*Home, Hit.At);
    if (const ErrorOr<uint64_t> Number = BC.getPointerAtAddress(Hit.At);
        Number && *Number == Hit.Target)
      return true;
    constexpr uint64_t Size = sizeof(uint32_t);
    // A distance, of a table.
    if (const ErrorOr<uint64_t> Number =
            BC.getUnsignedValueAtAddress(Hit.At, Size);
        Number && *Number != Hit.Target)
      return true;
    auto isCode = [&](uint64_t At) {
      const ErrorOr<uint64_t> Number = BC.getUnsignedValueAtAddress(At, Size);
      const ErrorOr<BinarySection &> Target =
          Number ? BC.getSectionForAddress(*Number)
                 : std::make_error_code(std::errc::bad_address);
      return Target && Target->isText();
    };
    return Hit.At % Size == 0 &&
           (isCode(Hit.At - Size) || isCode(Hit.At + Size));
  }

  /// Whether all of \p BF is decoded without a doubt.
  bool isSound(const BinaryFunction &BF) {
    return codeAround(*BF.getOriginSection(), BF.getAddress()).IsSound;
  }

private:
  struct Code {
    bool IsSound = false;
    std::vector<uint64_t> Begins; ///< Of instructions.
  };

  BinaryContext &BC;
  std::map<uint64_t, Code> Codes; ///< By their beginnings.

  static ArrayRef<uint8_t> bytesOf(const BinarySection &Home, uint64_t Begin,
                                   uint64_t End) {
    const StringRef Bytes = Home.getContents();
    return ArrayRef(Bytes.bytes_begin(), Bytes.size())
        .slice(Begin - Home.getAddress(), End - Begin);
  }

  /// Whether what is before \p Address may begin LEA, PUSH, or MOV, CMP and the
  /// like with a constant.
  static bool isTaken(const BinarySection &Home, uint64_t Address) {
    const StringRef Before =
        Home.getContents().take_front(Address - Home.getAddress());
    auto byte = [&](size_t Distance) -> uint8_t {
      return Distance <= Before.size() ? Before[Before.size() - Distance] : 0;
    };
    const bool IsInRegister = (byte(1) & 0xf8) == 0xb8;
    const bool IsAddress =
        (byte(2) == 0x8d && (byte(1) & 0xc7) == 0x05) ||
        (byte(3) == 0x8d && (byte(2) & 0xc7) == 0x04 && byte(1) == 0x25);
    // Behind the operation: ModRM, SIB, and 0, 1 or 4 bytes of displacement.
    auto isOperation = [&](size_t Distance) {
      return byte(Distance) == 0xc7 || byte(Distance) == 0x81;
    };
    // ADD to CMP and TEST with RAX. Without REX this would often be a ModRM.
    const bool IsWithRAX =
        byte(2) == 0x48 && ((byte(1) & 0xc7) == 0x05 || byte(1) == 0xa9);
    return IsInRegister || IsAddress || IsWithRAX || byte(1) == 0x68 ||
           llvm::any_of(ArrayRef<size_t>{2, 3, 4, 6, 7}, isOperation);
  }

  /// The function that \p Address is in, or what is between two.
  const Code &codeAround(const BinarySection &Home, uint64_t Address) {
    uint64_t Begin = Home.getAddress(), End = Home.getEndAddress();
    const auto &Functions = BC.getBinaryFunctions();
    const auto Next = Functions.upper_bound(Address);
    if (Next != Functions.end())
      End = std::min(End, Next->first);
    if (Next != Functions.begin() && std::prev(Next)->first >= Begin) {
      const BinaryFunction &Before = std::prev(Next)->second;
      const uint64_t Behind = Before.getAddress() + Before.getSize();
      Begin = Address < Behind ? Before.getAddress() : Behind;
      End = Address < Behind ? std::min(End, Behind) : End;
    }
    const auto [At, IsNew] = Codes.try_emplace(Begin);
    if (IsNew)
      decode(Home, Begin, End, At->second);
    return At->second;
  }

  void decode(const BinarySection &Home, uint64_t Begin, uint64_t End,
              Code &C) const {
    std::vector<uint64_t> Targets;
    const uint64_t Done = decodeInOrder(
        BC, bytesOf(Home, Begin, End), Begin,
        [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
          C.Begins.push_back(Begin + Offset);
          uint64_t Target = 0;
          if (BC.MIB->isBranch(Inst) &&
              BC.MIB->evaluateBranch(Inst, Begin + Offset, Size, Target) &&
              Target >= Begin && Target < End)
            Targets.push_back(Target);
        });
    auto isInside = [&](uint64_t Target) {
      return !llvm::binary_search(C.Begins, Target);
    };
    // What is in the code itself may be none of its operands.
    auto isOthers = [&](const KnownAddresses::Hit &Hit) {
      return (Hit.At < Begin || Hit.At >= End) && isInside(Hit.Target);
    };
    auto isWholeOfOthers = [&](const KnownAddresses::Hit &Hit) {
      return isOthers(Hit) && isWhole(Hit);
    };
    C.IsSound = Done == End - Begin && llvm::none_of(Targets, isInside) &&
                !Known->isBranchedTo(Begin, End, isOthers) &&
                !Known->isAddress(Begin, End, isWholeOfOthers);
  }

  /// Whether an operand of the instruction at \p Address is \p Target.
  bool leadsTo(const BinarySection &Home, uint64_t Address,
               uint64_t Target) const {
    MCInst Inst;
    uint64_t Size = 0, Found = 0;
    if (BC.DisAsm->getInstruction(Inst, Size,
                                  bytesOf(Home, Address, Home.getEndAddress()),
                                  Address, nulls()) != MCDisassembler::Success)
      return true;
    if (BC.MIB->isBranch(Inst) || BC.MIB->isCall(Inst))
      if (BC.MIB->evaluateBranch(Inst, Address, Size, Found))
        return Found == Target;
    if (BC.MIB->hasPCRelOperand(Inst) &&
        BC.MIB->evaluateMemOperandTarget(Inst, Found, Address, Size) &&
        Found == Target)
      return true;
    return llvm::any_of(Inst, [&](const MCOperand &Operand) {
      return Operand.isImm() && (uint64_t(Operand.getImm()) == Target ||
                                 uint32_t(Operand.getImm()) == Target);
    });
  }
};

/// Judges one function.
class Judge {
public:
  Judge(BinaryFunction &BF, StraightCode &Straight)
      : BF(BF), BC(BF.getBinaryContext()), Straight(Straight),
        Begin(BF.getAddress()),
        PatchBegin(Begin + (beginsWithEndbr(BF) ? EndbrSize : 0)),
        PatchEnd(PatchBegin + PatchSize) {}

  /// Why \p BF cannot be copied; null if it can.
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
    if (const char *Why = reasonInPatch())
      return Why;
    if (Known->isAddress(Begin + 1, Begin + BF.getSize(), [&](const auto &Hit) {
          return Straight.isWhole(Hit) && Straight.isReal(Hit);
        }))
      return "the address of an instruction in it is known";
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
  StraightCode Straight(BC);
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (BF.isIgnored() || BF.isPseudo() || BF.isPLTFunction())
      continue;
    // Why BOLT does not know its flow is known elsewhere.
    const bool HasFlow = BF.isSimple() && BF.hasCFG() && !BF.empty();
    const char *Why = HasFlow ? Judge(BF, Straight).reason() : "";
    if (Why)
      Left.push_back({&BF, Why});
    else
      ++NumCopied;
  }
  NumNotCopied += Left.size();
  return Left;
}

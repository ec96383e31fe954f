//===- Copies/MissingSymbols.cpp - What symbols would tell ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Compilers split cold parts off. A part has an unwind record of its own, and
//    looks like a function. It is jumped to, with whatever is in registers and in
//    the frame, and never called. So code without a name that is not called, in
//    code that is decoded to its end, is made a part of each function that jumps
//    to it, unless it begins as a function does: its record has no frame at its
//    beginning, and none of its instructions names what is below the stack
//    pointer. Then it may be one; a part like that needs nothing but registers,
//    which is what the optimization finds out of each callee. If the address of a
//    part is known, it may be called all the same, and all of them get no hot
//    versions.
// 2. Code without an unwind record may be assembly with registers of its own, and
//    nobody can tell where it begins, and who calls it. So there are no hot
//    versions in a file with such code, unless the code is harmless: it leads to
//    nothing with a record, names no registers but some that the ABI has for
//    parameters, and reads none behind a call. The beginnings and ends of programs
//    that the C compiler comes with are like that.
// 3. A function may be called through a pointer if a number, a distance or the
//    loader may lead to it. What begins with a frame is not, and gets no hot
//    version, whatever leads there.
//
//===----------------------------------------------------------------------===//

#include "MissingSymbols.h"
#include "Copies.h"
#include "StraightCode.h"
#include "Support/BoltInternals.h"
#include "Support/Decoding.h"
#include "Support/Nameless.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"

#define DEBUG_TYPE "graupel-copies"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

STATISTIC(NumParts, "Number of functions that are taken for cold parts");
STATISTIC(NumDoubtful, "Number of functions that may be cold parts");
STATISTIC(NumUnrecorded, "Number of pieces of code with unknown registers");

static DenseSet<const BinaryFunction *> Doubtful, Pointed;
static bool HasStrangeCode = false;

namespace {

class Completion {
public:
  Completion(BinaryContext &BC, const KnownAddresses &Known)
      : BC(BC), Known(Known), Straight(BC, Known, NoTables) {}

  void relateParts() {
    for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
      forEachJump(BF, [&](BinaryFunction &To) {
        if (&To != &BF)
          noteJump(BF, To);
      });
  }

  void findPointed() {
    for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
      const uint64_t Begin = BF.getAddress();
      if (Known.beginsInFrame(Begin)) {
        // Tables of switches and of exceptions may lead there. What goes on in a
        // frame of others is no procedure.
        Doubtful.insert(&BF);
        continue;
      }
      if (Known.isHeld(Begin, Begin + 1,
                       [&](const auto &Hit) { return Straight.isReal(Hit); }) ||
          Known.isBranchedTo(Begin, Begin + 1, [&](const auto &Hit) {
            const ErrorOr<BinarySection &> Home =
                BC.getSectionForAddress(Hit.At);
            return !Home || !Home->isText();
          }))
        Pointed.insert(&BF);
    }
  }

  void findStrangeCode() {
    for (const BinarySection &Section : BC.sections())
      if (Section.isText() && Section.isAllocatable() && !isPLT(Section))
        Known.forEachGap(Section.getAddress(), Section.getEndAddress(),
                         [&](uint64_t Begin, uint64_t End) {
                           const bool IsStrange =
                               !isHarmless(Section, Begin, End);
                           NumUnrecorded += IsStrange;
                           HasStrangeCode |= IsStrange;
                         });
  }

private:
  BinaryContext &BC;
  const KnownAddresses &Known;
  const std::map<uint64_t, uint64_t> NoTables;
  StraightCode Straight;
  enum class Role { Function, Part, Either };
  DenseMap<const BinaryFunction *, Role> Roles;

  void noteJump(BinaryFunction &BF, BinaryFunction &To) {
    const auto [At, IsNew] = Roles.try_emplace(&To, Role::Function);
    if (IsNew)
      At->second = roleOf(To);
    if (At->second == Role::Part) {
      To.*member(internals::IsFragmentTag()) = true;
      BC.registerFragment(To, BF);
    }
    if (At->second == Role::Either)
      Doubtful.insert_range(ArrayRef<const BinaryFunction *>{&BF, &To});
    NumParts += IsNew && At->second == Role::Part;
    NumDoubtful += IsNew && At->second == Role::Either;
  }

  /// Calls \p Do with each function that \p BF jumps to directly.
  template <typename Action>
  void forEachJump(const BinaryFunction &BF, Action Do) const {
    if (BF.hasCFG()) {
      for (const BinaryBasicBlock &Block : BF)
        for (const MCInst &Inst : Block) {
          const MCSymbol *Target =
              BC.MIB->isTailCall(Inst) || BC.MIB->isBranch(Inst)
                  ? BC.MIB->getTargetSymbol(Inst)
                  : nullptr;
          if (BinaryFunction *To =
                  Target ? BC.getFunctionForSymbol(Target) : nullptr)
            Do(*To);
        }
      return;
    }
    const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
    if (Bytes && !BF.isPLTFunction())
      decodeInOrder(BC, *Bytes, BF.getAddress(),
                    [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
                      uint64_t Target = 0;
                      if (!BC.MIB->isCall(Inst) && BC.MIB->isBranch(Inst) &&
                          BC.MIB->evaluateBranch(Inst, BF.getAddress() + Offset,
                                                 Size, Target))
                        if (BinaryFunction *To =
                                BC.getBinaryFunctionContainingAddress(Target))
                          Do(*To);
                    });
  }

  Role roleOf(const BinaryFunction &BF) {
    const uint64_t Begin = BF.getAddress();
    auto isCall = [&](const auto &Hit) { return Straight.isCall(Hit); };
    auto isKnown = [&](const auto &Hit) {
      return Straight.isWhole(Hit) && Straight.isReal(Hit);
    };
    if (!isNameless(BF) || BF.isPLTFunction() || BF.isPseudo() ||
        Known.isBranchedTo(Begin, Begin + 1, isCall) ||
        (!Known.beginsInFrame(Begin) && !usesRedZone(BF)))
      return Role::Function;
    return Known.isAddress(Begin, Begin + 1, isKnown) ? Role::Either
                                                      : Role::Part;
  }

  /// Whether an instruction of \p BF may access what is below the stack pointer.
  bool usesRedZone(const BinaryFunction &BF) const {
    const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
    if (!Bytes)
      return true;
    bool Found = false;
    const uint64_t Done = decodeInOrder(
        BC, *Bytes, BF.getAddress(),
        [&](const MCInst &Inst, uint64_t, uint64_t) {
          const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
          Found |= Memory && Memory->BaseRegNum == BC.MIB->getStackPointer() &&
                   (Memory->DispExpr || Memory->DispImm < 0);
        });
    return Found || Done != Bytes->size();
  }

  /// Stubs of the linker follow the ABI.
  static bool isPLT(const BinarySection &Section) {
    return Section.getName().starts_with(".plt");
  }

  /// Whether \p Address is in a gap, or in a stub.
  bool isAmongUnrecorded(uint64_t Address) const {
    const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Address);
    return Home && (isPLT(*Home) || !Known.hasRecord(Address, Address + 1));
  }

  /// Whether nobody has to know more of the code from \p Begin to \p End, which has
  /// no record, than that it follows the ABI.
  bool isHarmless(const BinarySection &Section, uint64_t Begin,
                  uint64_t End) const {
    const StringRef Text = Section.getContents();
    const ArrayRef<uint8_t> Bytes =
        ArrayRef(Text.bytes_begin(), Text.size())
            .slice(Begin - Section.getAddress(), End - Begin);
    bool IsHarmless = true, IsBehindCall = false, HasFlags = false;
    auto look = [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
      if (BC.MIB->isNoop(Inst))
        return;
      const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
      const bool IsCall = BC.MIB->isCall(Inst);
      uint64_t Target = 0;
      if ((IsCall || BC.MIB->isBranch(Inst)) &&
          BC.MIB->evaluateBranch(Inst, Begin + Offset, Size, Target))
        IsHarmless &= isAmongUnrecorded(Target);
      for (const MCOperand &Op : MCPlus::primeOperands(Inst))
        IsHarmless &=
            !Op.isReg() || mayName(Op.getReg(), IsBehindCall, HasFlags);
      for (MCPhysReg Register : Info.implicit_uses())
        IsHarmless &= mayName(Register, IsBehindCall, HasFlags);
      IsBehindCall |= IsCall;
      HasFlags = !IsCall && (HasFlags || setsFlags(Info));
    };
    return decodeInOrder(BC, Bytes, Begin, look) == Bytes.size() && IsHarmless;
  }

  bool setsFlags(const MCInstrDesc &Info) const {
    return llvm::any_of(Info.implicit_defs(), [&](MCPhysReg Register) {
      return StringRef(BC.MRI->getName(Register)) == "EFLAGS";
    });
  }

  /// Whether harmless code may name \p Register: RAX, RDI, RSI and registers of the
  /// stack, behind a call only the latter, and flags that it has set.
  bool mayName(MCPhysReg Register, bool IsBehindCall, bool HasFlags) const {
    constexpr StringLiteral OfStack[] = {"RSP", "RBP", "RIP", "SSP"};
    constexpr StringLiteral Others[] = {"RAX", "EAX", "AX",  "AL",
                                        "RDI", "EDI", "RSI", "ESI"};
    const StringRef Name = Register ? BC.MRI->getName(Register) : "";
    return Name.empty() || is_contained(OfStack, Name) ||
           (Name == "EFLAGS" && HasFlags) ||
           (!IsBehindCall && is_contained(Others, Name));
  }
};

} // namespace

void graupel::completeSymbols(BinaryContext &BC) {
  const KnownAddresses *Known = knownAddresses();
  if (!Known)
    return;
  Completion Missing(BC, *Known);
  Missing.findStrangeCode();
  if (HasStrangeCode) // Nobody asks for the rest.
    return;
  Missing.relateParts();
  Missing.findPointed();
}

bool graupel::mayBePart(const BinaryFunction &BF) {
  return Doubtful.contains(&BF);
}

bool graupel::mayBePointedTo(const BinaryFunction &BF) {
  return Pointed.contains(&BF);
}

bool graupel::hasStrangeCode() { return HasStrangeCode; }

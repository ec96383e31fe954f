//===- Verify/CodeOperands.cpp - Targets of operands ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether the operands of two instructions mean the same: steps 3 and 5
// of the comparison (CodeComparison.h).
//
// 1. isSame() compares operation, prefixes, registers and numbers.
// 2. isSameAddress() tells numbers from addresses, and addresses of code from
//    those of data.
// 3. isSameCode(): stubs of the PLT must lead to the same slot of the loader
//    (isSameStub, isSameSlot). Other addresses of code become a pair.
// 4. isSameData(): data stays in its place. Otherwise it must be the same slot,
//    the new .eh_frame, the end of code, or a jump table that moved; tables are
//    noted.
// 5. compareTable() checks that a table that moved is known by relocations.
//    Each of its entries and the counterpart in the output become a pair.
//
//===----------------------------------------------------------------------===//

#include "CodeComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

/// Whether both instructions are the same but for addresses that correspond.
bool CodeComparison::isSame(const Instruction &A, const Instruction &B) {
  // Lock, repeat and notrack; the rest is the decoder's.
  constexpr unsigned Prefixes = 4 | 8 | 16 | 32;
  if (!B.Size || Decoder.operation(A) != Decoder.operation(B) ||
      A.Inst.getNumOperands() != B.Inst.getNumOperands() ||
      (A.Inst.getFlags() & Prefixes) != (B.Inst.getFlags() & Prefixes))
    return false;
  const bool Relative = Decoder.isRelative(A);
  for (unsigned I = 0; I < A.Inst.getNumOperands(); ++I) {
    const MCOperand &X = A.Inst.getOperand(I), &Y = B.Inst.getOperand(I);
    if (X.isReg() != Y.isReg())
      return false;
    if (X.isReg()) {
      if (Decoder.indexRegister(X.getReg()) !=
          Decoder.indexRegister(Y.getReg()))
        return false;
    } else if (Relative && int(I) == A.MemoryOperand + 3) {
      if (!isSameAddress(Decoder.relativeAddress(A), Decoder.relativeAddress(B),
                         A, true))
        return false;
    } else if (X.isImm() && Y.isImm()) {
      if (!isSameAddress(X.getImm(), Y.getImm(), A, false))
        return false;
    }
  }
  return true;
}

bool CodeComparison::isSameAddress(uint64_t Before, uint64_t Now,
                                   const Instruction &A, bool Relative) {
  if (!Relative && Before == Now && !F.Before.hasAbsolute(A.Address, A.end()))
    return true;
  if (!Relative && Before != Now && int32_t(Before) == int32_t(Now) &&
      isInt<33>(int64_t(Before)) && isInt<33>(int64_t(Now)))
    return true; // The same number of 32 bits.
  if (F.Before.hasEndOfSection(A.Address, A.end()) && F.Input.isCode(Before))
    return Before == Now;
  if (F.Input.isCode(Before))
    noteTaken(Before);
  if (F.Input.isCode(Before) && F.Symbols.inputAt(Before) &&
      !isDataAmongCode(Before, Now))
    return isSameCode(Before, Now);
  return isSameData(Before, Now);
}

/// Two addresses of code, as the target of a call or taken.
bool CodeComparison::isSameCode(uint64_t Before, uint64_t Now) {
  // The address of a weak function that is not there is 0.
  if (isPLT(Before))
    return isSameStub(Before, Now);
  if (!F.Input.isCode(Before))
    return Before == Now;
  if (!F.Symbols.isCounterpart(Before, Now))
    push(Before, Now);
  return F.Output.isCode(Now);
}

/// Whether a function or a section of code of the output ends at \p Address.
bool CodeComparison::isEndOfCode(uint64_t Address) const {
  if (const SymbolMap::Range *R = F.Symbols.outputAt(Address - 1))
    return R->End == Address;
  const ElfView::Section *S = F.Output.sectionAt(Address - 1);
  return S && S->sh_flags & ELF::SHF_EXECINSTR &&
         S->sh_addr + S->sh_size == Address;
}

bool CodeComparison::isSameData(uint64_t Before, uint64_t Now) {
  if (Before == Now) {
    // Tables in their old place are filled anew.
    if (const AppliedRelocations::Place *P = F.Before.dataAt(Before);
        P && SeenTables.insert({Before, Now}).second)
      Tables.push_back({Before, Now, In.At});
    return true;
  }
  if (isSameSlot(Before, Now))
    return true;
  const ElfView::Section *S = F.Input.sectionAt(Before);
  // Startup code registers it; what is in it is checked elsewhere.
  if (S && F.Input.name(*S) == ".eh_frame") {
    const ElfView::Section *New = F.Output.sectionAt(Now);
    return New && F.Output.name(*New) == ".eh_frame";
  }
  // The end of a function or of all of them, if the code of the next section
  // does not begin there.
  if (const SymbolMap::Range *R = F.Symbols.inputAt(Before - 1);
      R && R->End == Before) {
    if (isEndOfCode(Now))
      return true;
    if (!S || S->sh_addr != Before)
      return false;
  }
  if (!S || !F.Output.isMapped(Now))
    return false;
  // An assembler's label that is no function. Segments do not tell: some
  // linkers have constants beside code.
  if (S->sh_flags & ELF::SHF_EXECINSTR)
    return isSameCode(Before, Now);
  if (SeenTables.insert({Before, Now}).second)
    Tables.push_back({Before, Now, In.At});
  return true;
}

bool CodeComparison::isPLT(uint64_t Address) const {
  const ElfView::Section *S = F.Input.sectionAt(Address);
  return S && F.Input.name(*S).starts_with(".plt");
}

/// The place of the address that the stub of the PLT at \p Stub jumps to, if it
/// does nothing else: some leave an index in a register for the loader.
std::optional<uint64_t> CodeComparison::slotOf(uint64_t Stub) {
  Side Look{F.Input, F.UnwindBefore, {}, Stub, nullptr, {}, 0};
  if (!decode(Look))
    return std::nullopt;
  if (Decoder.name(Look.Now) == "ENDBR64") {
    Look.At = Look.Now.end();
    if (!decode(Look))
      return std::nullopt;
  }
  if (Look.Now.Kind != FlowKind::IndirectJump || !Decoder.isRelative(Look.Now))
    return std::nullopt;
  return Decoder.relativeAddress(Look.Now);
}

/// Two names of one function of this file may have a stub each.
bool CodeComparison::isSameStub(uint64_t Before, uint64_t Now) {
  if (Before == Now)
    return true;
  if (!isPLT(Now))
    return false;
  const std::optional<uint64_t> A = slotOf(Before), B = slotOf(Now);
  return A && B && isSameSlot(*A, *B);
}

/// Whether the loader writes the same address to both places: two names of one
/// function may have a place each.
bool CodeComparison::isSameSlot(uint64_t A, uint64_t B) const {
  return A == B ||
         (F.Before.symbolOf(A) && F.Before.symbolOf(A) == F.Before.symbolOf(B));
}

bool CodeComparison::isBypassOf(uint64_t Stub, const Instruction &Jump) {
  const bool IsJump = Jump.Size && Decoder.isRelative(Jump) &&
                      (Jump.Kind == FlowKind::IndirectJump ||
                       Jump.Kind == FlowKind::IndirectCall);
  const std::optional<uint64_t> Slot = slotOf(Stub);
  return IsJump && Slot && isSameSlot(*Slot, Decoder.relativeAddress(Jump));
}

/// The latest end of the table at \p Begin: at the next place that the code
/// refers to or that has a name.
uint64_t CodeComparison::endOfTable(uint64_t Begin) const {
  const ElfView::Section *S = F.Input.sectionAt(Begin);
  uint64_t End = S ? S->sh_addr + S->sh_size : Begin;
  for (ArrayRef<uint64_t> Places : {F.Before.references(), F.Before.named()})
    if (auto Next = llvm::upper_bound(Places, Begin); Next != Places.end())
      End = std::min(End, *Next);
  return End;
}

/// Step 5.
Error CodeComparison::compareTable(const Table &T) {
  const SymbolMap::Range *Home = F.Symbols.inputAt(T.From);
  const AppliedRelocations::Place *P = F.Before.dataAt(T.Input);
  if (T.Input != T.Output && F.Before.known() && !P) {
    Owner = Home;
    In.At = T.From;
    return mismatch("the input refers to " + hex(T.Input) + ", the output to " +
                    hex(T.Output) + ", which is no copy of it");
  }
  if (!Home || !P ||
      (P->Type != ELF::R_X86_64_64 && P->Type != ELF::R_X86_64_PC32))
    return Error::success();
  const bool Wide = P->Type == ELF::R_X86_64_64;
  const uint64_t Size = Wide ? 8 : 4, End = endOfTable(T.Input);
  uint64_t At = 0;
  for (; T.Input + At + Size <= End; At += Size) {
    P = F.Before.dataAt(T.Input + At);
    StringRef Before = F.Input.bytesAt(T.Input + At),
              Now = F.Output.bytesAt(T.Output + At);
    if (!P || Before.size() < Size || Now.size() < Size)
      break;
    auto entry = [&](StringRef Bytes, uint64_t Base) {
      return Wide ? support::endian::read64le(Bytes.data())
                  : Base + int32_t(support::endian::read32le(Bytes.data()));
    };
    const uint64_t Old = entry(Before, T.Input), New = entry(Now, T.Output);
    const SymbolMap::Range *Target = F.Symbols.inputAt(Old);
    if (!Target || (Wide && T.Input == T.Output))
      break;
    // A copy is no longer than the table; what follows has a name, or code
    // refers to it.
    if (Target != Home && !isPartName(Target->Name) &&
        !isPartName(Home->Name) && T.Input == T.Output)
      break;
    noteTaken(Old);
    Work.push_back({Old, New, T.Input + At});
  }
  if (T.Input != T.Output)
    MovedTables[T.Input] = T.Input + At;
  return Error::success();
}

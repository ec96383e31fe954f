//===- Driver/PLTDecoder.cpp - PLTs of any shape --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT 22 reads a PLT in steps of 16 bytes. The first entry of mold's has 32,
// so that the second step begins in the middle of a jump: with two bytes of a
// distance, which are no instruction if the GOT is at an unlucky distance. BOLT
// then gives up the file.
//
// 1. A decoder around BOLT's answers for it.
// 2. Where bytes of a PLT are no instruction, it says that the rest of the step
//    is one. BOLT finds no jump through a slot in such a step, and makes no
//    stub of it: calls that lead there, if any, stay as they are.
//
// BOLT calls the stub of an indirect function by the name of its resolver. For
// two functions with one resolver it takes one stub for the other, and pointers
// to them become equal or different.
//
// 3. A jump through a slot whose resolver other slots have, too, is one of no
//    stub.
//
// lld's stubs for -z retpolineplt have 32 bytes, too, and no jump through
// a slot. BOLT takes four bytes in one for a jump by a register, and gives up
// the file.
//
// 4. A jump that names no slot is one of no stub.
//
//===----------------------------------------------------------------------===//

#include "PLTDecoder.h"
#include "Options/BoltOptions.h"
#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// BOLT's step through a PLT; those with entries of 8 bytes lose one more.
constexpr uint64_t Step = 16;

class PLTDecoder : public MCDisassembler {
public:
  PLTDecoder(const BinaryContext &BC, std::unique_ptr<MCDisassembler> Inner)
      : MCDisassembler(*BC.STI, *BC.Ctx), BC(BC), Inner(std::move(Inner)) {}

  DecodeStatus getInstruction(MCInst &Inst, uint64_t &Size,
                              ArrayRef<uint8_t> Bytes, uint64_t Address,
                              raw_ostream &Comments) const override {
    const DecodeStatus Status =
        Inner->getInstruction(Inst, Size, Bytes, Address, Comments);
    if (Status != Fail && !BC.MIB->isIndirectBranch(Inst))
      return Status;
    ErrorOr<const BinarySection &> Section = BC.getSectionForAddress(Address);
    if (!Section || !isPLT(Section->getName()))
      return Status;
    if (Status != Fail) {
      if (isOfNoStub(Inst, Address, Size)) {
        Inst.clear();
        BC.MIB->createNoop(Inst);
      }
      return Status;
    }
    BC.MIB->createNoop(Inst);
    Size = std::min<uint64_t>(Step - (Address - Section->getAddress()) % Step,
                              Bytes.size());
    return Success;
  }

private:
  const BinaryContext &BC;
  std::unique_ptr<MCDisassembler> Inner;
  /// The number of slots that a resolver fills, by its address. Empty until
  /// needed.
  mutable DenseMap<uint64_t, unsigned> Resolved;

  static bool isPLT(StringRef Name) {
    return Name.starts_with(".plt") || Name == ".iplt";
  }

  static bool hasResolver(const Relocation &R) {
    return !R.Symbol && R.isIRelative();
  }

  void countResolved() const {
    for (const BinarySection &Section : BC.allocatableSections())
      for (const Relocation &R : Section.dynamicRelocations())
        if (hasResolver(R))
          ++Resolved[R.Addend];
  }

  // Steps 3 and 4.
  bool isOfNoStub(const MCInst &Jump, uint64_t Address, uint64_t Size) const {
    uint64_t Slot = 0;
    if (!BC.MIB->evaluateMemOperandTarget(Jump, Slot, Address, Size))
      return true;
    const Relocation *R = BC.getDynamicRelocationAt(Slot);
    if (!R || !hasResolver(*R))
      return false;
    if (Resolved.empty())
      countResolved();
    return Resolved.lookup(R->Addend) > 1;
  }
};

} // namespace

void graupel::decodeAnyPLT(RewriteInstance &Rewriter) {
  // Only the reference is constant; the object is the rewriter's.
  auto &BC = const_cast<BinaryContext &>(Rewriter.getBinaryContext());
  if (BC.isX86() && !boltFlag("stock-pipeline"))
    BC.DisAsm = std::make_unique<PLTDecoder>(BC, std::move(BC.DisAsm));
}

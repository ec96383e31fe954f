//===- Driver/PLTStub.cpp - Reads stubs of the PLT ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linkers agree on what a PLT is for, not on its code. Only what is known is
// accepted:
//
//   1. The stub is a jump through its slot, and nothing else.
//   2. The slot is empty, so that the loader fills it before the program
//      starts, or
//   3. the slot leads to code that pushes a number and jumps to
//   4. the first entry of the PLT, which pushes a second value and jumps to the
//      resolver.
//
// Each part may begin with endbr64, and jumps may have the prefix bnd. mold's
// stubs load the number into %r11 and push it in the first entry; so they fail
// at 1. lld's retpolines do, too.
//
//===----------------------------------------------------------------------===//

#include "PLTStub.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

/// Reads instructions from an address on.
class Reader {
public:
  Reader(uint64_t Address, ImageReader Read)
      : Address(Address), Bytes(Read(Address)) {}

  bool skip(StringRef Code) {
    if (!Bytes.consume_front(Code))
      return false;
    Address += Code.size();
    return true;
  }

  void skipBranchTarget() { skip("\xf3\x0f\x1e\xfa"); } // endbr64

  /// `jmp *Target(%rip)` or `push Target(%rip)`, by its \p Opcode.
  std::optional<uint64_t> slotOf(StringRef Opcode) {
    return skip(Opcode) ? relative() : std::nullopt;
  }
  std::optional<uint64_t> jumpThrough() {
    skip("\xf2"); // bnd
    return slotOf("\xff\x25");
  }
  std::optional<uint64_t> jump() {
    skip("\xf2"); // bnd
    return slotOf("\xe9");
  }
  bool pushNumber() { return skip("\x68") && relative(); }

private:
  uint64_t Address;
  StringRef Bytes;

  /// The target of a distance of four bytes, which counts from their end.
  std::optional<uint64_t> relative() {
    if (Bytes.size() < 4)
      return std::nullopt;
    const int32_t Distance = support::endian::read32le(Bytes.data());
    Bytes = Bytes.drop_front(4);
    Address += 4;
    return Address + int64_t(Distance);
  }
};

bool isFirstEntry(uint64_t Address, ImageReader Read) {
  Reader R(Address, Read);
  R.skipBranchTarget();
  return R.slotOf("\xff\x35") && R.jumpThrough();
}

bool isBindingStub(uint64_t Address, ImageReader Read) {
  Reader R(Address, Read);
  R.skipBranchTarget();
  if (!R.pushNumber())
    return false;
  const std::optional<uint64_t> First = R.jump();
  return First && isFirstEntry(*First, Read);
}

} // namespace

bool graupel::isTransparentStub(uint64_t Stub, uint64_t Slot,
                                ImageReader Read) {
  Reader R(Stub, Read);
  R.skipBranchTarget();
  if (R.jumpThrough() != Slot)
    return false;
  const StringRef Content = Read(Slot);
  if (Content.size() < 8)
    return false;
  const uint64_t Unbound = support::endian::read64le(Content.data());
  return !Unbound || isBindingStub(Unbound, Read);
}

//===- Verify/Disassembler.h - One instruction after another ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_DISASSEMBLER_H
#define GRAUPEL_VERIFY_DISASSEMBLER_H

#include "llvm/ADT/StringRef.h"
#include <memory>

namespace graupel {

/// LLVM's disassembler for x86-64. Its target must have been initialized.
class Disassembler {
public:
  explicit Disassembler(uint16_t Machine);
  ~Disassembler();

  /// The size of the instruction at the front of \p Bytes, which are at
  /// \p Address; 0 if it is none. \p Target becomes the address it branches to,
  /// if it is a direct branch or call.
  uint64_t next(llvm::StringRef Bytes, uint64_t Address, uint64_t &Target);

private:
  struct Parts;
  std::unique_ptr<Parts> P;
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_DISASSEMBLER_H

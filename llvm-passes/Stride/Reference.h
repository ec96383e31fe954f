//===- Reference.h - The memory references of a function --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that refer to memory, and how. Each is a site; an atomic
// update is two.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REFERENCE_H
#define GRAUPEL_STRIDE_REFERENCE_H

#include "graupel/stride_sites.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"
#include <string>

namespace graupel::stride {

enum class Shape {
  Plain,  ///< One reference, also if it is a vector.
  Lanes,  ///< Gather or scatter: each active lane has its address.
  Masked, ///< Active lanes at their places in a vector.
  Packed, ///< Active lanes side by side, as expanding loads have them.
  Bulk    ///< A copy or fill; no reference of any stream.
};

struct Reference {
  llvm::Instruction *Inst;
  llvm::Value *Pointer; ///< A vector of pointers for lanes.
  Shape Form = Shape::Plain;
  bool Store = false;
  llvm::Type *Accessed = nullptr; ///< Null for bulk.
  llvm::Value *Mask = nullptr;    ///< For lanes, masked and packed.
  llvm::Value *Length = nullptr;  ///< For bulk.

  /// The size of the reference, or of a lane where lanes count apart.
  uint64_t bytes() const;
  unsigned lanes() const;
  unsigned elementBytes() const;
  graupel_stride_kind kind() const;
  graupel_stride_type type() const;
  uint8_t flags() const;
  void print(llvm::raw_ostream &OS) const;
};

/// In program order; what an instruction loads comes before what it stores.
/// Not listed: prefetches and loads nobody uses, what sanitizers and coverage
/// add, other address spaces, inline assembly, masks of more than 64 lanes.
llvm::SmallVector<Reference, 0> collectReferences(llvm::Function &F);

/// The variable a reference is known to be to, if that is the stack's or a
/// thread's.
struct KnownObject {
  graupel_stride_object Kind = GRAUPEL_STRIDE_BY_ADDRESS;
  std::string Name;
};
KnownObject knownObject(const Reference &R);

} // namespace graupel::stride

#endif

//===- Driver/BoltInternals.h - Private parts of a function -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the recovery of indirect branches needs of BinaryFunction's private
// state. Naming a private member in an explicit instantiation is allowed by the
// language ([temp.spec.general]/6); a member that BOLT renames is an error when
// this is compiled, not a surprise when it runs.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_BOLTINTERNALS_H
#define GRAUPEL_DRIVER_BOLTINTERNALS_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel::internals {

using llvm::bolt::BinaryFunction;

template <typename Tag, auto Member> struct Reveal {
  friend constexpr auto member(Tag) { return Member; }
};

#define GRAUPEL_REVEAL(Name)                                                   \
  struct Name##Tag {};                                                         \
  constexpr auto member(Name##Tag);                                            \
  template struct Reveal<Name##Tag, &BinaryFunction::Name>;

/// Pairs of (offset of an indirect jump, address of its table).
GRAUPEL_REVEAL(JTSites)
/// Offsets of the indirect jumps that were not understood.
GRAUPEL_REVEAL(UnknownIndirectBranchOffsets)
/// Offsets that data or code outside the function refers to.
GRAUPEL_REVEAL(ExternallyReferencedOffsets)
/// The function computes an address inside itself.
GRAUPEL_REVEAL(HasInternalLabelReference)
/// True if every data reference into the function is a jump-table entry.
GRAUPEL_REVEAL(validateInternalRefDataRelocations)
#undef GRAUPEL_REVEAL

} // namespace graupel::internals

#endif // GRAUPEL_DRIVER_BOLTINTERNALS_H

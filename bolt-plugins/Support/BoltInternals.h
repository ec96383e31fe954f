//===- Support/BoltInternals.h - Private parts of a function -----*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Access to the private state of BinaryFunction and BinaryContext that Graupel
// needs. Naming a private member in an explicit instantiation is allowed by the
// language ([temp.spec.general]/6); a member that BOLT renames is an error when
// this is compiled, not a surprise when it runs.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_BOLTINTERNALS_H
#define GRAUPEL_SUPPORT_BOLTINTERNALS_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Passes/IdenticalCodeFolding.h"
#include "bolt/Rewrite/RewriteInstance.h"

namespace graupel::internals {

using llvm::bolt::BinaryBasicBlock;
using llvm::bolt::BinaryContext;
using llvm::bolt::BinaryFunction;
using llvm::bolt::RewriteInstance;

template <typename Tag, auto Member> struct Reveal {
  friend constexpr auto member(Tag) { return Member; }
};

#define GRAUPEL_REVEAL_OF(Class, Name)                                         \
  struct Name##Tag {};                                                         \
  constexpr auto member(Name##Tag);                                            \
  template struct Reveal<Name##Tag, &Class::Name>;
#define GRAUPEL_REVEAL(Name) GRAUPEL_REVEAL_OF(BinaryFunction, Name)

/// Pairs of (offset of an indirect jump, address of its table).
GRAUPEL_REVEAL(JTSites)
/// Offsets of the indirect jumps that were not understood.
GRAUPEL_REVEAL(UnknownIndirectBranchOffsets)
/// Offsets that data or code outside the function refers to.
GRAUPEL_REVEAL(ExternallyReferencedOffsets)
/// The function computes an address inside itself.
GRAUPEL_REVEAL(HasInternalLabelReference)
/// Jumps in the function lead who knows where.
GRAUPEL_REVEAL(HasUnknownControlFlow)
/// True if every data reference into the function is a jump-table entry.
GRAUPEL_REVEAL(validateInternalRefDataRelocations)
/// Pairs of (offset, instruction) before there are blocks.
GRAUPEL_REVEAL(Instructions)
/// By the offsets of their places.
GRAUPEL_REVEAL(Relocations)
/// The compiler split the function off from another one.
GRAUPEL_REVEAL(IsFragment)
/// The parts that the compiler split off from the function.
GRAUPEL_REVEAL(Fragments)
/// The functions that this one was split off from.
GRAUPEL_REVEAL(ParentFragments)
/// The unwind instructions that pseudo instructions name by their index.
GRAUPEL_REVEAL(FrameInstructions)
/// Those that hold where the function begins.
GRAUPEL_REVEAL(CIEFrameInstructions)
/// Pairs of (offset, index of an unwind instruction) before there are blocks.
GRAUPEL_REVEAL(OffsetToCFI)
/// The routine that reads the function's exception table.
GRAUPEL_REVEAL(PersonalityFunction)
/// The addresses of the types in the exception table.
GRAUPEL_REVEAL(LSDATypeTable)
/// The labels of the fragments' exception tables.
GRAUPEL_REVEAL(LSDASymbols)
/// The call sites of the exception tables.
GRAUPEL_REVEAL(CallSites)
/// The function has an exception table.
GRAUPEL_REVEAL(HasEHRanges)
/// The label of an address in the function.
GRAUPEL_REVEAL(getOrCreateLocalLabel)
/// Addresses of the PC-relative references to code that are in data.
GRAUPEL_REVEAL_OF(BinaryContext, DataPCRelocations)
/// Finds whose addresses are taken.
GRAUPEL_REVEAL_OF(llvm::bolt::IdenticalCodeFolding, markFunctionsUnsafeToFold)
/// Pairs of (function, address outside of it that it refers to).
GRAUPEL_REVEAL_OF(BinaryContext, InterproceduralReferences)
/// The list of source files of a line table.
GRAUPEL_REVEAL_OF(llvm::bolt::DwarfLineTable, Header)
/// The flags of a section's header.
GRAUPEL_REVEAL_OF(llvm::bolt::BinarySection, ELFFlags)
/// The pending changes of the section's old bytes.
GRAUPEL_REVEAL_OF(llvm::bolt::BinarySection, PendingRelocations)
/// The instructions of a block.
struct BlockInstructionsTag {};
constexpr auto member(BlockInstructionsTag);
template struct Reveal<BlockInstructionsTag, &BinaryBasicBlock::Instructions>;
/// The number of the unwind rule that holds where the block begins.
GRAUPEL_REVEAL_OF(BinaryBasicBlock, CFIState)
/// The output, as long as it is open.
GRAUPEL_REVEAL_OF(RewriteInstance, Out)
/// The reader that gives functions their counts.
GRAUPEL_REVEAL_OF(RewriteInstance, ProfileReader)
#undef GRAUPEL_REVEAL
#undef GRAUPEL_REVEAL_OF

} // namespace graupel::internals

#endif // GRAUPEL_SUPPORT_BOLTINTERNALS_H

//===- AddressSpaces.h - Other names for the same memory --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On x86-64 a pointer of another address space is an ordinary address, unless
// the number means a segment or 32 bits. So it may lead to shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ADDRESSSPACES_H
#define GRAUPEL_FGDSM_ADDRESSSPACES_H

namespace llvm {
class Function;
class Type;
} // namespace llvm

namespace graupel::fgdsm {

class PointerPrivacy;

/// Whether pointers of the type, or in a vector of it, may reach shared memory.
bool mayReachShared(const llvm::Type &Pointer);

/// Accesses that may be shared get pointers of address space 0, which checks
/// are for. Those that cannot are errors.
void flattenAddressSpaces(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif

//===- ValueTests.h - Loads that are tested by their value ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load may stand before its check if what it finds where memory is not valid
// tells so: the sentinel (dsm_checks.h).
//
//  1. One instruction has to load all of it: another thread of the node may be
//     making the block valid, 16 bytes at a time.
//  2. Nothing may be known of the value that does not hold of the sentinel, or
//     code generation finds that the test cannot fail.
//  3. Nothing may tell that memory does not change, for any load of what may be
//     shared: it would be loaded once, and before its check.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_VALUETESTS_H
#define GRAUPEL_FGDSM_VALUETESTS_H

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class Type;
} // namespace llvm

namespace graupel::fgdsm {

class PointerPrivacy;

/// A number or pointer whose (low) word can be compared.
bool hasWord(const llvm::Type &T);

/// Step 1, for aligned loads and elements of gathers.
bool isLoadedAtOnce(llvm::Type &T, const llvm::DataLayout &DL);

/// Step 2: removes what is known of the value, and whether any is left.
void forgetValue(llvm::Instruction &Load);
bool assumesValue(const llvm::Instruction &Load);

/// Step 3.
void forgetInvariance(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif

//===- Exceptions/ExceptionTable.h - One exception table --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exception table of one function (LSDA), as plain data. Knows bytes and
// addresses, nothing of BOLT.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_EXCEPTIONS_EXCEPTIONTABLE_H
#define GRAUPEL_EXCEPTIONS_EXCEPTIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace graupel {

struct ExceptionTable {
  struct CallSite {
    /// Offsets in the function.
    uint64_t Begin = 0, End = 0;
    /// An address; 0 if the exception passes on.
    uint64_t LandingPad = 0;
    /// 1 + an offset in \c Actions; 0 if there is nothing but to clean up.
    uint64_t Action = 0;
  };
  std::vector<CallSite> CallSites;
  /// The action records, as they are in the file.
  llvm::ArrayRef<uint8_t> Actions;
  uint8_t TypeEncoding = llvm::dwarf::DW_EH_PE_omit;
  /// The contents of the type entries, those with lower numbers first: the
  /// address of a type or, if the encoding is indirect, of a word with such an
  /// address; 0 for every type.
  std::vector<uint64_t> Types;
  /// The lists of type numbers of exception specifications, as in the file.
  llvm::ArrayRef<uint8_t> Filters;
  /// False if the entries for types cannot reach their types from elsewhere.
  bool CanTypesMove = true;
};

/// Reads the table at \p TableAddress of the function at \p FunctionAddress.
/// \p Section holds the table and begins at \p SectionAddress.
llvm::Expected<ExceptionTable>
readExceptionTable(llvm::ArrayRef<uint8_t> Section, uint64_t SectionAddress,
                   uint64_t TableAddress, uint64_t FunctionAddress);

/// Bytes of an entry for a type in \p Encoding; 0 if it has no fixed size.
unsigned typeEntrySize(uint8_t Encoding);

} // namespace graupel

#endif // GRAUPEL_EXCEPTIONS_EXCEPTIONTABLE_H

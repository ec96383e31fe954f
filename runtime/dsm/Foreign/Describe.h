//===- Describe.h - Names in records of calls -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_DESCRIBE_H
#define GRAUPEL_DSM_FOREIGN_DESCRIBE_H

#include "graupel/dsm_checks.h"
#include <cstring>
#include <string>

namespace graupel::dsm {

/// The strings of a record.
struct CallNames {
  const char *Callee, *Caller, *File, *Remedy;

  explicit CallNames(const graupel_dsm_call &Call)
      : Callee(Call.text), Caller(Callee + strlen(Callee) + 1),
        File(Caller + strlen(Caller) + 1), Remedy(File + strlen(File) + 1) {}
};

/// The name as in the source; itself if it is not mangled.
std::string demangled(const char *Name);

/// The function's name in quotation marks, or its place if `Name` is empty and
/// it has none, and in which file it is.
std::string describe(const char *Name, const void *Function);

/// Describes the byte at `A`, in shared memory, by its allocation or shared
/// variable: the end of a sentence.
std::string allocationOf(uintptr_t A);

/// Writes to standard error what the job goes on after.
void print(const std::string &Line);

/// Ends the job if Function, which a call starts threads with, has no checks.
void requireThreadFunction(const graupel_dsm_call &Call, const void *Function);
/// The same for gdsm_parallel, whose callers may have no record, since they
/// have no checks either. `From` is where the call returns to.
void requireThreadFunction(const void *From, const void *Function);

} // namespace graupel::dsm

#endif

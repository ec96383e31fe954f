//===- profile/Embedded.h - The runtime as data of graupel-bolt -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_EMBEDDED_H
#define GRAUPEL_PROFILE_EMBEDDED_H

#ifdef __cplusplus
extern "C" {
#endif

/// An ELF file with one segment, which works wherever it is copied to once its
/// slots are filled in; runtime/profile/README.md has the names.
extern const char graupel_profile_runtime_elf[];
extern const char graupel_profile_runtime_elf_end[];

#ifdef __cplusplus
}
#endif

#endif // GRAUPEL_PROFILE_EMBEDDED_H

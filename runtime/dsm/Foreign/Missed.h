//===- Missed.h - Accesses without checks, found by the processor -*- C++ -*-=//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GRAUPEL_DSM=check-missed: pages with a block that refuses loads, or stores,
// refuse them to all code (Memory/Keys.h). Refused accesses trap here:
//
//  1. Code with checks, and the runtime, get the page for one instruction.
//  2. Other code, too, if what it accesses is valid: its page has neighbors
//     that are not.
//  3. Else the access is missed. The first of each place is told, with its
//     line; the blocks are fetched; then 2.
//
// So that the kernel finds all of what is valid, the runtime and gdsm_fetch get
// whole pages (opened()).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_MISSED_H
#define GRAUPEL_DSM_FOREIGN_MISSED_H

#include "graupel/dsm_checks.h"
#include <csignal>
#include <cstdint>
#include <functional>
#include <string>

namespace graupel::dsm {

struct Node;

/// Whether the job runs so.
bool checksMissed();

/// Before the region is reserved; reads the environment.
void startCheckingMissed(Node &);

/// Whether the segmentation fault was one of these; then the instruction goes
/// on.
bool handleMissed(const siginfo_t &, void *Context);

/// Tells of a place once, and counts it. `Key` is of the place.
void noteMissed(uintptr_t Key, const std::function<std::string()> &Text);

/// At the end: all places.
void listMissed();

/// The pages of a range in shared memory.
graupel_dsm_range opened(const graupel_dsm_range &);

} // namespace graupel::dsm

#endif

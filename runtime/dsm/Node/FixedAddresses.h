//===- FixedAddresses.h - No address randomization in a job -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_FIXEDADDRESSES_H
#define GRAUPEL_DSM_NODE_FIXEDADDRESSES_H

#include <string>

namespace graupel::dsm {

/// Whether a launcher started this process as one of several nodes, perhaps;
/// before it is asked.
bool isOneOfSeveral();

/// Executes the program again if it is one of several nodes and its addresses
/// are random; returns in a process whose addresses are not, or in one that
/// cannot help it. Before anything else of the runtime.
void fixAddresses();

/// Why addresses are random in this process; empty if they are not.
std::string whyRandom();

} // namespace graupel::dsm

#endif

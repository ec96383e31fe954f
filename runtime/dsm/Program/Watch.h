//===- Watch.h - Notices that a job does not go on --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_PROGRAM_WATCH_H
#define GRAUPEL_DSM_PROGRAM_WATCH_H

namespace graupel::dsm {

struct Node;

/// From here on a thread of the runtime's own looks after the others. When one
/// has waited for `Seconds` (0: never), and at SIGINT, all nodes say what their
/// threads do.
void startWatching(Node &, long Seconds);

/// Returns when that thread uses nothing of the node any more.
void stopWatching();

} // namespace graupel::dsm

#endif

//===- LauncherProtocol.h - Messages of launcher and nodes ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between `graupel dsm run` and the nodes it starts. Each node inherits one end
// of a stream socket and the file of the control pages; the environment says
// which. A node that runs another program instead still is a process of the
// job.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_LAUNCHERPROTOCOL_H
#define GRAUPEL_DSM_TRANSPORT_LAUNCHERPROTOCOL_H

#include <cstdint>

namespace graupel::dsm {

/// SOCKET,CONTROLFILE,NODE,NODES: decimal numbers.
constexpr const char *LauncherVariable = "GRAUPEL_DSM_LAUNCHER";

/// Each frame is this, and `Size` bytes. Both ends are on one machine.
struct LauncherFrame {
  enum Kind : uint32_t {
    /// From a node: its value. From the launcher, when all nodes have sent
    /// theirs: for each node in turn its size (uint32_t) and value.
    Exchange = 1,
    /// From a node: the job's exit status in decimal, a space, and why it
    /// cannot go on. The launcher answers with signals.
    Abort,
    /// From a node: the end of its process is no failure from here on.
    Finish
  };
  uint32_t Type, Size;
  static constexpr uint32_t MaxSize = 64 * 1024; // of a node's
};

} // namespace graupel::dsm

#endif

//===- Bootstrap.h - Connecting the nodes of a job --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before messages exist: who am I, how many are we, and an exchange of small
// values among all. Under `graupel dsm run` over the launcher's socket, under
// mpirun and srun over PMIx, otherwise a job of one node.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_BOOTSTRAP_H
#define GRAUPEL_DSM_TRANSPORT_BOOTSTRAP_H

#include <memory>
#include <string>
#include <vector>

namespace graupel::dsm {

class Bootstrap {
public:
  virtual ~Bootstrap() = default;

  /// Finds out what this process was started by. Ends the process with a
  /// message if the launcher's answers make no sense.
  static std::unique_ptr<Bootstrap> open();

  int node() const { return Node; }
  int nodes() const { return Nodes; }

  /// Collective: every node gives a value, and gets all nodes' values by
  /// number. Up to 64 KiB each. Also a barrier.
  virtual std::vector<std::string> exchange(const std::string &Value) = 0;

  /// For a job that cannot go on: prints `graupel dsm: error: node N (...): `
  /// Message, once, and ends all nodes without the program's exit functions;
  /// the job's exit status is Status, 1 to 255. Any thread.
  [[noreturn]] void abortJob(const std::string &Message, int Status = 1) {
    end(Message, Status);
  }

  /// The orderly end of this node; its exit is no failure from here on. After
  /// the transport was destroyed.
  virtual void finish() = 0;

  /// The file for the control pages of all nodes, which are on one host, if the
  /// launcher has made one; else -1. The caller closes it.
  virtual int controlFile() { return -1; }

  /// True if whoever started the nodes ends the job when one of them ends.
  virtual bool noticesEnds() { return false; }

protected:
  [[noreturn]] virtual void end(const std::string &Message, int Status) = 0;

  int Node = 0, Nodes = 1;
};

} // namespace graupel::dsm

#endif

//===- NodeProcess.h - A process of a job -------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMRUN_NODEPROCESS_H
#define GRAUPEL_TOOLS_DSMRUN_NODEPROCESS_H

#include "Output.h"
#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel {

/// The parameters of a node's start.
struct NodeStart {
  unsigned Node, Nodes;
  int ControlFile; ///< Inherited.
  const std::vector<std::string> &Program;
  const sigset_t &Signals; ///< The mask it gets.
};

/// A node's process, our end of its socket, and its output.
class NodeProcess {
public:
  /// Starts it. Sets `Error` (an errno) if the program cannot be run. It does
  /// not outlive this process.
  NodeProcess(const NodeStart &, Output &Out, Output &Err, int &Error);
  ~NodeProcess();
  NodeProcess(const NodeProcess &) = delete;
  NodeProcess &operator=(const NodeProcess &) = delete;

  const pid_t Pid;
  LineRelay &relay(unsigned I) { return I ? Err : Out; } ///< 0 and 1.

  int socket() const { return Socket; }
  bool sending() const { return Socket >= 0 && !ToSend.empty(); }
  void send(const std::string &);
  /// The socket is writable.
  void sendMore();
  /// Reads what is there; frames are taken by frame().
  void receive();
  struct Frame {
    uint32_t Type;
    std::string Body;
  };
  /// The next frame, if it is complete. Sets `Damaged` if it makes no sense.
  std::optional<Frame> frame(bool &Damaged);

  /// Its value for the exchange at hand.
  std::optional<std::string> Value;
  bool Joined = false;   ///< Has sent a value ever.
  bool Finished = false; ///< Has said that its end is no failure.
  bool Ended = false;

private:
  struct Pipes;
  NodeProcess(const NodeStart &, Pipes &&, Output &Out, Output &Err,
              int &Error);
  static pid_t start(const NodeStart &, Pipes &, int &Error);
  [[noreturn]] static void become(const NodeStart &, Pipes &, pid_t Launcher);
  void closeSocket();

  int Socket;
  std::string Received, ToSend;
  LineRelay Out, Err;
};

} // namespace graupel

#endif

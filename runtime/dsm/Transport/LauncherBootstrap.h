//===- LauncherBootstrap.h - Under graupel dsm run ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_LAUNCHERBOOTSTRAP_H
#define GRAUPEL_DSM_TRANSPORT_LAUNCHERBOOTSTRAP_H

#include "Transport/Bootstrap.h"
#include "Transport/LauncherProtocol.h"
#include <mutex>

namespace graupel::dsm {

/// Over the socket that `graupel dsm run` left to this process. A thread ends
/// the process when the launcher does, however this process came to be its
/// child.
class LauncherBootstrap final : public Bootstrap {
public:
  /// Null if the environment does not speak of a launcher.
  static std::unique_ptr<Bootstrap> open();

  std::vector<std::string> exchange(const std::string &Value) override;
  void finish() override;
  int controlFile() override;
  bool noticesEnds() override { return true; }

private:
  [[noreturn]] void end(const std::string &Message, int Status) override;
  LauncherBootstrap(int Socket, int Control, int Node, int Nodes);
  void send(LauncherFrame::Kind, const std::string &);
  void receive(void *Data, size_t Size);

  int Socket, Control;
  std::mutex Sending;
};

} // namespace graupel::dsm

#endif

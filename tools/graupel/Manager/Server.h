//===- Manager/Server.h - The manager page's server ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_SERVER_H
#define GRAUPEL_TOOLS_MANAGER_SERVER_H

#include "Answers.h"
#include "Guard.h"
#include "Jobs.h"
#include <memory>

namespace httplib {
class Server;
}

namespace graupel::ui {

/// HTTP on 127.0.0.1. No path is ever one of a file.
class Server {
public:
  Server(environment::Locations L, Guard G);
  ~Server();

  /// Port 0: any free one. False if it is taken.
  bool bind(int Port);
  /// With the token; after bind().
  std::string url() const { return Doorman.url(); }
  /// Answers until the process ends.
  void serve();

private:
  void addRoutes();
  void addJobs();
  void addPage();

  environment::Locations L;
  Guard Doorman;
  Answers Known;
  Jobs Started;
  std::unique_ptr<httplib::Server> HTTP;
};

} // namespace graupel::ui

#endif

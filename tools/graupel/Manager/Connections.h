//===- Manager/Connections.h - Connections of clients --------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other users of this machine can connect, too, and say a byte a second on as
// many connections as they can open. So a client that has not shown the cookie
// is a stranger:
//
// 1. A stranger has a few seconds in all, not for each byte.
// 2. There are so many strangers at most. If one more comes, the one that has
//    been there for the longest goes.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_CONNECTIONS_H
#define GRAUPEL_TOOLS_MANAGER_CONNECTIONS_H

#include <memory>

namespace httplib {
class Server;
}

namespace graupel::ui {

/// With a thread for each connection.
std::unique_ptr<httplib::Server> makeServer();
/// The connection of this thread's request is no stranger's.
void trustConnection();

} // namespace graupel::ui

#endif

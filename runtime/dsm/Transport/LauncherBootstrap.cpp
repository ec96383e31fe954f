//===- LauncherBootstrap.cpp - Under graupel dsm run ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/LauncherBootstrap.h"
#include "Transport/Fatal.h"
#include "Transport/Surviving.h"
#include "Transport/Thread.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace graupel::dsm;

static bool isSocket(int File) {
  struct stat Status;
  return fstat(File, &Status) == 0 && S_ISSOCK(Status.st_mode);
}

std::unique_ptr<Bootstrap> LauncherBootstrap::open() {
  const char *Variable = getenv(LauncherVariable);
  if (!Variable)
    return nullptr;
  int Socket, Control, Node, Nodes;
  char Rest;
  if (sscanf(Variable, "%d,%d,%d,%d%c", &Socket, &Control, &Node, &Nodes,
             &Rest) != 4 ||
      Nodes < 1 || Node < 0 || Node >= Nodes)
    fatal("%s=%s makes no sense; it is set by `graupel dsm run` only, unset it",
          LauncherVariable, Variable);
  if (!isSocket(Socket))
    fatal("the connection to `graupel dsm run` was closed before this program "
          "started; let it start the program itself, or through something that "
          "leaves descriptor %d open",
          Socket);
  // Programs that this one starts are no nodes.
  fcntl(Socket, F_SETFD, FD_CLOEXEC);
  fcntl(Control, F_SETFD, FD_CLOEXEC);
  unsetenv(LauncherVariable);
  return std::unique_ptr<Bootstrap>(
      new LauncherBootstrap(Socket, Control, Node, Nodes));
}

/// The launcher's end of the socket is closed when the launcher is no more.
static void *watchLauncher(void *Socket) {
  pollfd Wait{int(intptr_t(Socket)), POLLRDHUP, 0};
  while (poll(&Wait, 1, -1) < 0)
    ;
  dieWithLauncher();
}

LauncherBootstrap::LauncherBootstrap(int Socket, int Control, int N, int Count)
    : Socket(Socket), Control(Control) {
  Node = N;
  Nodes = Count;
  pthread_detach(startThread("graupel-watch", watchLauncher,
                             reinterpret_cast<void *>(intptr_t(Socket))));
}

void LauncherBootstrap::send(LauncherFrame::Kind Kind,
                             const std::string &Body) {
  std::lock_guard<std::mutex> Lock(Sending);
  LauncherFrame Frame{Kind, uint32_t(Body.size())};
  std::string Bytes(reinterpret_cast<const char *>(&Frame), sizeof(Frame));
  Bytes += Body;
  for (size_t Done = 0; Done < Bytes.size();) {
    ssize_t Sent =
        ::send(Socket, Bytes.data() + Done, Bytes.size() - Done, MSG_NOSIGNAL);
    if (Sent >= 0)
      Done += size_t(Sent);
    else if (errno != EINTR)
      fatal("node %d lost the launcher: %s", Node, strerror(errno));
  }
}

void LauncherBootstrap::receive(void *Data, size_t Size) {
  for (size_t Done = 0; Done < Size;) {
    ssize_t Got =
        recv(Socket, static_cast<char *>(Data) + Done, Size - Done, 0);
    if (Got > 0)
      Done += size_t(Got);
    else if (Got == 0 || errno != EINTR)
      fatal("node %d lost the launcher: %s", Node,
            Got == 0 ? "it has ended" : strerror(errno));
  }
}

std::vector<std::string> LauncherBootstrap::exchange(const std::string &Value) {
  if (Value.size() > LauncherFrame::MaxSize)
    fatal("node %d has %zu bytes to exchange, the most is %u", Node,
          Value.size(), LauncherFrame::MaxSize);
  send(LauncherFrame::Exchange, Value);
  LauncherFrame Frame;
  receive(&Frame, sizeof(Frame));
  std::vector<std::string> Values;
  Values.resize(size_t(Nodes));
  for (std::string &V : Values) {
    uint32_t Size;
    receive(&Size, sizeof(Size));
    V.resize(Size);
    receive(V.data(), Size);
  }
  return Values;
}

void LauncherBootstrap::end(const std::string &Message, int Status) {
  send(LauncherFrame::Abort, std::to_string(Status) + " " +
                                 Message.substr(0, LauncherFrame::MaxSize / 2));
  // Its answer is a signal; whoever ignores that is killed.
  for (int I = 0; I < 50; ++I)
    usleep(100 * 1000);
  _exit(Status);
}

void LauncherBootstrap::finish() { send(LauncherFrame::Finish, ""); }

int LauncherBootstrap::controlFile() { return Control; }

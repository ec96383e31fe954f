//===- NodeProcess.cpp - A process of a job ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts one node, and exchanges frames with it:
//
// 1. start() makes a socket pair and three pipes (output, errors, failure) and
//    forks. It returns when exec has closed the failure pipe, or with the errno
//    that the child has written there.
// 2. become(), in the child, asks to be killed with the launcher, gives all
//    nodes but node 0 an empty input, connects the outputs, and lets exec keep
//    the socket and the control file. It sets LauncherVariable, turns off
//    randomized addresses if there are several nodes, and calls exec.
// 3. send() and sendMore() queue bytes and send what the socket takes. They
//    never wait.
// 4. receive() reads all that is there. frame() takes one whole frame from
//    that, or reports a head that makes no sense.
//
//===----------------------------------------------------------------------===//

#include "NodeProcess.h"
#include "Environment/Process/Spawn.h"
#include "Transport/LauncherProtocol.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace graupel;
using graupel::dsm::LauncherFrame;
using graupel::dsm::LauncherVariable;

/// Pairs: [0] is ours or to be read, [1] is the node's. All close on exec.
struct NodeProcess::Pipes {
  int Socket[2] = {-1, -1}, Out[2] = {-1, -1}, Err[2] = {-1, -1},
      Failure[2] = {-1, -1};

  bool open() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Socket) != 0)
      return false;
    for (auto *Pipe : {&Out, &Err, &Failure})
      if (pipe2(*Pipe, O_CLOEXEC) != 0)
        return false;
    fcntl(Out[0], F_SETFL, O_NONBLOCK);
    fcntl(Err[0], F_SETFL, O_NONBLOCK);
    return true;
  }
  void closeTheirs() {
    for (int File : {Socket[1], Out[1], Err[1], Failure[1]})
      if (File >= 0)
        close(File);
  }
};

NodeProcess::NodeProcess(const NodeStart &S, Output &Out, Output &Err,
                         int &Error)
    : NodeProcess(S, Pipes(), Out, Err, Error) {}

NodeProcess::NodeProcess(const NodeStart &S, Pipes &&P, Output &Out,
                         Output &Err, int &Error)
    : Pid(start(S, P, Error)), Socket(P.Socket[0]), Out(P.Out[0], Out),
      Err(P.Err[0], Err) {}

NodeProcess::~NodeProcess() { closeSocket(); }

void NodeProcess::closeSocket() {
  if (Socket >= 0)
    close(Socket);
  Socket = -1;
}

pid_t NodeProcess::start(const NodeStart &S, Pipes &P, int &Error) {
  pid_t Launcher = getpid();
  if (!P.open()) {
    Error = errno;
    P.closeTheirs(); // Or reading ours would wait.
    return -1;
  }
  pid_t Pid = fork();
  if (Pid == 0)
    become(S, P, Launcher);
  Error = Pid < 0 ? errno : 0;
  P.closeTheirs();
  // Closed by exec; before that a number comes if it fails.
  int Failure;
  if (read(P.Failure[0], &Failure, sizeof(Failure)) == sizeof(Failure))
    Error = Failure;
  close(P.Failure[0]);
  return Pid;
}

/// The child: only calls that are allowed between fork and exec are not needed,
/// the launcher has one thread.
void NodeProcess::become(const NodeStart &S, Pipes &P, pid_t Launcher) {
  auto Fail = [&] {
    int Failure = errno;
    [[maybe_unused]] ssize_t Done =
        write(P.Failure[1], &Failure, sizeof(Failure));
    _exit(127);
  };
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Launcher)
    _exit(127); // It ended before we asked.
  if (S.Node != 0) {
    int Null = open("/dev/null", O_RDONLY);
    if (Null < 0 || dup2(Null, STDIN_FILENO) < 0)
      Fail();
    if (Null != STDIN_FILENO)
      close(Null);
  }
  if (dup2(P.Out[1], STDOUT_FILENO) < 0 || dup2(P.Err[1], STDERR_FILENO) < 0)
    Fail();
  fcntl(P.Socket[1], F_SETFD, 0);
  fcntl(S.ControlFile, F_SETFD, 0);
  std::string Value = std::to_string(P.Socket[1]) + "," +
                      std::to_string(S.ControlFile) + "," +
                      std::to_string(S.Node) + "," + std::to_string(S.Nodes);
  setenv(LauncherVariable, Value.c_str(), 1);
  const std::vector<char *> Arguments = environment::argumentsOf(S.Program);
  // Functions and constants have one address in all nodes. Where this is not
  // permitted the nodes find out (runtime/dsm/Node/Images.cpp).
  if (int Before = personality(0xffffffff); S.Nodes > 1 && Before != -1)
    personality(unsigned(Before) | ADDR_NO_RANDOMIZE);
  sigprocmask(SIG_SETMASK, &S.Signals, nullptr);
  execvp(Arguments[0], Arguments.data());
  Fail();
  __builtin_unreachable();
}

void NodeProcess::send(const std::string &Bytes) {
  ToSend += Bytes;
  sendMore();
}

void NodeProcess::sendMore() {
  if (!sending())
    return;
  ssize_t Sent =
      ::send(Socket, ToSend.data(), ToSend.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (Sent > 0)
    ToSend.erase(0, size_t(Sent));
  else if (Sent < 0 && errno != EAGAIN && errno != EINTR)
    ToSend.clear(); // It is gone, which is noticed elsewhere.
}

void NodeProcess::receive() {
  static char Bytes[1 << 16]; // The stack may be small.
  while (Socket >= 0) {
    ssize_t Got = recv(Socket, Bytes, sizeof(Bytes), MSG_DONTWAIT);
    if (Got > 0)
      Received.append(Bytes, size_t(Got));
    else if (Got == 0 || (errno != EAGAIN && errno != EINTR))
      closeSocket();
    else if (errno == EAGAIN)
      return;
  }
}

std::optional<NodeProcess::Frame> NodeProcess::frame(bool &Damaged) {
  LauncherFrame Head;
  if (Received.size() < sizeof(Head))
    return std::nullopt;
  memcpy(&Head, Received.data(), sizeof(Head));
  Damaged = Head.Size > LauncherFrame::MaxSize ||
            Head.Type < LauncherFrame::Exchange ||
            Head.Type > LauncherFrame::Finish;
  if (Damaged || Received.size() < sizeof(Head) + Head.Size)
    return std::nullopt;
  Frame F{Head.Type, Received.substr(sizeof(Head), Head.Size)};
  Received.erase(0, sizeof(Head) + Head.Size);
  return F;
}

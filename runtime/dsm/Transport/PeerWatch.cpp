//===- PeerWatch.cpp - Notices that a process of this host ends ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/PeerWatch.h"
#include "Transport/Fatal.h"
#include "Transport/Thread.h"
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel::dsm;

PeerWatch::PeerWatch(Bootstrap &Boot, const ControlPages &Places)
    : Boot(Boot), Places(Places), Stop(eventfd(0, EFD_CLOEXEC)) {
  for (int I = 0; I < Boot.nodes(); ++I) {
    if (I == Boot.node() || !Places.page(I))
      continue;
    int File = int(syscall(SYS_pidfd_open, Places.place(I).Process, 0));
    if (File < 0 && errno == ESRCH)
      ended(I);
    if (File < 0)
      continue; // A kernel older than 5.3; then the launcher has to notice.
    Peers.push_back(I);
    Files.push_back(File);
  }
  Thread = startThread(
      "graupel-peers",
      [](void *This) -> void * {
        static_cast<PeerWatch *>(This)->run();
        return nullptr;
      },
      this);
}

PeerWatch::~PeerWatch() {
  uint64_t One = 1;
  [[maybe_unused]] ssize_t Written = write(Stop, &One, sizeof(One));
  pthread_join(Thread, nullptr);
  for (int File : Files)
    close(File);
  close(Stop);
}

void PeerWatch::run() {
  std::vector<pollfd> Wait{{Stop, POLLIN, 0}};
  for (int File : Files)
    Wait.push_back({File, POLLIN, 0});
  while (poll(Wait.data(), Wait.size(), -1) <= 0)
    ;
  if (Wait[0].revents)
    return;
  for (size_t I = 0; I < Peers.size(); ++I)
    if (Wait[I + 1].revents)
      ended(Peers[I]);
}

bool PeerWatch::lowerNodeIsLeft() const {
  for (size_t I = 0; I < Peers.size(); ++I) {
    pollfd Ended{Files[I], POLLIN, 0};
    if (Peers[I] < Boot.node() && poll(&Ended, 1, 0) == 0)
      return true;
  }
  return false;
}

void PeerWatch::ended(int Node) {
  // A launcher that notices ends this process meanwhile, and knows more. Else
  // the lowest node that is left speaks, and the others if it does not.
  // Under mpirun an abort takes two more seconds, of five that all may take.
  usleep(500'000);
  if (lowerNodeIsLeft())
    sleep(1);
  const NodePlace &Place = Places.place(Node);
  Boot.abortJob(format(
      "node %d (process %d on %s) has ended before the job; the job ends", Node,
      Place.Process, Place.Host.c_str()));
}

//===- FakeNetwork.h - Nodes as threads, over an unkind network -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_DSM_FAKENETWORK_H
#define TEST_UNIT_DSM_FAKENETWORK_H

#include "Transport/CreditTransport.h"
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace graupel::dsm {

/// Delivers packets late and in any order, also within a pair.
class FakeNetwork {
public:
  FakeNetwork(int Nodes, uint64_t Seed, int WithheldPercent)
      : Random(Seed), Withheld(WithheldPercent), Flying(Nodes) {}

  void post(int To, std::vector<uint8_t> Packet) {
    std::lock_guard Lock(Mutex);
    Flying[To].push_back(std::move(Packet));
  }
  /// A random packet to this node, or none.
  bool take(int To, std::vector<uint8_t> &Packet) {
    std::lock_guard Lock(Mutex);
    auto &F = Flying[To];
    if (F.empty() || int(Random() % 100) < Withheld)
      return false;
    std::swap(F[Random() % F.size()], F.back());
    Packet = std::move(F.back());
    F.pop_back();
    return true;
  }
  void withhold(int Percent) { Withheld = Percent; }

private:
  std::mutex Mutex;
  std::mt19937_64 Random;
  std::atomic<int> Withheld;
  std::vector<std::vector<std::vector<uint8_t>>> Flying;
};

class FakeWire final : public Wire {
public:
  FakeWire(FakeNetwork &Net, int Node, Receiver &To)
      : Net(Net), Node(Node), To(To) {}
  uint8_t *buffer() override { return Bytes; }
  void post(int Destination, size_t Size) override {
    Net.post(Destination, {Bytes, Bytes + Size});
  }
  void progress() override {
    std::vector<uint8_t> Packet;
    if (Net.take(Node, Packet))
      To.arrived(Packet.data(), Packet.size());
  }
  bool flushed() override { return true; }
  bool arm() override { return true; }
  int descriptor() override { return -1; }

private:
  FakeNetwork &Net;
  int Node;
  Receiver &To;
  uint8_t Bytes[MaxPacket];
};

/// The control pages of one process that is all nodes.
class FakeHost {
public:
  explicit FakeHost(int Nodes) : File(memfd_create("test", 0)), Nodes(Nodes) {
    EXPECT_EQ(ftruncate(File, 4096 * Nodes), 0);
  }
  ~FakeHost() { close(File); }
  std::unique_ptr<Doorbell> doorbell(int Node) {
    std::vector<NodePlace> Places(Nodes, NodePlace{"host", 1, true});
    return std::make_unique<Doorbell>(
        Node, std::make_unique<ControlPages>(dup(File), Node, Places));
  }

private:
  int File, Nodes;
};

inline std::unique_ptr<CreditTransport>
fakeTransport(FakeHost &Host, FakeNetwork &Net,
              const CreditTransport::Parameters &P) {
  auto T = std::make_unique<CreditTransport>(P, Host.doorbell(P.Node));
  T->connect(std::make_unique<FakeWire>(Net, P.Node, T->receiver()));
  return T;
}

} // namespace graupel::dsm

#endif

//===- Traffic.cpp - Messages that must all arrive, in order -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every message carries its number within its pair, its random size, and bytes
// that follow from both; the receiver checks all of it. A node ends when all
// nodes have handled all that was sent (counted over the bootstrap).
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <future>
#include <random>
#include <sched.h>
#include <unistd.h>
#include <vector>

using graupel::dsm::Message;

namespace {
class Traffic {
public:
  Traffic(Bootstrap &Boot, const Options &O);
  virtual ~Traffic() = default;
  void run();

protected:
  /// Sends what computation sends, calling dispatch() where it has to.
  virtual void compute() = 0;
  /// A message of node `From`, with what was sent as `Value`.
  virtual void handle(int From, uint64_t Value) = 0;

  /// With `FromHandler` from handle() only.
  void send(int To, uint64_t Value, bool FromHandler);
  void dispatch();
  uint64_t random(uint64_t Below) { return Random() % Below; }
  int randomPeer();

  Bootstrap &Boot;
  const Options &Opt;
  std::unique_ptr<Transport> T;
  const int Node, Nodes;

private:
  bool trySend(int To, uint64_t Value, bool FromHandler, unsigned Size);
  void check(const Message &);
  void awaitEnd();

  std::mt19937_64 Random;
  unsigned MaxSize;
  std::vector<uint64_t> Sent, Handled;
  bool InHandler = false;
  uint64_t TotalSent = 0, TotalHandled = 0;
};

Traffic::Traffic(Bootstrap &Boot, const Options &O)
    : Boot(Boot), Opt(O), T(Transport::open(Boot, int(O.get("threads", 1)),
                                            unsigned(O.get("window", 0)))),
      Node(Boot.node()), Nodes(Boot.nodes()),
      Random(O.get("seed", 1) * 64 + unsigned(Node)),
      MaxSize(unsigned(O.get("size", 4096))), Sent(Nodes), Handled(Nodes) {}

int Traffic::randomPeer() {
  int Peer = int(random(unsigned(Nodes - 1)));
  return Peer + (Peer >= Node);
}

uint8_t byteAt(int From, uint64_t Number, unsigned Place) {
  return uint8_t(Number * 7 + unsigned(From) * 31 + Place * 13);
}

void Traffic::send(int To, uint64_t Value, bool FromHandler) {
  // Most messages are small, as in a protocol.
  unsigned Size = unsigned(random(4) ? random(160) : random(MaxSize + 1));
  // Where it has to wait handlers may send, so its number is known at the end.
  while (!trySend(To, Value, FromHandler, std::min(Size, MaxSize))) {
    dispatch();
    sched_yield(); // There may be more nodes than processors.
  }
  ++Sent[To];
  ++TotalSent;
}

bool Traffic::trySend(int To, uint64_t Value, bool FromHandler, unsigned Size) {
  uint8_t Bytes[4096];
  uint64_t Number = Sent[To];
  Message M{};
  M.Length = Size;
  for (unsigned I = 0; I < Size; ++I)
    Bytes[I] = byteAt(Node, Number, I);
  M.Payload = Bytes;
  M.Words = uint8_t(2 + Number % 7);
  for (unsigned I = 0; I < M.Words; ++I)
    M.Word[I] = Number + I;
  M.Word[1] = Value;
  M.Handler = uint16_t(Number);
  M.Kind = uint8_t(Number >> 3);
  M.RemoteAddress = Number % 2 ? Number << 5 : 0;
  bool Done = T->send(To, M, FromHandler);
  memset(Bytes, 0xee, Size); // What was named may change.
  return Done;
}

void Traffic::check(const Message &M) {
  int From = M.Source;
  uint64_t Number = Handled[From]++;
  if (M.Word[0] != Number || M.Handler != uint16_t(Number) ||
      M.Kind != uint8_t(Number >> 3))
    wrong("node %d expected message %" PRIu64 " of node %d and got %" PRIu64,
          Node, Number, From, M.Word[0]);
  if (M.RemoteAddress != (Number % 2 ? Number << 5 : 0))
    wrong("the remote address of message %" PRIu64 " is damaged", Number);
  for (unsigned I = 2; I < M.Words; ++I)
    if (M.Word[I] != Number + I)
      wrong("word %u of message %" PRIu64 " is damaged", I, Number);
  for (unsigned I = 0; I < M.Length; ++I)
    if (static_cast<const uint8_t *>(M.Payload)[I] != byteAt(From, Number, I))
      wrong("byte %u of %u of message %" PRIu64 " is damaged", I, M.Length,
            Number);
}

void Traffic::dispatch() {
  if (InHandler)
    wrong("a handler was called from a handler");
  T->progress();
  for (int Burst = 0; Burst < 64; ++Burst) {
    const Message *M = T->next();
    if (!M)
      return;
    InHandler = true;
    check(*M);
    handle(M->Source, M->Word[1]);
    // It must still be there after the handler has sent and waited.
    if (M->Word[0] != Handled[M->Source] - 1)
      wrong("a message changed while it was handled");
    T->release();
    ++TotalHandled;
    InHandler = false;
  }
}

/// Two rounds with the same sums, in which nothing was handled in between:
/// done. Others may be waiting for this node while it waits for the sums.
void Traffic::awaitEnd() {
  uint64_t Before = ~uint64_t(0);
  for (;;) {
    uint64_t Sums[2] = {TotalSent, TotalHandled}, All[2] = {};
    std::string Own(reinterpret_cast<char *>(Sums), sizeof(Sums));
    auto Round = std::async(std::launch::async, [&] {
      usleep(2000);
      auto Values = Boot.exchange(Own);
      T->notify();
      return Values;
    });
    do {
      uint32_t Wake = T->control().Wake.load();
      dispatch();
      if (!T->next() && !T->quiet())
        T->sleep(Wake, 100000);
    } while (Round.wait_for(std::chrono::seconds(0)) !=
             std::future_status::ready);
    for (auto &V : Round.get()) {
      uint64_t Theirs[2];
      memcpy(Theirs, V.data(), sizeof(Theirs));
      All[0] += Theirs[0];
      All[1] += Theirs[1];
    }
    if (All[0] == All[1] && All[0] == Before)
      return;
    Before = All[0];
  }
}

void Traffic::run() {
  double Start = seconds();
  compute();
  awaitEnd();
  double Time = seconds() - Start;
  const auto &S = T->statistics();
  printf("node %d: %" PRIu64 " sent, %" PRIu64 " handled, %" PRIu64
         " acknowledgements, %" PRIu64 " overflows, %" PRIu64
         " peak bytes, %" PRIu64 " credit waits, %.0f us\n",
         Node, TotalSent, TotalHandled, S.Acknowledgements, S.Overflows,
         S.OverflowPeak, S.CreditWaits, Time * 1e6);
  if (S.Sent != TotalSent)
    wrong("%" PRIu64 " messages were sent and %" PRIu64 " counted", TotalSent,
          S.Sent);
  if (Opt.get("no-overflow", 0) && S.Overflows)
    wrong("%" PRIu64 " overflows", S.Overflows);
}

/// Computation sends to random nodes; handlers do not send.
class Order final : public Traffic {
public:
  using Traffic::Traffic;
  void compute() override {
    for (uint64_t I = 0, N = Opt.get("count", 20000); I < N; ++I)
      send(randomPeer(), 0, false);
  }
  void handle(int, uint64_t) override {}
};

/// Every message makes two more, of both nodes at once, until the budget is
/// used.
class Flood final : public Traffic {
public:
  using Traffic::Traffic;
  void compute() override {
    for (int I = 0; I < 8; ++I)
      send(randomPeer(), 0, false);
  }
  void handle(int, uint64_t) override {
    for (int I = 0; I < 2 && Budget; ++I, --Budget)
      send(randomPeer(), 0, true);
  }

private:
  uint64_t Budget = Opt.get("count", 20000);
};

/// Tokens go around; each handler sends to the next node.
class Ring final : public Traffic {
public:
  using Traffic::Traffic;
  void compute() override {
    for (uint64_t I = 0, N = Opt.get("tokens", 64); I < N; ++I)
      send((Node + 1) % Nodes, Opt.get("count", 400), false);
  }
  void handle(int, uint64_t Left) override {
    if (Left)
      send((Node + 1) % Nodes, Left - 1, true);
  }
};

/// All send to node 0, which answers each message.
class AllToOne final : public Traffic {
public:
  using Traffic::Traffic;
  void compute() override {
    if (Node != 0)
      for (uint64_t I = 0, N = Opt.get("count", 20000); I < N; ++I)
        send(0, 1, false);
  }
  void handle(int From, uint64_t Request) override {
    if (Request)
      send(From, 0, true);
  }
};

/// A random activation graph: a message of level l makes up to three of level
/// l - 1 to any nodes.
class Dag final : public Traffic {
public:
  using Traffic::Traffic;
  void compute() override {
    for (uint64_t I = 0, N = Opt.get("count", 40); I < N; ++I)
      send(randomPeer(), Opt.get("depth", 9), false);
  }
  void handle(int, uint64_t Level) override {
    if (Level == 0)
      return;
    for (uint64_t I = 0, N = random(4); I < N; ++I)
      send(randomPeer(), Level - 1, true);
  }
};

/// One question at a time, as a thread that waits for a miss; waits asleep.
class Misses final : public Traffic {
public:
  using Traffic::Traffic;
  void compute() override {
    for (uint64_t I = 0, N = Opt.get("count", 2000); I < N; ++I) {
      Waiting = true;
      send(randomPeer(), 1, false);
      while (Waiting) {
        uint32_t Wake = T->control().Wake.load();
        dispatch();
        if (Waiting && !T->next() && !T->quiet())
          T->sleep(Wake, unsigned(Opt.get("timeout", 10000000)));
      }
    }
  }
  void handle(int From, uint64_t Request) override {
    if (Request)
      send(From, 0, true);
    else
      Waiting = false;
  }

private:
  bool Waiting = false;
};
} // namespace

void runTraffic(const std::string &Mode, Bootstrap &Boot, const Options &O) {
  if (Mode == "order")
    Order(Boot, O).run();
  else if (Mode == "flood")
    Flood(Boot, O).run();
  else if (Mode == "ring")
    Ring(Boot, O).run();
  else if (Mode == "all-to-one")
    AllToOne(Boot, O).run();
  else if (Mode == "dag")
    Dag(Boot, O).run();
  else if (Mode == "misses")
    Misses(Boot, O).run();
  else
    wrong("there is no mode `%s`", Mode.c_str());
}

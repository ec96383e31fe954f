//===- CreditTransportTest.cpp - Messages over a wire --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activation graphs that exceed any window, over a network that delays and
// reorders: all messages are handled, once and in order, and nodes that wait
// for each other in handlers do not do so for good (Schoinas 1998, 3.2-3.3).
//
//===----------------------------------------------------------------------===//

#include "FakeNetwork.h"
#include <functional>
#include <thread>

using namespace graupel::dsm;

namespace {
class Cluster {
public:
  struct Node {
    std::unique_ptr<CreditTransport> T;
    std::mt19937_64 Random;
    std::vector<uint64_t> SentTo, HandledFrom;
  };
  /// What a node does at first, and with a message's value.
  using Computation = std::function<void(Cluster &, int)>;
  using Handler = std::function<void(Cluster &, int, int, uint64_t)>;

  Cluster(int Nodes, unsigned Window, uint64_t Seed, uint32_t First = 0)
      : Host(Nodes), Net(Nodes, Seed, 30), Nodes(Nodes) {
    for (int I = 0; I < Nodes; ++I) {
      CreditTransport::Parameters P{I, Nodes, Window};
      P.FirstSequence = First;
      Nodes_.push_back({fakeTransport(Host, Net, P), std::mt19937_64(Seed + I),
                        std::vector<uint64_t>(Nodes),
                        std::vector<uint64_t>(Nodes)});
    }
  }

  void send(int From, int To, uint64_t Value, bool FromHandler) {
    Node &N = Nodes_[From];
    ++Pending;
    Message M{};
    M.Words = 2;
    M.Word[1] = Value;
    M.Length = uint32_t(N.Random() % 600);
    char Bytes[600] = {};
    M.Payload = Bytes;
    for (;;) {
      M.Word[0] = N.SentTo[To];
      if (N.T->send(To, M, FromHandler))
        break;
      dispatch(From);
      std::this_thread::yield();
    }
    ++N.SentTo[To];
  }

  int peer(int Node) {
    int P = int(Nodes_[Node].Random() % uint64_t(Nodes - 1));
    return P + (P >= Node);
  }
  uint64_t random(int Node) { return Nodes_[Node].Random(); }

  void run(Computation Compute, Handler H) {
    Handle = std::move(H);
    Pending = uint64_t(Nodes); // the computations
    std::vector<std::thread> Threads;
    for (int I = 0; I < Nodes; ++I)
      Threads.emplace_back([this, I, &Compute] {
        Compute(*this, I);
        --Pending;
        while (Pending) {
          dispatch(I);
          std::this_thread::yield();
        }
      });
    for (auto &T : Threads)
      T.join();
    for (int A = 0; A < Nodes; ++A)
      for (int B = 0; B < Nodes; ++B)
        EXPECT_EQ(Nodes_[A].SentTo[B], Nodes_[B].HandledFrom[A]);
  }

  uint64_t overflows() const {
    uint64_t Sum = 0;
    for (auto &N : Nodes_)
      Sum += N.T->statistics().Overflows;
    return Sum;
  }
  uint64_t handled() const {
    uint64_t Sum = 0;
    for (auto &N : Nodes_)
      for (uint64_t H : N.HandledFrom)
        Sum += H;
    return Sum;
  }

private:
  void dispatch(int Node) {
    auto &N = Nodes_[Node];
    N.T->progress();
    while (const Message *M = N.T->next()) {
      EXPECT_EQ(M->Word[0], N.HandledFrom[M->Source]++) << "order";
      Handle(*this, Node, M->Source, M->Word[1]);
      N.T->release();
      --Pending;
    }
  }

  FakeHost Host;
  FakeNetwork Net;
  int Nodes;
  std::vector<Node> Nodes_;
  Handler Handle;
  std::atomic<uint64_t> Pending{0};
};
} // namespace

TEST(CreditTransport, FloodFromHandlersBothWays) {
  for (unsigned Window : {4u, 16u})
    for (int Nodes : {2, 3, 5}) {
      Cluster C(Nodes, Window, Window + unsigned(Nodes));
      C.run(
          [](Cluster &C, int Node) {
            for (int I = 0; I < 3; ++I)
              C.send(Node, C.peer(Node), 8, false);
          },
          [](Cluster &C, int Node, int, uint64_t Left) {
            for (uint64_t I = 0; Left && I < 2; ++I)
              C.send(Node, C.peer(Node), Left - 1, true);
          });
      EXPECT_EQ(C.handled(), uint64_t(Nodes) * 3 * 511);
      if (Window == 4) {
        EXPECT_GT(C.overflows(), 0u) << "the test was to exceed the window";
      }
    }
}

TEST(CreditTransport, RingOfForwardingNodes) {
  for (int Nodes : {2, 3, 6}) {
    Cluster C(Nodes, 8, unsigned(Nodes));
    C.run(
        [Nodes](Cluster &C, int Node) {
          for (int I = 0; I < 40; ++I)
            C.send(Node, (Node + 1) % Nodes, 25, false);
        },
        [Nodes](Cluster &C, int Node, int, uint64_t Left) {
          if (Left)
            C.send(Node, (Node + 1) % Nodes, Left - 1, true);
        });
    EXPECT_EQ(C.handled(), uint64_t(Nodes) * 40 * 26);
  }
}

TEST(CreditTransport, RandomGraphs) {
  for (uint64_t Seed = 1; Seed <= 10; ++Seed) {
    Cluster C(4, 4 + unsigned(Seed), Seed);
    C.run(
        [](Cluster &C, int Node) {
          for (int I = 0; I < 20; ++I)
            C.send(Node, C.peer(Node), 6, false);
        },
        [](Cluster &C, int Node, int, uint64_t Level) {
          for (uint64_t I = 0, N = Level ? C.random(Node) % 4 : 0; I < N; ++I)
            C.send(Node, C.peer(Node), Level - 1, true);
        });
  }
}

// Computation that is faster than its receiver waits; nothing is set aside.
TEST(CreditTransport, StreamsDoNotOverflow) {
  Cluster C(4, 8, 3);
  C.run(
      [](Cluster &C, int Node) {
        for (int I = 0; Node && I < 2000; ++I)
          C.send(Node, 0, 1, false);
      },
      [](Cluster &C, int Node, int From, uint64_t Request) {
        if (Request)
          C.send(Node, From, 0, true);
      });
  EXPECT_EQ(C.handled(), 12000u);
  EXPECT_EQ(C.overflows(), 0u);
}

TEST(CreditTransport, H36NumbersWrap) {
  Cluster C(3, 8, 5, 0xffffff00u);
  C.run(
      [](Cluster &C, int Node) {
        for (int I = 0; I < 1000; ++I)
          C.send(Node, C.peer(Node), 0, false);
      },
      [](Cluster &, int, int, uint64_t) {});
  EXPECT_EQ(C.handled(), 3000u);
}

TEST(CreditTransport, CreditsComeBackWithMessages) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto A = fakeTransport(Host, Net, {0, 2, 16}),
       B = fakeTransport(Host, Net, {1, 2, 16});
  for (int I = 0; I < 1000; ++I)
    for (auto *T : {&A, &B}) {
      auto &Other = T == &A ? B : A;
      Message M{};
      ASSERT_TRUE((*T)->send(T == &A, M, false));
      while (!Other->progress())
        ;
      Other->release();
    }
  EXPECT_EQ(A->statistics().Acknowledgements + B->statistics().Acknowledgements,
            0u);
  EXPECT_EQ(A->statistics().CreditWaits + B->statistics().CreditWaits, 0u);
}

// One acknowledgement for each more than a quarter of a window.
TEST(CreditTransport, CreditsComeBackAlone) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto A = fakeTransport(Host, Net, {0, 2, 16}),
       B = fakeTransport(Host, Net, {1, 2, 16});
  for (int I = 0; I < 1000; ++I) {
    Message M{};
    ASSERT_TRUE(A->send(1, M, false)) << I;
    while (!B->progress())
      ;
    B->release();
    A->progress();
  }
  EXPECT_EQ(B->statistics().Acknowledgements, 200u);
}

/// Two nodes that only send, from handlers, and have little memory.
static void overflow() {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto Send = [&](int Node) {
    CreditTransport::Parameters P{Node, 2, 8};
    P.AsideLimit = 20000;
    auto T = fakeTransport(Host, Net, P);
    for (;;)
      T->send(1 - Node, Message{}, true);
  };
  std::thread Other(Send, 1);
  Send(0);
}

TEST(CreditTransportDeathTest, OverflowWithoutEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(overflow(), testing::ExitedWithCode(1),
              "graupel dsm: error: node . has set aside .* handlers");
}

TEST(CreditTransportDeathTest, DamagedMessages) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto A = fakeTransport(Host, Net, {0, 2, 8});
  uint8_t Packet[MaxPacket];
  Message M{};
  size_t Size = pack(Packet, M, 1, 0, 0);
  auto Expect = [&](std::vector<uint8_t> Bytes, const char *What) {
    EXPECT_EXIT(
        {
          Net.post(0, Bytes);
          A->progress();
        },
        testing::ExitedWithCode(1), "graupel dsm: error: node 0 received")
        << What;
  };
  std::vector<uint8_t> Good(Packet, Packet + Size);
  Expect({Good.begin(), Good.end() - 1}, "too short for a header");
  auto Bad = Good;
  Bad.push_back(0);
  Expect(Bad, "longer than it says");
  Bad = Good;
  Bad[4] = 200;
  Expect(Bad, "too many words");
  Bad = Good;
  Bad[8] = 2;
  Expect(Bad, "of a node that is not");
  Bad = Good;
  Bad[10] = 1;
  Expect(Bad, "returns a credit that nobody has");
  Bad = Good;
  Bad[12] = 99;
  Expect(Bad, "a number far ahead");
}

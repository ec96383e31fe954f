//===- unit/dsm/SimTempest.h - Tempest with all nodes in one process ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second implementation of graupel/tempest.h: memories, tags, channels and
// the threads of N nodes are data, and a seeded scheduler does one step after
// the other: a thread checks, accesses, faults or polls; a message arrives (in
// order for each pair of nodes, in any order otherwise). A handler that
// downgrades has to wait for threads that rely on the tag, and meanwhile all
// other nodes go on.
//
// What is checked, always, and ends the process with a message and the seed:
//   * a load sees the last store to its word, by anybody;
//   * a store finds no other node with a copy, a load none that may store;
//   * tags are what a change names as the old ones, held blocks stay;
//   * at most one message a fault that a thread of the job may wait for is
//     under way between two nodes;
//   * whoever waits is resumed: no deadlock, no operation that takes for ever.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_UNIT_DSM_SIMTEMPEST_H
#define GRAUPEL_TEST_UNIT_DSM_SIMTEMPEST_H

#include "../Random.h"
#include "graupel/tempest.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace graupel::test {

struct SimOptions {
  uint64_t Seed = 1;
  int Nodes = 2, Threads = 1;
  /// Faults that a thread waits for at a time.
  unsigned AtATime = TEMPEST_MAX_FAULTS;
  uint32_t Block = 128;
  /// Home policies of the pages in turn: a node or GDSM_HOME_*.
  std::vector<int> Homes = {0};
  unsigned Pages = 4;
  /// Words of each page that the random operations touch; few make conflicts.
  unsigned WordsPerPage = 8;
  /// Operations between the ends and beginnings of gdsm_parallel; 0: never.
  uint64_t PhaseLength = 0;
};

class Simulation {
public:
  static constexpr uintptr_t Base = uintptr_t(1) << 45;
  static constexpr unsigned MaxNodes = 8;

  /// Calls `Start` on each node.
  Simulation(const SimOptions &, const std::function<void()> &Start,
             const std::function<void()> &ParallelBegins = {},
             const std::function<void()> &ParallelEnds = {});
  ~Simulation();
  Simulation(const Simulation &) = delete;

  /// Random operations until `Count` have been done, then until nothing
  /// happens.
  void run(uint64_t Count);

  /// One operation of a thread, and all that follows from it.
  void access(int Node, uintptr_t Address, bool Store) {
    begin(Node, Address, Store);
    settle();
  }
  void load(int Node, uintptr_t A) { access(Node, A, false); }
  void store(int Node, uintptr_t A) { access(Node, A, true); }
  /// The two halves of access, for several threads at a time.
  void begin(int Node, uintptr_t Address, bool Store, int Thread = 0);
  void settle();
  /// gdsm_parallel begins or ends on all nodes.
  void setParallel(bool);

  /// Makes what follows happen on a node.
  void on(int Node, const std::function<void()> &);

  const SimOptions Options;

  /// Messages between nodes since the last resetCounts.
  uint64_t Control = 0, Data = 0;
  unsigned MostAtATime = 0; ///< Faults that a thread waited for.
  uint64_t Faults = 0, Retries = 0, Holds = 0, Handshakes = 0, Spurious = 0;
  unsigned MostInFlight = 0;
  void resetCounts() { Control = Data = 0; }

  tempest_tag tagAt(int Node, uintptr_t Address) const;

  // --- The rest serves the functions of tempest.h (SimCalls.cpp).

  /// The one that there is.
  static Simulation *Only;

  struct Item {
    uintptr_t Address;
    bool Store;
    enum : uint8_t {
      NotAsked,
      Faulted, ///< Its handler is to be called.
      Waiting,
      Resumed
    } Fault = NotAsked;
    uint8_t FaultTag = 0;
  };
  static constexpr unsigned MaxItems = 40;
  enum class ThreadState : uint8_t { Idle, Acquiring, Valid };
  struct Thread {
    ThreadState State = ThreadState::Idle;
    bool Holding = false; ///< Acquires in ascending order, and holds.
    uint8_t Count = 0;    ///< Of Items.
    uint8_t Next = 0;     ///< The item to look at, to get, or to access.
    uint8_t Out = 0;      ///< Items that have faulted and are not there yet.
    uint8_t Failures = 0;
    uint64_t Since = 0; ///< The step in which the operation began.
    Item Items[MaxItems];
  };
  struct Memory {
    bool Mapped = false, Closed = false;
    tempest_page_info Info = {};
    uint8_t Tags[TEMPEST_PAGE_SIZE / 32] = {};
    uint32_t Words[TEMPEST_PAGE_SIZE / 4] = {};
    uint8_t tag(uintptr_t A) const { return Tags[A % TEMPEST_PAGE_SIZE / 32]; }
    uint32_t &word(uintptr_t A) { return Words[A % TEMPEST_PAGE_SIZE / 4]; }
  };
  struct Node {
    std::vector<Memory> Pages;
    std::vector<Thread> Threads;
    void *ProtocolData = nullptr;
    std::vector<tempest_message_handler> Messages;
    tempest_page_fault_handler PageFault = nullptr;
    tempest_block_fault_handler Faults[TEMPEST_MODES][4][2] = {};
    tempest_release_handler Release = nullptr;
    bool InHandler = false, ReleasePending = false;
    bool Parallel = false;
    tempest_block_fault_handler &fault(int Mode, unsigned Tag, bool Store) {
      unsigned Which = (Tag & 1) | (Tag & 0x80 ? 2 : 0);
      return Faults[Mode][Which][Store];
    }
  };
  struct Packet {
    unsigned Handler = 0, Words = 0;
    uint64_t Word[TEMPEST_MAX_WORDS] = {};
    std::vector<char> Payload;
  };
  struct Channel {
    std::vector<Packet> Ring;
    size_t Head = 0, Count = 0;
  };

  Node &current() { return Nodes[size_t(Here)]; }
  Memory *page(uintptr_t Address);
  void change(uintptr_t Address, size_t Length, tempest_change, void *Out,
              const void *In);
  void send(const tempest_message &);
  bool isHeld(const Node &, uintptr_t Block);
  void resume(uintptr_t Address, size_t Length);
  [[noreturn]] void fail(const char *Format, ...)
      __attribute__((format(printf, 2, 3)));

  int Here = 0;
  const Packet *Handled = nullptr;
  unsigned NextWord = 0;

private:
  bool step();
  bool tryMessage();
  bool tryThread(int Node, int Thread);
  bool anything();
  void deliver(unsigned Source, unsigned Destination);
  void runHandler(int Node, const std::function<void()> &);
  void generate(Node &, Thread &);
  bool acquire(int Node, Thread &);
  bool lookFurther(Node &, Thread &);
  bool settleFaults(int Node, Thread &, bool &DidSomething);
  void refuse(Thread &, unsigned Item);
  void dispatchFault(int Node, Thread &, unsigned Item);
  const Item &unfinished(const Thread &) const;
  void accessItems(int Node, Thread &);
  void finish(Node &, Thread &);
  bool permits(Node &, const Item &);
  void enterHolding(Thread &);
  void checkAccess(int Node, const Item &);
  bool mayGenerate(const Node &, int Thread) const;
  bool stepPhase();
  bool enterPhase(int Node);
  uintptr_t blockOf(uintptr_t A) const { return A & -uintptr_t(Options.Block); }
  uint32_t &latest(uintptr_t A) { return Latest[(A - Base) / 4]; }

  Random Dice;
  std::function<void()> ParallelBegins, ParallelEnds;
  std::vector<Node> Nodes;
  std::vector<Channel> Channels; ///< [source * nodes + destination]
  uint64_t NonEmpty = 0;         ///< A bit a channel.
  uint64_t Slow = 0;             ///< Channels that deliver rarely for a while.
  uint64_t Steps = 0, Done = 0, Wanted = 0, PhaseEnd = 0;
  unsigned MessageShare = 128; ///< Of 256 steps.
  bool Parallel = false, Changing = false;
  bool Running = false; ///< Threads find something to do by themselves.
  uint32_t NextValue = 1;
  std::vector<uint32_t> Latest;
};

} // namespace graupel::test

#endif

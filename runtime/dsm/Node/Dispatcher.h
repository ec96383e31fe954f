//===- Dispatcher.h - When threads run handlers -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers run one at a time, on whatever thread has the protocol lock: one
// that polls (a burst, loop B1 of Schoinas 1998, 3.6) or one that waits (until
// its own condition holds, loop B2, and not a message longer, or it might serve
// a recall of the very block it waited for). All that take the lock are
// offline.
//
// Waiting threads spin for a while, then look again and again while nobody else
// wants their processor, then sleep; one of them watches the transport. Where
// processors are few (Crowd.h) they sleep nearly at once, and so do threads
// that wait in loops of the program.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_DISPATCHER_H
#define GRAUPEL_DSM_NODE_DISPATCHER_H

#include "Node/Threads.h"
#include "Transport/Transport.h"
#include <array>
#include <deque>
#include <memory>
#include <vector>

namespace graupel::dsm {

class Dispatcher {
public:
  using Handler = void (*)(const Message &);
  static constexpr unsigned MaxHandlers = 256;

  void attach(Transport &, Threads &, int Node, const Crowd &);

  void setHandler(unsigned Number, Handler H) { Handlers[Number] = H; }

  // --- The protocol lock. Not recursive; the caller is offline.

  bool tryLock() {
    return !isLocked() && !__atomic_exchange_n(&Locked, true, __ATOMIC_ACQUIRE);
  }
  bool isLocked() const { return __atomic_load_n(&Locked, __ATOMIC_RELAXED); }
  const bool *lockWord() const { return &Locked; }
  void lock() { lockUnless(nullptr); }
  /// False, without the lock, if the node has finished: nobody gives it back.
  bool lockUnlessClosed() { return lockUnless(&Closed); }
  void unlock() {
    __atomic_store_n(&Locked, false, __ATOMIC_RELEASE);
    // Without a barrier between: who sleeps looks again by itself, too.
    if (__atomic_load_n(&LockSleepers, __ATOMIC_RELAXED)) [[unlikely]]
      wakeForLock();
  }

  /// Runs F as a handler, under the lock that the caller has.
  template <class F> void handle(F Body) {
    InHandler = true;
    Body();
    InHandler = false;
  }
  static bool inHandler() { return InHandler; }

  // --- Under the protocol lock.

  /// Sends, also to this node. Outside of handlers others' handlers may run
  /// before it returns.
  void send(int Destination, const Message &);

  /// The same, but returns false, having done nothing, if there is no credit
  /// for messages of threads.
  bool trySend(int Destination, const Message &);

  /// Runs a handler without an argument after what is queued, on any thread.
  void runLater(void (*Body)());

  /// Handles a message; false if there is none.
  bool dispatchOne();

  /// The work of a thread that polls.
  void burst();

  /// Messages so far, of this node to all and of all to this one: equal sums
  /// over all nodes mean that none is under way.
  uint64_t sent() const { return Sent; }
  uint64_t handled() const { return Handled; }

  // --- Waiting.

  /// Lets the protocol work until Done() is true, which is asked with and
  /// without the lock. Returns whether the caller has the lock now.
  template <class Condition> bool await(bool HasLock, Condition Done) {
    Idle Rest(*this);
    ++Serving;
    wakeResting();
    for (;;) {
      // The state before the last look at the wire, which may then be
      // watched.
      uint32_t Wake = 0;
      bool Tired = false;
      if (HasLock || tryLock()) {
        HasLock = false;
        for (;;) {
          if (Done()) {
            stopServing(true);
            return true;
          }
          if (dispatchOne()) {
            Rest.restart();
            Tired = false;
          } else if (Tired) {
            if (!Wire->quiet())
              break;
          } else if (nothingArrives()) {
            if (wanted())
              break;
            if (!Rest.spin()) {
              Wake = Control->Wake.load(std::memory_order_seq_cst);
              Tired = true;
            }
          }
        }
        unlock();
        letOthersIn();
      }
      uint32_t Seen = Event.load(std::memory_order_seq_cst);
      if (Done()) {
        stopServing(false);
        return false;
      }
      if (Tired || !Rest.spin()) {
        Rest.restart();
        sleep(Seen, Tired ? &Wake : nullptr, SleepMicroseconds);
      }
    }
  }

  /// A condition that threads of this node wait for may have changed. `For`: the
  /// only one that waits for it, if that is known.
  void signal(const ThreadRecord *For = nullptr);
  /// Number of such signals so far.
  uint32_t signals() const { return Event.load(std::memory_order_relaxed); }

  /// The calling thread is offline, and looks again and again at memory for a
  /// value that another thread is to write. Where processors are few: serves,
  /// and if that goes on, sleeps until a message is handled or another thread
  /// waits, for a moment at most: a thread of this node may write unnoticed.
  void rest(ThreadRecord &, uintptr_t Pc);
  /// Number of threads that sleep so, or are about to.
  unsigned resting() const { return Resting.load(std::memory_order_relaxed); }

  /// The calling thread has the lock for ever: returns when no thread uses the
  /// transport any more.
  void close();

  /// The calling thread is offline and will not serve for a while.
  void abandon();

  /// Serves when no other thread does; until dismissHelper().
  void help();
  /// Returns when the thread in help(), if any, uses nothing of the node any
  /// more. The caller has the protocol lock.
  void dismissHelper();

private:
  /// Time for which a waiting thread has had nothing to do.
  class Idle {
  public:
    explicit Idle(Dispatcher &D) : D(D) {}
    void restart() {
      Spins = 0;
      Yields = false;
    }
    /// False when it is time to sleep.
    bool spin();

  private:
    friend class Dispatcher;
    bool giveWay();

    Dispatcher &D;
    unsigned Spins = 0;
    bool Yields = false;
    uint64_t Since = 0;
  };

  struct Stored {
    Message Msg;
    std::unique_ptr<char[]> Payload;
    void (*Body)() = nullptr;
  };

  void run(const Message &M) {
    InHandler = true;
    Handlers[M.Handler](M);
    InHandler = false;
    ++Handled;
    // It may have brought, or taken, what is looked at.
    wakeResting();
  }
  void store(const Message &);
  void runStored();
  bool runArrived();
  bool nothingArrives();
  bool wanted() const { return Wanted.load(std::memory_order_relaxed) != 0; }
  bool lockUnless(const std::atomic<bool> *GivesUp);
  void wakeForLock();
  void letOthersIn();
  void stopServing(bool HasLock);
  /// Use(), which needs the transport but not the lock, unless the node has
  /// finished: then there is no transport.
  template <class F> void atWire(F Use) {
    AtWire.fetch_add(1, std::memory_order_seq_cst);
    if (!Closed.load(std::memory_order_seq_cst))
      Use();
    AtWire.fetch_sub(1, std::memory_order_release);
  }
  void wakeSleepers();
  static bool willPoll();
  void wakeOne();
  void sleep(uint32_t Seen, const uint32_t *Wake, unsigned Microseconds);
  /// The calling thread stops for others, who may look at what it has written.
  void wakeResting() {
    if (Resting.load(std::memory_order_relaxed)) [[unlikely]]
      signal();
  }

  /// Sleepers look around that often, in case of what nobody announces.
  static constexpr unsigned SleepMicroseconds = 100'000;

  static __thread bool InHandler __attribute__((tls_model("initial-exec")));

  Transport *Wire = nullptr;
  Threads *Team = nullptr;
  ControlPage *Control = nullptr;
  int Self = 0;
  const Crowd *Others = nullptr;
  std::array<Handler, MaxHandlers> Handlers{};
  std::deque<Stored> Own;
  bool OwnWasLast = false;
  uint64_t Sent = 0, Handled = 0;

  alignas(128) bool Locked = false;
  uint32_t LockSleepers = 0;
  alignas(128) std::atomic<unsigned> Wanted{0};
  std::atomic<unsigned> Serving{0};
  /// Threads that sleep until Event changes, and whether one watches the wire.
  std::atomic<unsigned> Sleeping{0};
  std::atomic<unsigned> Resting{0};
  /// Threads that rest and have the lock, or use the transport without it.
  std::atomic<unsigned> AtWire{0};
  std::atomic<bool> Watched{false};
  std::atomic<uint32_t> Event{0};
  std::atomic<uint32_t> HelpWanted{0};
  std::atomic<bool> Closed{false};
  /// Whether a thread is in help(), and whether it is to leave.
  std::atomic<bool> Helping{false}, Dismissed{false};
};

} // namespace graupel::dsm

#endif

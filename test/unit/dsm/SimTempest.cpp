//===- unit/dsm/SimTempest.cpp - Tempest with all nodes in one process ----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTempest.h"
#include "graupel/dsm_checks.h"
#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace graupel::test {

namespace {

struct Change {
  uint8_t From, To;
};
Change changeOf(tempest_change C) {
  switch (C) {
  case TEMPEST_INVALID_TO_READ_WRITE:
    return {TEMPEST_INVALID, TEMPEST_READ_WRITE};
  case TEMPEST_INVALID_TO_READ_ONLY:
    return {TEMPEST_INVALID, TEMPEST_READ_ONLY};
  case TEMPEST_INVALID_TO_BUSY:
    return {TEMPEST_INVALID, TEMPEST_BUSY};
  case TEMPEST_READ_WRITE_TO_INVALID:
    return {TEMPEST_READ_WRITE, TEMPEST_INVALID};
  case TEMPEST_READ_WRITE_TO_READ_ONLY:
    return {TEMPEST_READ_WRITE, TEMPEST_READ_ONLY};
  case TEMPEST_READ_ONLY_TO_INVALID:
    return {TEMPEST_READ_ONLY, TEMPEST_INVALID};
  case TEMPEST_READ_ONLY_TO_READ_WRITE:
    return {TEMPEST_READ_ONLY, TEMPEST_READ_WRITE};
  case TEMPEST_BUSY_TO_READ_WRITE:
    return {TEMPEST_BUSY, TEMPEST_READ_WRITE};
  case TEMPEST_BUSY_TO_READ_ONLY:
    return {TEMPEST_BUSY, TEMPEST_READ_ONLY};
  case TEMPEST_BUSY_TO_INVALID:
    return {TEMPEST_BUSY, TEMPEST_INVALID};
  case TEMPEST_NO_CHANGE:
    break;
  }
  return {0xff, 0xff};
}

/// How much a tag permits.
int rank(uint8_t Tag) { return Tag == 0 ? 2 : Tag & 0x80 ? 0 : 1; }

constexpr unsigned offsetOf(uintptr_t A) { return A % TEMPEST_PAGE_SIZE; }

} // namespace

// --- Nodes, and their memory ------------------------------------------------

Simulation *Simulation::Only = nullptr;

Simulation::Simulation(const SimOptions &O, const std::function<void()> &Start,
                       const std::function<void()> &Begins,
                       const std::function<void()> &Ends)
    : Options(O), Dice(O.Seed), ParallelBegins(Begins), ParallelEnds(Ends),
      Nodes(size_t(O.Nodes)), Channels(size_t(O.Nodes) * size_t(O.Nodes)),
      Latest(O.Pages * TEMPEST_PAGE_SIZE / 4) {
  if (Only || O.Nodes > int(MaxNodes))
    std::abort();
  Only = this;
  for (Node &N : Nodes) {
    N.Pages.resize(O.Pages);
    for (Memory &M : N.Pages)
      std::fill(std::begin(M.Words), std::end(M.Words), GRAUPEL_DSM_SENTINEL);
    N.Threads.resize(size_t(O.Threads));
  }
  for (Channel &C : Channels)
    C.Ring.resize(1024);
  MessageShare = 16 + unsigned(Dice.below(224));
  for (int I = 0; I < O.Nodes; ++I)
    on(I, Start);
}

Simulation::~Simulation() { Only = nullptr; }

void Simulation::fail(const char *Format, ...) {
  std::fflush(stdout);
  std::fprintf(stderr, "simulation: ");
  va_list Arguments;
  va_start(Arguments, Format);
  std::vfprintf(stderr, Format, Arguments);
  va_end(Arguments);
  std::fprintf(stderr,
               " (node %d, step %llu, operation %llu; repeat with "
               "GRAUPEL_TEST_SEED=%llu; nodes %d, threads %d, block %u)\n",
               Here, (unsigned long long)Steps, (unsigned long long)Done,
               (unsigned long long)Options.Seed, Options.Nodes, Options.Threads,
               Options.Block);
  std::abort();
}

void Simulation::on(int Node, const std::function<void()> &F) {
  int Before = Here;
  Here = Node;
  F();
  Here = Before;
}

Simulation::Memory *Simulation::page(uintptr_t A) {
  size_t Index = (A - Base) / TEMPEST_PAGE_SIZE;
  return A >= Base && Index < Options.Pages ? &current().Pages[Index] : nullptr;
}

tempest_tag Simulation::tagAt(int N, uintptr_t A) const {
  const Memory &M = Nodes[size_t(N)].Pages[(A - Base) / TEMPEST_PAGE_SIZE];
  return M.Mapped ? tempest_tag(M.tag(A)) : TEMPEST_INVALID;
}

/// A change of tags, with data in or out. A downgrade first sets the tag, then
/// waits until no thread relies on the old one, then copies.
void Simulation::change(uintptr_t A, size_t Length, tempest_change C, void *Out,
                        const void *In) {
  Memory *M = page(A);
  if (!M || !M->Mapped)
    fail("tags of an unmapped page are changed");
  if (A % Options.Block || Length % Options.Block || !Length ||
      offsetOf(A) + Length > TEMPEST_PAGE_SIZE)
    fail("%#zx and %zu are not whole blocks of one page", size_t(A), Length);
  Change Tags = changeOf(C);
  bool Downgrade = false;
  for (size_t G = offsetOf(A) / 32; G < (offsetOf(A) + Length) / 32; ++G) {
    if (C == TEMPEST_NO_CHANGE)
      break;
    if (M->Tags[G] != Tags.From)
      fail("the tag of %#zx is %#x where a change is from %#x", size_t(A),
           M->Tags[G], Tags.From);
    Downgrade = rank(Tags.To) < rank(Tags.From);
  }
  char *Bytes = reinterpret_cast<char *>(M->Words) + offsetOf(A);
  if (In)
    std::memcpy(Bytes, In, Length);
  if (C != TEMPEST_NO_CHANGE)
    std::memset(M->Tags + offsetOf(A) / 32, Tags.To, Length / 32);
  if (Downgrade) {
    for (uintptr_t B = A; B < A + Length; B += Options.Block)
      if (isHeld(current(), B))
        fail("the held block %#zx is downgraded", size_t(B));
    auto Relied = [&] {
      for (const Thread &T : current().Threads)
        if (T.State == ThreadState::Valid)
          for (unsigned I = 0; I < T.Count; ++I)
            if (T.Items[I].Address - A < Length)
              return true;
      return false;
    };
    bool Linger = Running && Dice.oneIn(2);
    while (std::exchange(Linger, false) || Relied()) {
      ++Handshakes;
      for (uint64_t More = Dice.below(8) + 1; More; --More)
        step();
    }
  }
  if (Out)
    std::memcpy(Out, Bytes, Length);
  if (Downgrade && Tags.To == TEMPEST_INVALID)
    std::fill_n(M->Words + offsetOf(A) / 4, Length / 4, GRAUPEL_DSM_SENTINEL);
}

// --- Messages ---------------------------------------------------------------

void Simulation::send(const tempest_message &Message) {
  if (size_t(Message.destination) >= Nodes.size())
    fail("a message to node %d, which does not exist", Message.destination);
  size_t Index = size_t(Here) * Nodes.size() + size_t(Message.destination);
  // The payload first: while a block is downgraded, other nodes send.
  std::vector<char> Payload(Message.length);
  if (Message.kind == 'F')
    std::memcpy(Payload.data(), Handled->Payload.data(), Message.length);
  else if (Message.kind == 'B')
    change(uintptr_t(Message.payload), Message.length,
           tempest_change(Message.change), Payload.data(), nullptr);
  Channel &C = Channels[Index];
  if (C.Count == C.Ring.size())
    fail("messages pile up");
  Packet &P = C.Ring[(C.Head + C.Count++) % C.Ring.size()];
  P.Handler = Message.handler;
  P.Words = Message.words;
  std::copy_n(Message.word, TEMPEST_MAX_WORDS, P.Word);
  P.Payload.swap(Payload);
  NonEmpty |= uint64_t(1) << Index;
  if (Message.destination == Here)
    return;
  ++(Message.length ? Data : Control);
  MostInFlight = std::max(MostInFlight, unsigned(C.Count));
  if (C.Count > Nodes.size() * size_t(Options.Threads) * Options.AtATime)
    fail("%zu messages are under way to node %d, more than the job's threads "
         "wait for",
         C.Count, Message.destination);
}

void Simulation::runHandler(int Node, const std::function<void()> &F) {
  int Before = Here;
  Here = Node;
  current().InHandler = true;
  F();
  Here = Node;
  current().InHandler = false;
  Here = Before;
}

void Simulation::deliver(unsigned Source, unsigned Destination) {
  size_t Index = Source * Nodes.size() + Destination;
  Channel &C = Channels[Index];
  Packet P = std::move(C.Ring[C.Head]);
  C.Head = (C.Head + 1) % C.Ring.size();
  if (!--C.Count)
    NonEmpty &= ~(uint64_t(1) << Index);
  const Packet *Outer = Handled;
  unsigned OuterWord = NextWord;
  Handled = &P;
  NextWord = 0;
  runHandler(int(Destination), [&] {
    current().Messages[P.Handler](int(Source),
                                  int(P.Words * 8 + P.Payload.size()));
  });
  Handled = Outer;
  NextWord = OuterWord;
}

bool Simulation::tryMessage() {
  uint64_t Candidates = NonEmpty;
  if (uint64_t Fast = Candidates & ~Slow; Fast && !Dice.oneIn(32))
    Candidates = Fast;
  if (!Candidates)
    return false;
  unsigned Turn = unsigned(Dice.below(64));
  unsigned Index =
      (unsigned(std::countr_zero(std::rotr(Candidates, int(Turn)))) + Turn) %
      64;
  unsigned Source = Index / unsigned(Nodes.size()),
           Destination = Index % unsigned(Nodes.size());
  if (Nodes[Destination].InHandler)
    return false;
  deliver(Source, Destination);
  return true;
}

// --- The scheduler ----------------------------------------------------------

bool Simulation::anything() {
  for (int I = 0; I < Options.Nodes; ++I) {
    Node &N = Nodes[size_t(I)];
    if (N.ReleasePending && !N.InHandler) {
      N.ReleasePending = false;
      if (N.Release)
        runHandler(I, N.Release);
      return true;
    }
    for (int T = 0; T < Options.Threads; ++T)
      if (tryThread(I, T))
        return true;
  }
  for (unsigned Turn = 0; Turn < 64 && NonEmpty; ++Turn)
    if (tryMessage())
      return true;
  return Running && Done < Wanted && Options.PhaseLength && stepPhase();
}

/// One random step. False if there is nothing to do.
bool Simulation::step() {
  ++Steps;
  if (Steps % 1024 == 0) {
    Slow = Dice.below(UINT64_MAX) & Dice.below(UINT64_MAX);
    if (Options.PhaseLength)
      stepPhase();
  }
  if (Dice.below(256) < MessageShare) {
    if (tryMessage())
      return true;
  } else {
    int N = int(Dice.below(Nodes.size()));
    if (Nodes[size_t(N)].ReleasePending && !Nodes[size_t(N)].InHandler &&
        Dice.oneIn(2)) {
      Nodes[size_t(N)].ReleasePending = false;
      runHandler(N, Nodes[size_t(N)].Release);
      return true;
    }
    if (tryThread(N, int(Dice.below(size_t(Options.Threads)))))
      return true;
  }
  return anything();
}

/// All that is under way, until nothing is. Nothing to do while a thread waits
/// is a deadlock.
void Simulation::settle() {
  while (step())
    ;
  for (int I = 0; I < Options.Nodes; ++I)
    for (Thread &T : Nodes[size_t(I)].Threads)
      if (T.State != ThreadState::Idle)
        fail("deadlock: node %d waits for %#zx", I,
             size_t(unfinished(T).Address));
}

void Simulation::run(uint64_t Count) {
  Running = true;
  Wanted = Done + Count;
  PhaseEnd = Done + Options.PhaseLength;
  settle();
  Running = false;
}

/// All threads come to a stop; then each node gets to know at its own time, and
/// goes on at once.
bool Simulation::stepPhase() {
  if (Done < PhaseEnd)
    return false;
  Changing = true;
  for (Node &N : Nodes) {
    if (N.Parallel != Parallel)
      return false;
    for (Thread &T : N.Threads)
      if (T.State != ThreadState::Idle)
        return false;
  }
  Changing = false;
  Parallel = !Parallel;
  PhaseEnd = Done + Options.PhaseLength;
  return true;
}

/// What gdsm_parallel does before it runs the function, or after.
bool Simulation::enterPhase(int Index) {
  Node &N = Nodes[size_t(Index)];
  if (N.Parallel == Parallel || N.InHandler)
    return false;
  N.Parallel = Parallel;
  runHandler(Index, Parallel ? ParallelBegins : ParallelEnds);
  return true;
}

void Simulation::setParallel(bool Now) {
  Parallel = Now;
  for (int I = 0; I < Options.Nodes; ++I)
    enterPhase(I);
}

void Simulation::begin(int Node, uintptr_t Address, bool Store, int Index) {
  Thread &T = Nodes[size_t(Node)].Threads[size_t(Index)];
  T = {};
  T.Count = 1;
  T.Since = Steps;
  T.Items[0] = {Address, Store};
  T.State = ThreadState::Acquiring;
}

} // namespace graupel::test

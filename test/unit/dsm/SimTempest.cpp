//===- unit/dsm/SimTempest.cpp - Tempest with all nodes in one process ----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTempest.h"
#include "graupel/dsm.h"
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

Simulation *Sim = nullptr;

/// Steps that one operation may take before it counts as never ending. The
/// longest seen in 10^8 operations of the unbroken protocol are below a tenth.
constexpr uint64_t Patience = 2'000'000;

/// Retries before a thread holds what it gets, as the runtime does.
constexpr unsigned FailuresBeforeHolding = 3;

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

unsigned tagIndex(unsigned Tag) {
  return (Tag & 1) | (Tag & 0x80 ? 2 : 0); // RW, RO, Invalid, Busy
}
bool tagPermits(uint8_t Tag, bool Store) {
  return Store ? Tag == TEMPEST_READ_WRITE : !(Tag & 0x80);
}
/// How much a tag permits.
int rank(uint8_t Tag) { return Tag == 0 ? 2 : Tag & 0x80 ? 0 : 1; }

constexpr unsigned offsetOf(uintptr_t A) { return A % TEMPEST_PAGE_SIZE; }

} // namespace

// --- Nodes, and their memory ------------------------------------------------

Simulation::Simulation(const SimOptions &O, const std::function<void()> &Start,
                       const std::function<void()> &Begins,
                       const std::function<void()> &Ends)
    : Options(O), Dice(O.Seed), ParallelBegins(Begins), ParallelEnds(Ends),
      Nodes(size_t(O.Nodes)), Channels(size_t(O.Nodes) * size_t(O.Nodes)),
      Latest(O.Pages * TEMPEST_PAGE_SIZE / 4) {
  if (Sim || O.Nodes > int(MaxNodes))
    std::abort();
  Sim = this;
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

Simulation::~Simulation() { Sim = nullptr; }

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
  return M.Mapped ? tempest_tag(M.Tags[offsetOf(A) / 32]) : TEMPEST_INVALID;
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

// --- Threads ----------------------------------------------------------------

bool Simulation::permits(Node &N, const Item &I) {
  Memory &M = N.Pages[(I.Address - Base) / TEMPEST_PAGE_SIZE];
  return M.Mapped && !M.Closed &&
         tagPermits(M.Tags[offsetOf(I.Address) / 32], I.Store);
}

bool Simulation::isHeld(const Node &N, uintptr_t Block) {
  for (const Thread &T : N.Threads) {
    if (!T.Holding)
      continue;
    unsigned Got = T.State == ThreadState::Valid ? T.Count : T.Next;
    for (unsigned I = 0; I < T.Count; ++I)
      if (blockOf(T.Items[I].Address) == Block &&
          (I < Got || (I == Got && permits(const_cast<Node &>(N), T.Items[I]))))
        return true;
  }
  return false;
}

bool Simulation::mayGenerate(const Node &N, int Thread) const {
  return Running && Done < Wanted && !Changing && N.Parallel == Parallel &&
         (Parallel || Thread == 0 || !Options.PhaseLength);
}

void Simulation::generate(Node &, Thread &T) {
  T = {};
  T.Since = Steps;
  // Later phases reach pages that nobody has touched.
  unsigned Reach = Options.Pages;
  if (Options.PhaseLength)
    Reach = unsigned(
        std::min<uint64_t>(Options.Pages, 2 + Done / Options.PhaseLength));
  auto RandomItem = [&]() -> Item {
    uintptr_t Page = Dice.below(Reach), Word = Dice.below(Options.WordsPerPage);
    // Spread over the page's blocks, two words each at most.
    uintptr_t Offset =
        (Word / 2 * Options.Block + Word % 2 * 4) % TEMPEST_PAGE_SIZE;
    return {Base + Page * TEMPEST_PAGE_SIZE + Offset, Dice.oneIn(3)};
  };
  T.Items[0] = RandomItem();
  if (Dice.oneIn(16)) {
    // A range: a word of each of so many blocks.
    T.Count = uint8_t(2 + Dice.below(MaxItems - 1));
    bool Store = Dice.oneIn(3), Mixed = Dice.oneIn(4);
    for (unsigned I = 0; I < T.Count; ++I)
      T.Items[I] = {Base + (T.Items[0].Address - Base + I * Options.Block) %
                               (Reach * TEMPEST_PAGE_SIZE),
                    Mixed ? Dice.oneIn(3) : Store};
  } else {
    T.Count = uint8_t(Dice.oneIn(4) ? 2 + Dice.below(3) : 1);
    for (unsigned I = 1; I < T.Count; ++I)
      T.Items[I] = RandomItem();
  }
  T.State = ThreadState::Acquiring;
}

/// Ascending blocks, each with the strongest access that the thread wants.
void Simulation::enterHolding(Thread &T) {
  ++Holds;
  T.Holding = true;
  std::sort(T.Items, T.Items + T.Count, [&](const Item &A, const Item &B) {
    uintptr_t X = blockOf(A.Address), Y = blockOf(B.Address);
    return X != Y ? X < Y : A.Store > B.Store;
  });
}

/// A step of a thread that acquires its set; false if it can only wait.
bool Simulation::acquire(int Index, Thread &T) {
  Node &N = current();
  bool DidSomething = false;
  if (settleFaults(Index, T, DidSomething))
    return DidSomething;
  if (T.Out < (T.Holding ? 1u : Options.AtATime) && lookFurther(N, T))
    return true;
  if (T.Out) {
    // The runtime may tell of a fault twice.
    if (!Running || !NonEmpty || !Dice.oneIn(64))
      return false;
    unsigned I = unsigned(Dice.below(T.Count));
    if (T.Items[I].Fault != Item::Waiting)
      return false;
    ++Spurious;
    T.Items[I].Fault = Item::Faulted;
    return true;
  }
  // All has been there, but maybe not at the same time.
  T.Next = 0;
  if (std::all_of(T.Items, T.Items + T.Count,
                  [&](const Item &I) { return permits(N, I); }))
    T.State = ThreadState::Valid;
  else if (++T.Failures > FailuresBeforeHolding)
    enterHolding(T);
  return true;
}

/// What has been asked for comes first. Returns whether that was the step.
bool Simulation::settleFaults(int Index, Thread &T, bool &DidSomething) {
  for (unsigned I = 0; I < T.Count; ++I) {
    if (T.Items[I].Fault != Item::Resumed)
      continue;
    --T.Out;
    T.Items[I].Fault = Item::NotAsked;
    if (!permits(current(), T.Items[I]))
      refuse(T, I);
  }
  for (unsigned I = 0; I < T.Count; ++I) {
    if (T.Items[I].Fault != Item::Faulted)
      continue;
    DidSomething = !current().InHandler;
    if (DidSomething)
      dispatchFault(Index, T, I);
    return true;
  }
  return false;
}

/// To the next item that is refused, if there is one.
bool Simulation::lookFurther(Node &N, Thread &T) {
  while (T.Next < T.Count && (T.Items[T.Next].Fault != Item::NotAsked ||
                              permits(N, T.Items[T.Next])))
    ++T.Next;
  if (T.Next == T.Count)
    return false;
  refuse(T, T.Next);
  if (!T.Holding)
    ++T.Next;
  return true;
}

void Simulation::refuse(Thread &T, unsigned Index) {
  Item &I = T.Items[Index];
  Memory *M = page(I.Address);
  I.FaultTag =
      M->Mapped ? M->Tags[offsetOf(I.Address) / 32] : uint8_t(TEMPEST_INVALID);
  I.Fault = Item::Faulted;
  MostAtATime = std::max(MostAtATime, unsigned(++T.Out));
}

void Simulation::dispatchFault(int Node, Thread &T, unsigned Index) {
  ++Faults;
  T.Items[Index].Fault = Item::Waiting;
  Item I = T.Items[Index];
  runHandler(Node, [&] {
    struct Node &N = current();
    Memory *M = page(I.Address);
    void *Address = reinterpret_cast<void *>(I.Address);
    if (!M->Mapped || M->Closed)
      return N.PageFault(Address, 0, I.Store);
    // The runtime may tell of the tag of the fault or of the one of now.
    uint8_t Tag =
        Dice.oneIn(2) ? I.FaultTag : M->Tags[offsetOf(I.Address) / 32];
    auto Handler = N.Faults[M->Info.mode][tagIndex(Tag)][I.Store];
    if (!Handler)
      fail("no handler for mode %d, tag %#x", M->Info.mode, Tag);
    Handler(Address, M->Info.user_pointer, M->Info.home);
  });
}

/// An item that keeps its thread from going on.
const Simulation::Item &Simulation::unfinished(const Thread &T) const {
  for (unsigned I = 0; I < T.Count; ++I)
    if (T.Items[I].Fault != Item::NotAsked)
      return T.Items[I];
  return T.Items[T.Next % MaxItems];
}

void Simulation::checkAccess(int Node, const Item &I) {
  for (int Other = 0; Other < Options.Nodes; ++Other) {
    if (Other == Node)
      continue;
    tempest_tag Tag = tagAt(Other, I.Address);
    if (Tag == TEMPEST_READ_WRITE || (I.Store && Tag == TEMPEST_READ_ONLY))
      fail("node %d %s %#zx, and node %d has tag %#x for it", Node,
           I.Store ? "stores to" : "loads", size_t(I.Address), Other, Tag);
  }
}

/// One access of those that are valid; the last one polls.
void Simulation::accessItems(int Node, Thread &T) {
  Item I = T.Items[T.Next];
  uint32_t &Word = page(I.Address)->Words[offsetOf(I.Address) / 4];
  checkAccess(Node, I);
  if (I.Store)
    latest(I.Address) = Word = NextValue++;
  else if (Word != latest(I.Address))
    fail("node %d loads %#x from %#zx, where %#x was stored last", Node, Word,
         size_t(I.Address), latest(I.Address));
  if (++T.Next == T.Count)
    finish(current(), T);
}

void Simulation::finish(Node &N, Thread &T) {
  if (T.Holding)
    N.ReleasePending = true;
  T.State = ThreadState::Idle;
  T.Holding = false;
  ++Done;
}

void Simulation::resume(uintptr_t A, size_t Length) {
  for (Thread &T : current().Threads)
    for (unsigned I = 0; I < T.Count; ++I)
      if (T.Items[I].Fault == Item::Waiting &&
          T.Items[I].Address - A < Length) {
        T.Items[I].Fault = Item::Resumed;
        ++Retries;
      }
}

bool Simulation::tryThread(int Index, int ThreadIndex) {
  int Before = std::exchange(Here, Index);
  Node &N = current();
  Thread &T = N.Threads[size_t(ThreadIndex)];
  bool DidSomething = true;
  if (T.State != ThreadState::Idle && Steps - T.Since > Patience)
    fail("an operation does not end: %s %#zx, state %d",
         unfinished(T).Store ? "store to" : "load of",
         size_t(unfinished(T).Address), int(T.State));
  switch (T.State) {
  case ThreadState::Idle:
    if (mayGenerate(N, ThreadIndex))
      generate(N, T);
    else
      DidSomething = enterPhase(Index);
    break;
  case ThreadState::Acquiring:
    DidSomething = acquire(Index, T);
    break;
  case ThreadState::Valid:
    accessItems(Index, T);
    break;
  }
  Here = Before;
  return DidSomething;
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

// --- tempest.h --------------------------------------------------------------

using namespace graupel::test;

int tempest_node(void) { return Sim->Here; }
int tempest_nodes(void) { return Sim->Options.Nodes; }
void **tempest_protocol_data(void) { return &Sim->current().ProtocolData; }

void tempest_fatal(const char *Format, ...) {
  char Text[512];
  va_list Arguments;
  va_start(Arguments, Format);
  std::vsnprintf(Text, sizeof(Text), Format, Arguments);
  va_end(Arguments);
  Sim->fail("the protocol gives up: %s", Text);
}

int tempest_get_allocation(const void *A, tempest_allocation *Allocation) {
  if (!Sim->page(uintptr_t(A)))
    return 0;
  size_t Page = (uintptr_t(A) - Simulation::Base) / TEMPEST_PAGE_SIZE;
  *Allocation = {Sim->Options.Block,
                 Sim->Options.Homes[Page % Sim->Options.Homes.size()]};
  return 1;
}

void tempest_register_page_fault_handler(tempest_page_fault_handler Handler) {
  Sim->current().PageFault = Handler;
}

int tempest_alloc_and_map(void *Page, int Mode, tempest_tag Tag, int Home,
                          void *UserPointer) {
  Simulation::Memory *M = Sim->page(uintptr_t(Page));
  if (!M || M->Mapped || uintptr_t(Page) % TEMPEST_PAGE_SIZE)
    return 0;
  M->Mapped = true;
  M->Closed = false;
  M->Info = {Mode, Home, UserPointer};
  std::fill(std::begin(M->Tags), std::end(M->Tags), uint8_t(Tag));
  std::fill(std::begin(M->Words), std::end(M->Words),
            Tag & 0x80 ? GRAUPEL_DSM_SENTINEL : 0);
  return 1;
}

int tempest_get_page_info(const void *A, tempest_page_info *Info) {
  Simulation::Memory *M = Sim->page(uintptr_t(A));
  if (!M)
    return -1;
  if (M->Mapped)
    *Info = M->Info;
  return M->Mapped;
}

int tempest_set_page_info(void *A, const tempest_page_info *Info) {
  Simulation::Memory *M = Sim->page(uintptr_t(A));
  if (!M || !M->Mapped)
    return 0;
  M->Info = *Info;
  return 1;
}

int tempest_get_page_protection(const void *A) {
  Simulation::Memory *M = Sim->page(uintptr_t(A));
  if (!M || !M->Mapped)
    return -1;
  return M->Closed ? TEMPEST_PAGE_INVALID : TEMPEST_PAGE_READ_WRITE;
}

int tempest_set_page_protection(void *A, tempest_page_protection Protection) {
  Simulation::Memory *M = Sim->page(uintptr_t(A));
  if (!M || !M->Mapped)
    return -1;
  M->Closed = Protection == TEMPEST_PAGE_INVALID;
  return 1;
}

tempest_tag tempest_get_tag(const void *A) {
  return Sim->tagAt(Sim->Here, uintptr_t(A));
}

void tempest_change_blocks(void *A, size_t Length, tempest_change C) {
  Sim->change(uintptr_t(A), Length, C, nullptr, nullptr);
}
void tempest_change_blocks_and_get(void *A, size_t Length, tempest_change C,
                                   void *Buffer) {
  Sim->change(uintptr_t(A), Length, C, Buffer, nullptr);
}
void tempest_change_blocks_and_put(void *A, size_t Length, tempest_change C,
                                   const void *Buffer) {
  Sim->change(uintptr_t(A), Length, C, nullptr, Buffer);
}

void tempest_register_block_fault_handler(int Mode, tempest_tag Tag,
                                          tempest_access Access,
                                          tempest_block_fault_handler Handler) {
  Sim->current().Faults[Mode][tagIndex(Tag)][Access] = Handler;
}

int tempest_is_held(const void *Block) {
  return Sim->isHeld(Sim->current(), uintptr_t(Block));
}
void tempest_register_release_handler(tempest_release_handler Handler) {
  Sim->current().Release = Handler;
}

unsigned tempest_register_message_handler(const char *,
                                          tempest_message_handler Handler) {
  Sim->current().Messages.push_back(Handler);
  return unsigned(Sim->current().Messages.size() - 1);
}

void tempest_begin(tempest_message *M, int Destination, unsigned Handler) {
  *M = {};
  M->destination = Destination;
  M->handler = uint16_t(Handler);
}
void tempest_put_word(tempest_message *M, uint64_t Word) {
  M->word[M->words++] = Word;
}
void tempest_put_blocks(tempest_message *M, void *A, size_t Length,
                        tempest_change Change) {
  M->kind = 'B';
  M->payload = A;
  M->length = uint32_t(Length);
  M->change = uint8_t(Change);
}
void tempest_put_forward(tempest_message *M, size_t Length) {
  if (!Sim->Handled || Sim->Handled->Payload.size() < Length)
    Sim->fail("forwards more than has arrived");
  M->kind = 'F';
  M->length = uint32_t(Length);
}
void tempest_send(tempest_message *M) { Sim->send(*M); }

uint64_t tempest_get_word(void) {
  if (Sim->NextWord == Sim->Handled->Words)
    Sim->fail("a handler reads more words than were sent");
  return Sim->Handled->Word[Sim->NextWord++];
}
void tempest_get_blocks(void *A, size_t Length, tempest_change Change) {
  if (Sim->Handled->Payload.size() != Length)
    Sim->fail("a handler reads %zu bytes where %zu were sent", Length,
              Sim->Handled->Payload.size());
  Sim->change(uintptr_t(A), Length, Change, nullptr,
              Sim->Handled->Payload.data());
}

void tempest_resume(const void *A, size_t Length) {
  Sim->resume(uintptr_t(A), Length);
}

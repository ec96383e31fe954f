//===- Start.cpp - The beginning and the end of a node ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constructor of the shared library, so that tags exist before any code of
// the program runs, and the whole job before main:
//
//   0. Addresses that are not random, by another exec if need be.
//   1. Tags, GS, vector state: all that checked private accesses need. Programs
//      whose C++ library has checks do this before all constructors.
//   2. The other nodes; they have the same files at the same addresses; the
//      address of the shared region, which suits all.
//   3. Transport; this node's control page at gs:[0].
//   4. Message handlers of the runtime and the protocol, the same on all nodes.
//   5. The main thread joins, others are started.
//
// exit() waits for all nodes, serving them meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Foreign/Fetches.h"
#include "Foreign/List.h"
#include "Foreign/LostStores.h"
#include "Foreign/Missed.h"
#include "Foreign/OwnNames.h"
#include "Foreign/Wild.h"
#include "Node/Alone.h"
#include "Node/FixedAddresses.h"
#include "Node/Globals.h"
#include "Node/Images.h"
#include "Node/Node.h"
#include "Node/Place.h"
#include "Node/Process.h"
#include "Reporting.h"
#include "Stache/Stache.h"
#include "Sync/Sync.h"
#include "Tempest/Tempest.h"
#include "Trace/Trace.h"
#include "Watch.h"
#include "graupel/dsm.h"
#include "graupel/dsm_checks.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace graupel::dsm {

Node *TheNode = nullptr;

namespace {

bool Forked = false;
std::atomic<bool> WatchesExit{false};
int ExitStatus = -1; // -1: unknown.
pthread_key_t ThreadEnds;
/// Number of times that the calling thread has ended. It comes back if a
/// destructor of a pthread key uses shared memory; the last round of them is
/// final.
__thread int TimesEnded = 0;

/// A number from the environment, which the launcher sets.
long fromEnvironment(const char *Name, long Default, long Least, long Most) {
  const char *Text = getenv(Name);
  if (!Text)
    return Default;
  char *End;
  long Value = strtol(Text, &End, 10);
  if (!*Text || *End || Value < Least || Value > Most)
    fail("%s is '%s'; it must be a number from %ld to %ld", Name, Text, Least,
         Most);
  return Value;
}

void prepareChecks(Node &N) {
  N.Tags.reserve();
  N.Strangers.reserve();
  N.Tags.install();
  Look.Tags = N.Tags;
  Look.ProtocolLocked = N.Dispatch.lockWord();
  chooseVectorMethod();
}

/// Nodes whose threads or blocks differ would wait for each other for ever, or
/// misread each other's messages.
void compareSettings(const Node &N) {
  std::string Own = std::to_string(N.ThreadsPerNode) +
                    " threads and blocks of " + std::to_string(N.DefaultBlock) +
                    " bytes";
  auto Answers = N.Boot->exchange(Own);
  for (int I = 0; I != N.Count; ++I)
    if (Answers[I] != Own)
      fail("node %d has %s, node %d has %s; start all nodes with the same "
           "GRAUPEL_DSM_THREADS and GRAUPEL_DSM_BLOCK",
           N.Number, Own.c_str(), I, Answers[I].c_str());
}

/// The first address that is free on all nodes; these share the same globals.
void agreeOnRegion(Node &N) {
  std::string All(Region::Candidates, '1'), Globals = fingerprintOfGlobals();
  auto Answers = N.Boot->exchange(Region::fits() + Globals);
  for (int Other = 0; Other != N.Count; ++Other) {
    const std::string &Answer = Answers[Other];
    for (unsigned I = 0; I != All.size(); ++I)
      if (I >= Answer.size() || Answer[I] != '1')
        All[I] = '0';
    if (Answer.substr(std::min(Answer.size(), All.size())) != Globals)
      fail("shared globals (GDSM_GLOBAL) have other addresses or sizes on node "
           "%d; start the same program everywhere, and without random "
           "addresses",
           Other);
  }
  size_t Chosen = All.find('1');
  if (Chosen == std::string::npos)
    fail("no address range of %zu GiB is free on all nodes; allow each process "
         "as many addresses (`ulimit -v unlimited`)",
         RegionBytes >> 30);
  N.Shared.reserve(static_cast<unsigned>(Chosen), N.Tags, N.Strangers,
                   N.Count > 1);
  N.Access.attach(N.Tags, N.Shared);
  N.Shared.openGlobals(runsOfGlobals(), N.DefaultBlock, GDSM_HOME_ROUND_ROBIN);
  Look.Shared = N.Shared.addresses();
}

void connect(Node &N) {
  if (N.Count > 1)
    N.Wire = Transport::open(*N.Boot, N.ThreadsPerNode *
                                          static_cast<int>(N.FaultsAtATime));
  else
    N.Wire = std::make_unique<Alone>(
        *reinterpret_cast<ControlPage *>(N.Tags.base()));
  uint64_t Offset;
  int File = N.Wire->controlFile(Offset);
  if (File >= 0 && mmap(N.Tags.base(), PageBytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED, File,
                        static_cast<off_t>(Offset)) == MAP_FAILED)
    fail("cannot map this node's control page: %s", strerror(errno));
}

void startProtocol(Node &N) {
  registerAllocationHandlers(N);
  registerBarrierHandlers(N);
  registerLockHandlers(N);
  registerDeadlockHandlers(N);
  registerSemaphoreHandlers(N);
  registerConditionHandlers(N);
  registerStandstillHandlers(N);
  registerCounterHandlers(N);
  registerReduceHandlers(N);
  registerBroadcastHandlers(N);
  registerCollectiveHandlers(N);
  registerFetchHandlers(N);
  N.Dispatch.handle(graupel_dsm_stache_start);
  // Handlers are numbers in messages; a different library would misread them.
  std::string Own =
      std::string(GRAUPEL_DSM_VERSION "\n") + registeredHandlers();
  auto Answers = N.Boot->exchange(Own);
  for (int I = 0; I != N.Count; ++I)
    if (Answers[I] != Own)
      fail("node %d runs another version of Graupel or another protocol; start "
           "the same program with the same libraries everywhere",
           I);
}

void endThread(void *Record) {
  if (!TheNode)
    return; // In a forked child.
  Node &N = *TheNode;
  auto *T = static_cast<ThreadRecord *>(Record);
  if (inParallel() && T->Number >= 0)
    fail(
        "a thread ended inside of gdsm_parallel, by pthread_exit or because it "
        "was cancelled; its function has to return");
  // Unless it was cancelled where it was away.
  if (T->state() & 1)
    T->goOffline();
  N.Dispatch.abandon();
  bool IsMain = T->Number == 0;
  // When the node has finished, nobody asks what its threads have, and who waits
  // for this one may be the last to run.
  if (N.Dispatch.lockUnlessClosed()) {
    abandonLocks(N);
    N.Team.leave(T);
    // Destructors of the program's follow. No handshake waits for this thread.
    N.Strangers.install();
    N.Dispatch.unlock();
  }
  ++TimesEnded;
  endThreadOfProcess(IsMain);
}

/// Between fork and exec a child may run checked code on private memory, no
/// more.
void inForkedChild() {
  Forked = true;
  trace::forked();
  TheNode = nullptr;
  JobToFail = nullptr;
  SelfLook = nullptr;
  // Nobody polls in the child, nor takes the parent's flag from it.
  mmap(Look.Tags.base(), PageBytes, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void finish() {
  if (!TheNode)
    return;
  Node &N = *TheNode;
  Away Here(N);
  // Or it would want back what it has got by gdsm_fetch.
  Here.thread().PinCount = 0;
  endTogether(N, ExitStatus);
  listMissed();
  trace::finish();
  stopWatching();
  N.Dispatch.lock();
  N.Dispatch.dismissHelper();
  N.Dispatch.close();
  if (N.Count > 1 && !checksMissed())
    refuseLostStores();
  // Nobody waits for anything any more; the lock is never given back.
  N.Wire.reset();
  N.Boot->finish();
}

/// The node that graupel_dsm_prepare_checks has made.
Node *Prepared = nullptr;

__attribute__((constructor)) void start() {
  fixAddresses();
  beginRuntimesThreads();
  graupel_dsm_prepare_checks();
  listCallsIfAsked();
  refuseUncheckedOwnNames();
  Node *N = Prepared;
  TheNode = N;
  trace::prepare();
  N->ThreadsPerNode =
      static_cast<int>(fromEnvironment("GRAUPEL_DSM_THREADS", 1, 1, 256));
  N->DefaultBlock = static_cast<uint32_t>(
      fromEnvironment("GRAUPEL_DSM_BLOCK", 128, GranuleBytes, PageBytes));
  if (N->DefaultBlock & (N->DefaultBlock - 1))
    fail("GRAUPEL_DSM_BLOCK is '%u'; it must be a power of two from %zu to %zu",
         N->DefaultBlock, GranuleBytes, PageBytes);

  Images Loaded; // By the loader, so far.
  if (isOneOfSeveral())
    Loaded = Images::collect();
  N->Boot = Bootstrap::open();
  JobToFail = N->Boot.get();
  N->Number = N->Boot->node();
  N->Count = N->Boot->nodes();
  compareSettings(*N);
  compareImages(*N->Boot, Loaded);
  Place Where = findPlace(*N->Boot, N->ThreadsPerNode);
  N->StartTime = Where.StartTime;
  startCheckingMissed(*N);
  refuseUncheckedThreads();
  if (N->Count > 1 && N->Number == 0 && !checksMissed())
    noteUncheckedFunctions();
  collectGlobals();
  agreeOnRegion(*N);
  N->FaultsAtATime = Transport::requestsPerThread(N->Count, N->ThreadsPerNode,
                                                  TEMPEST_MAX_FAULTS);
  connect(*N);
  // The page that code with checks sees stays when the node has finished.
  N->Others.attach(reinterpret_cast<ControlPage *>(N->Tags.base())->Rest,
                   Where.Oversubscribed);
  N->Dispatch.attach(*N->Wire, N->Team, N->Number, N->Others);
  N->Team.attach(N->Wire->control(), N->Others);
  N->Refused.attach(N->Tags, N->Shared, N->Team, N->Dispatch, N->FaultsAtATime);
  startReport(*N);
  startProtocol(*N);

  catchWildAccesses();
  pthread_key_create(&ThreadEnds, endThread);
  thisThread(*N).Number = 0;
  startPool(*N);
  if (N->Count > 1)
    startThread(
        [](void *Helped) -> void * {
          static_cast<Node *>(Helped)->Dispatch.help();
          return nullptr;
        },
        N);
  // A single thread, too, may wait for what nobody does.
  startWatching(*N, fromEnvironment("GRAUPEL_DSM_HANG", 60, 0, 1000000));
  beginProgramsThreads();
  pthread_atfork(nullptr, nullptr, inForkedChild);
  atexit(finish);
}

} // namespace

Node &nodeFor(const char *Caller) {
  if (TheNode) [[likely]] {
    // finish() ends with the library, which is before those of UCX; this has to
    // be told later than before main to come first.
    if (!WatchesExit.load(std::memory_order_relaxed) &&
        !WatchesExit.exchange(true)) [[unlikely]]
      on_exit([](int Status, void *) { ExitStatus = Status & 255; }, nullptr);
    return *TheNode;
  }
  fail(Forked ? "%s in a process that a node has forked; fork is supported for "
                "exec and for what needs no shared memory"
              : "%s before shared memory is there; the program's libraries "
                "must be loaded after Graupel's",
       Caller);
}

ThreadRecord &thisThread(Node &N) {
  if (ThreadRecord *T = self()) [[likely]]
    return *T;
  if (TimesEnded == PTHREAD_DESTRUCTOR_ITERATIONS)
    fail("a destructor of a pthread key uses shared memory for the %dth time; "
         "its thread ends, and cannot be waited for any more",
         TimesEnded);
  Locked Lock(N.Dispatch);
  ThreadRecord *T = N.Team.join();
  pthread_setspecific(ThreadEnds, T);
  N.Tags.install();
  return *T;
}

} // namespace graupel::dsm

void graupel_dsm_prepare_checks() {
  using namespace graupel::dsm;
  if (Prepared)
    return;
  Prepared = new Node;
  prepareChecks(*Prepared);
}

//===- stride/Process.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows a recorded process from its first table to its end.
//
// 1. load reads the options. graupel_stride_register takes a module's tables,
//    and start makes the record for all of them.
// 2. Threads arrive with their first drain (enterThread). Later
//    graupelStrideDrain counts what is in the thread's buffer, and
//    graupelStrideBegin begins a burst.
// 3. enterBlock and leaveBlock tell the heap map of blocks. A block where
//    another object was is noted in the buffer if the thread is alone;
//    otherwise the buffer is drained first.
// 4. endThread drains a thread's buffer after the program's own destructors.
// 5. Before a fork the thread's buffer is drained and all locks are taken. The
//    child forgets the parent's record and threads, and begins a record of its
//    own.
// 6. endRecord, at the end or before an exec, drains all threads' buffers,
//    finishes the readers and caches, and closes the record. resumeRecord opens
//    it again if the exec fails.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "Callers.h"
#include "HeapMap.h"
#include "Modules.h"
#include "RecordPath.h"
#include <cerrno>
#include <cpuid.h>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

using namespace graupel::stride;

extern "C" {
__thread char *graupel_stride_cursor
    __attribute__((tls_model("initial-exec"), visibility("default"))) =
        reinterpret_cast<char *>(GRAUPEL_STRIDE_FULL);
__thread int64_t graupel_stride_budget
    __attribute__((tls_model("initial-exec"), visibility("default"))) =
        Thread::NoBudget;
uint64_t graupelStrideSaveBytes;
}

namespace {

enum class State { Nothing, Recording, Over };

/// The state of this process. Not destroyed: threads may outlive main.
struct Process {
  Recording R;
  std::atomic<State> Now{State::Nothing};
  Lock Starting, ThreadList;
  Thread *Threads = nullptr;
  uint32_t ThreadCount = 0;
  pthread_key_t EndOfThread;
  uint64_t StartTime = 0;
  bool Forked = false;
  /// There may be several threads.
  std::atomic<bool> Threaded{false};
};

alignas(Process) char Space[sizeof(Process)];
Process &P = *reinterpret_cast<Process *>(Space);

__thread Thread *Own __attribute__((tls_model("initial-exec")));
__thread unsigned Depth __attribute__((tls_model("initial-exec")));
/// A buffer for records that belong to no thread.
alignas(2 * GRAUPEL_STRIDE_GAP) char Nowhere[2 * GRAUPEL_STRIDE_GAP];

char *const Unknown = reinterpret_cast<char *>(GRAUPEL_STRIDE_FULL);

} // namespace

namespace graupel::stride {

Inside::Inside() { ++Depth; }
Inside::~Inside() { --Depth; }
bool Inside::here() { return Depth != 0; }

bool isRecording() {
  return P.Now.load(std::memory_order_relaxed) == State::Recording;
}

bool isOver() { return P.Now.load(std::memory_order_relaxed) == State::Over; }

/// If so, nothing that this thread has written will be read.
static bool isBetweenBursts() {
  return reinterpret_cast<uint64_t>(graupel_stride_cursor) & GRAUPEL_STRIDE_GAP;
}

void drainOwn() {
  if (!Own || graupel_stride_cursor == Unknown || !isRecording())
    return;
  Inside I;
  int Error = errno;
  Own->drain(graupel_stride_cursor);
  Own->resume(false);
  errno = Error;
}

// With several threads a block noted by one would come too late for the others.
static Thread *alone() {
  bool IsAlone = Own && graupel_stride_cursor != Unknown && isRecording() &&
                 P.ThreadCount == 1 && !P.Threaded;
  return IsAlone ? Own : nullptr;
}

void enterBlock(uint64_t Address, uint64_t Bytes, Object *Obj) {
  if (isBetweenBursts())
    return heap::insert(Address, Bytes, Obj);
  Thread *T = alone();
  if (!(T && T->isNoted(Address, Bytes)) &&
      !heap::wasOthers(Address, Bytes, Obj))
    return heap::insert(Address, Bytes, Obj);
  if (T && T->noteBlock(Address, Bytes, Obj))
    return;
  drainOwn();
  heap::insert(Address, Bytes, Obj);
}

void leaveBlock(uint64_t Address) {
  Place Large = heap::find((Address + heap::Page - 1) & -heap::Page);
  if (Large.Begin != Address || !Large.Bytes)
    return;
  Thread *T = alone();
  if (T && T->noteBlock(Address, Large.Bytes, nullptr))
    return;
  if (!isBetweenBursts())
    drainOwn();
  heap::remove(Address);
}

void beforeThread() {
  drainOwn();
  P.Threaded = true;
}

/// Not in the child of a vfork, which has its parent's memory.
static bool isOwn() {
  return isRecording() &&
         P.R.File.header().Process == static_cast<uint32_t>(getpid());
}

void endRecord(RecordState NewState) {
  if (!isOwn())
    return;
  Inside I;
  {
    // Other threads still run: drains their records up to their last calls.
    Guard G(P.ThreadList);
    for (Thread *T = P.Threads; T; T = T->Next)
      if (!T->Ended && *T->Cursor != Unknown) {
        T->drain(*T->Cursor);
        if (T == Own)
          T->resume(false);
      }
  }
  if (NewState == RecordState::Ended)
    P.Now = State::Over;
  for (unsigned N = 0; N < P.R.Readers.Count; ++N)
    P.R.Readers.List[N]->finish();
  if (P.R.Simulation)
    P.R.Simulation->finish();
  P.R.File.end(NewState, nanoseconds() - P.StartTime);
}

void resumeRecord() {
  if (isOwn())
    P.R.File.end(RecordState::Running, 0);
}

} // namespace graupel::stride

//===--- The beginning ----------------------------------------------------===//

static bool selectsObject(const Object &Obj) {
  return P.R.Wanted.selectsObject(Obj.Name);
}

static Text headerText(RecordHeader &H, uint32_t &Next, const char *Data,
                       size_t Length) {
  Length = std::min(Length, sizeof(H.Strings) - Next);
  memcpy(H.Strings + Next, Data, Length);
  Text Result{static_cast<uint32_t>(offsetof(RecordHeader, Strings) + Next),
              static_cast<uint32_t>(Length)};
  Next += Length;
  return Result;
}

static void fillHeader(RecordHeader &H) {
  const Options &O = P.R.Wanted;
  H.MaxLag = O.Counts.MaxLag;
  H.PassEqual = O.PassEqual;
  H.Threshold = O.Counts.PassAbove + O.PassEqual;
  H.Process = static_cast<uint32_t>(getpid());
  H.Parent = static_cast<uint32_t>(getppid());
  H.Forked = P.Forked;
  timespec Time;
  clock_gettime(CLOCK_REALTIME, &Time);
  H.StartSeconds = Time.tv_sec;
  H.StartNanoseconds = Time.tv_nsec;
  P.StartTime = nanoseconds();
  uint32_t Next = 0;
  H.Program = headerText(H, Next, programPath(), strlen(programPath()));
  const char *Selection = getenv("GRAUPEL_STRIDE");
  H.Selection = headerText(H, Next, Selection ? Selection : "",
                           Selection ? strlen(Selection) : 0);
  char Line[sizeof(H.Strings)];
  int File = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t Length = File < 0 ? 0 : read(File, Line, sizeof(Line));
  if (File >= 0)
    close(File);
  H.CommandLine = headerText(H, Next, Line, Length < 0 ? 0 : Length);
}

/// Makes the record; all tables that there are so far belong into it.
static void start() {
  Guard G(P.Starting);
  if (P.Now != State::Nothing)
    return;
  if (P.R.Wanted.Off) {
    P.Now = State::Over;
    return;
  }
  char Path[4096];
  findRecordPath(Path, sizeof(Path), programPath(), P.Forked);
  if (!P.R.File.create(Path)) {
    P.Now = State::Over;
    return;
  }
  fillHeader(P.R.File.header());
  P.R.File.begin();
  P.R.Readers = makeConsumers(P.R.File, P.R.Wanted);
  if (P.R.Wanted.Caches.LevelCount)
    P.R.Simulation = make<Caches>(P.R.File, P.R.Wanted.Caches);
  P.Now = State::Recording;
}

extern "C" __attribute__((visibility("default"))) void
graupel_stride_register(const struct graupel_stride_module *M) {
  Inside I;
  int Error = errno;
  addTables(M, P.R.Wanted);
  // Its tables are read as long as the process lives.
  Dl_info Info;
  if (dladdr(M, &Info) && Info.dli_fname)
    dlopen(Info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  start();
  if (isRecording())
    enterTables(P.R.File);
  errno = Error;
}

extern "C" __attribute__((visibility("default"))) void
graupel_stride_parts(const struct graupel_stride_part *List, uint64_t Count) {
  Inside I;
  addParts(List, Count);
}

//===--- Threads ----------------------------------------------------------===//

static void forgetThread() {
  Own = nullptr;
  graupel_stride_cursor = Unknown;
  graupel_stride_budget = Thread::NoBudget;
}

static void endThread(void *Pass) {
  // Destructors of the program's own may still refer to memory: be the last.
  auto Round = reinterpret_cast<uintptr_t>(Pass);
  if (Round < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
    pthread_setspecific(P.EndOfThread, reinterpret_cast<void *>(Round + 1));
    return;
  }
  drainOwn();
  Guard G(P.ThreadList);
  if (Own)
    Own->Ended = true;
  forgetThread();
}

static Thread *enterThread() {
  start();
  if (!isRecording())
    return nullptr;
  enterTables(P.R.File);
  Guard G(P.ThreadList);
  Own = make<Thread>(P.R, P.ThreadCount);
  P.ThreadCount += Bursts::partCount(P.R.Wanted.Bursts);
  Own->Cursor = &graupel_stride_cursor;
  Own->Budget = &graupel_stride_budget;
  Own->Next = P.Threads;
  P.Threads = Own;
  pthread_setspecific(P.EndOfThread, reinterpret_cast<void *>(1));
  return Own;
}

extern "C" char *graupelStrideDrain(char *Cursor) {
  if (Inside::here())
    return Nowhere;
  int Error = errno;
  Inside I;
  if (!Own)
    enterThread();
  else if (isRecording())
    Own->drain(Cursor);
  if (Own && isRecording()) {
    Own->resume(false);
  } else {
    graupel_stride_cursor = Nowhere + GRAUPEL_STRIDE_GAP;
    graupel_stride_budget = INT64_MAX;
  }
  errno = Error;
  return graupel_stride_cursor;
}

extern "C" char *graupelStrideBegin(int64_t Left) {
  // Another function has begun it.
  if (!(reinterpret_cast<uint64_t>(graupel_stride_cursor) & GRAUPEL_STRIDE_GAP))
    return graupel_stride_cursor;
  if (Inside::here())
    return Nowhere;
  int Error = errno;
  Inside I;
  if (Own && isRecording()) {
    graupel_stride_budget = Left;
    Own->drain(graupel_stride_cursor);
    Own->resume(true);
  } else {
    graupel_stride_budget = INT64_MAX;
  }
  errno = Error;
  return graupel_stride_cursor;
}

extern "C" char *graupelStrideLarge(uint64_t Site, uint64_t Address,
                                    uint64_t Bytes) {
  if (!Inside::here() && Own && isRecording()) {
    int Error = errno;
    Inside I;
    Own->countLarge(Site, Address, Bytes);
    errno = Error;
  }
  return graupel_stride_cursor;
}

extern "C" uint64_t graupelStrideFindSaveBytes() {
  unsigned A, B, C, D;
  uint64_t Bytes = 512;
  if (__get_cpuid(1, &A, &B, &C, &D) && C & bit_OSXSAVE &&
      __get_cpuid_count(13, 0, &A, &B, &C, &D))
    Bytes = (B + 63) & ~63u;
  return graupelStrideSaveBytes = Bytes;
}

//===--- Fork, and the end ------------------------------------------------===//

static void lockAll(bool Take) {
  lockTables(Take);
  lockModules(Take);
  lockObjects(Take);
  lockHeapMap(Take);
  P.R.File.lockOverFork(Take);
  lockMemory(Take);
}

static void beforeFork() {
  // The child has the noted blocks, too.
  drainOwn();
  P.Starting.lock();
  P.ThreadList.lock();
  lockAll(true);
}

static void afterFork() {
  lockAll(false);
  P.ThreadList.unlock();
  P.Starting.unlock();
}

// The child has a record of its own, and none of its parent's threads.
static void inChild() {
  afterFork();
  forgetThread();
  P.Threads = nullptr;
  P.ThreadCount = 0;
  P.R.ReadersMutex.forget();
  if (!isRecording())
    return;
  P.Forked = true;
  P.R.File.abandon();
  forgetTables();
  forgetModuleNumbers();
  forgetNumbers();
  P.Now = State::Nothing;
}

__attribute__((constructor(101))) static void load() {
  Inside I;
  new (&P) Process;
  readOptions(P.R.Wanted, getenv("GRAUPEL_STRIDE"));
  setWrappers(P.R.Wanted.Wrappers);
  initObjects(selectsObject);
  pthread_key_create(&P.EndOfThread, endThread);
  pthread_atfork(beforeFork, afterFork, inChild);
}

__attribute__((destructor)) static void unload() {
  endRecord(RecordState::Ended);
}

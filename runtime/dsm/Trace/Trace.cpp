//===- Trace.cpp - Events that the runtime tells the report ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts and ends the report, and hands events to the recorder.
//
// 1. prepare: if GRAUPEL_DSM_REPORT names a folder, make the report and keep
//    SIGINT and SIGTERM for its thread.
// 2. start: make the folder, see that it can be written, note its full path,
//    then switch the hooks on and start the thread (Helper).
// 3. finish writes the file, once, and switches the hooks off. fail lets the
//    thread write it. forked drops the report in a child.
// 4. allocate, leave and arrive hand allocations and single blocks to the
//    recorder.
// 5. SlowPath: misses begins a miss, and got ends it. The time since the last
//    one ended goes to it. done tells of an access that missed nothing: its
//    value was the sentinel, or its data came meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Trace/Trace.h"
#include "Trace/Helper.h"
#include "Trace/NodeFile.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace graupel::dsm::trace {

Recorder *Active = nullptr;

namespace {

struct Report {
  Place Where;
  std::string Folder;
  Clock Start = Clock::now();
  Recorder Events;
  Helper Aide;
};
/// For as long as the process lives: threads may be in hooks at any time.
Report *TheReport = nullptr;

/// The folder that the environment asks for, or null.
const char *folder() {
  const char *Folder = getenv("GRAUPEL_DSM_REPORT");
  return Folder && *Folder ? Folder : nullptr;
}

} // namespace

namespace {

void writeFile(const char *Error) {
  static std::atomic<bool> Done{false};
  if (Done.exchange(true))
    return;
  Active = nullptr;
  auto Frozen = TheReport->Events.freeze();
  NodeFile File{TheReport->Where, TheReport->Folder, TheReport->Start,
                TheReport->Events, TheSample};
  std::string Problem = File.write(Error);
  if (Problem.empty())
    return;
  Problem = "graupel dsm: warning: " + Problem + "\n";
  [[maybe_unused]] ssize_t Written =
      write(STDERR_FILENO, Problem.data(), Problem.size());
}

} // namespace

void prepare() {
  if (!folder())
    return;
  TheReport = new Report;
  TheReport->Aide.takeSignals();
}

bool start(const Place &Where, std::string &Problem) {
  if (!TheReport)
    return false;
  const char *Folder = folder();
  if (mkdir(Folder, 0777) != 0 && errno != EEXIST)
    Problem = std::string("cannot make the folder ") + Folder +
              " for the report (" + strerror(errno) + ")";
  else if (access((std::string(Folder) + "/.").c_str(), W_OK | X_OK) != 0)
    Problem = std::string("cannot write the report into ") + Folder + " (" +
              strerror(errno) + ")";
  if (!Problem.empty()) {
    Problem += "; name another one with --report=FOLDER";
    return false;
  }
  // Where this process is now; the program may go elsewhere.
  char *Whole = realpath(Folder, nullptr);
  TheReport->Where = Where;
  TheReport->Folder = Whole ? Whole : Folder;
  free(Whole);
  Active = &TheReport->Events;
  TheReport->Aide.start(*Where.Control, Where.AnyOnline, writeFile);
  return true;
}

void finish() {
  if (!Active)
    return;
  TheReport->Aide.stop();
  writeFile(nullptr);
}

void fail(const char *Error) {
  if (TheReport)
    TheReport->Aide.end(Error);
}

void forked() {
  if (!TheReport)
    return;
  TheReport->Aide.forked();
  TheReport = nullptr;
  Active = nullptr;
}

void allocate(uintptr_t A, size_t Bytes, uint32_t Block, int Home,
              uintptr_t Pc) {
  Recorder &Events = TheReport->Events;
  CallPath Callers = Events.hasRoom() ? callPathAbove(Pc) : CallPath();
  Events.allocated(A, Bytes, Block, Home, Pc, Callers);
}

void leave(uintptr_t A, size_t Length, uint32_t Block, const void *Data) {
  auto *From = static_cast<const char *>(Data);
  for (size_t I = 0; I < Length; I += Block)
    TheReport->Events.leaves(A + I, Block, From + I);
}

void arrive(uintptr_t A, size_t Length, uint32_t Block, const void *Data) {
  auto *From = static_cast<const char *>(Data);
  for (size_t I = 0; I < Length; I += Block)
    TheReport->Events.arrives(A + I, Block, From + I);
}

void SlowPath::open(const graupel_dsm_range *Ranges, uint64_t Count,
                    uintptr_t Pc) {
  Recording = Count != 0;
  this->Ranges = Ranges;
  this->Count = Count;
  this->Pc = Pc;
  Since = ticks();
}

Miss *SlowPath::misses(uintptr_t Block, uint32_t Size, bool Store,
                       bool Readable) {
  auto *M = new Miss{};
  M->Ranges = Ranges;
  M->Count = Count;
  M->Pc = Pc;
  M->Block = Block;
  M->Size = Size;
  M->Store = Store;
  M->Alone = UnderWay++ == 0;
  TheReport->Events.begin(*M, Readable);
  return M;
}

void SlowPath::got(Miss *M, int Home, bool Permitted) {
  uint64_t Now = ticks();
  bool WasOne = TheReport->Events.end(*M, Home, Permitted, Now - Since, Now);
  --UnderWay;
  delete M;
  if (!WasOne)
    return;
  Missed = true;
  Since = Now;
}

void SlowPath::done(uintptr_t Block, uint32_t Size) {
  if (Missed)
    return;
  const graupel_dsm_range &First = Ranges[0];
  uint64_t Bytes = First.size_and_store >> 1;
  bool Store = First.size_and_store & 1;
  uint32_t Low = 0;
  // Checks with sentinels look at these bytes; the thread may load them now.
  if (Count == 1 && !Store && (Bytes == 4 || Bytes == 8))
    memcpy(&Low, First.start, sizeof(Low));
  TheReport->Events.noMiss(
      Pc, Low == GRAUPEL_DSM_SENTINEL ? Cause::FalseMatch : Cause::AlreadyValid,
      Block, Size, Store, ticks() - Since);
  // Once: it may be looked at again.
  Missed = true;
}

} // namespace graupel::dsm::trace

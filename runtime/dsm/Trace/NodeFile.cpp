//===- NodeFile.cpp - A node's file for the report ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report of a node as JSON (docs/dsm-report-format.md).
//
// 1. NodeFile(): compare the processor's time with the clock since the start,
//    for the job's length and the length of a tick.
// 2. text: write head, places, allocations, misses, times, blocks, events,
//    polls, messages and the counts of omitted entries, in this order.
// 3. Places in code are told as the number of a module and an offset
//    (writePlaces). Other lists name places by their number. Ticks become
//    nanoseconds.
// 4. write: write the text to a file beside, and rename it, so that the report
//    is there as a whole or not at all. Return a message if that failed.
//
//===----------------------------------------------------------------------===//

#include "Trace/NodeFile.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace graupel::dsm::trace {

Clock Clock::now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return {ticks(), static_cast<uint64_t>(T.tv_sec) * 1'000'000'000 +
                       static_cast<uint64_t>(T.tv_nsec)};
}

NodeFile::NodeFile(const Place &Where, const std::string &Folder,
                   const Clock &Start, const Recorder &Events,
                   const PollSample &Polls)
    : Where(Where), Folder(Folder), Start(Start), Events(Events), Polls(Polls) {
  Clock End = Clock::now();
  double Nanoseconds = static_cast<double>(End.Nanoseconds - Start.Nanoseconds);
  double Ticks = static_cast<double>(End.Ticks - Start.Ticks);
  Seconds = Nanoseconds / 1e9;
  PerTick = Ticks > 0 ? Nanoseconds / Ticks : 1;
}

void NodeFile::writeHead(const char *Error) {
  char Host[256] = "";
  gethostname(Host, sizeof(Host) - 1);
  Out.key("format").string("graupel dsm report");
  Out.key("version").integer(2);
  Out.key("node").integer(Where.Node);
  Out.key("nodes").integer(Where.Nodes);
  Out.key("threads").integer(Where.ThreadsPerNode);
  Out.key("host").string(Host);
  Out.key("process").integer(getpid());
  Out.key("seconds").seconds(Seconds);
  Out.key("error").string(Error ? Error : "");
}

void NodeFile::writePlaces() {
  std::vector<Module> Modules = loadedModules();
  Out.key("modules").open('[');
  for (const Module &M : Modules) {
    Out.line().open('[').string(M.Path).string(M.BuildId).close(']');
  }
  Out.close(']');
  Out.key("places").open('[');
  for (uintptr_t Pc : Events.places()) {
    size_t I = 0;
    while (I != Modules.size() && !Modules[I].has(Pc))
      ++I;
    bool Known = I != Modules.size();
    Out.open('[').integer(Known ? static_cast<int64_t>(I) : -1);
    Out.number(Known ? Pc - Modules[I].Base : Pc).close(']');
  }
  Out.close(']');
}

void NodeFile::writeAllocations() {
  Out.key("allocations").open('[');
  for (const Recorder::Allocation &A : Events.allocations()) {
    Out.line()
        .open('[')
        .number(A.Address)
        .number(A.Bytes)
        .number(A.Block)
        .integer(A.Home)
        .number(A.Place);
    Out.open('[');
    for (uint32_t Place : A.Callers)
      if (Place)
        Out.number(Place);
    Out.close(']').close(']');
  }
  Out.close(']');
}

void NodeFile::writeMisses() {
  Out.key("misses").open('[');
  Events.misses().forEach([&](const Unit &U, const Recorder::MissKind &K,
                              const Recorder::MissCount &C) {
    Out.line()
        .open('[')
        .number(K.Place)
        .string(K.Store ? "store" : "load")
        .string(causeName(K.Why))
        .number(U.Address)
        .number(U.Bytes)
        .number(C.Count)
        .number(nanoseconds(C.Ticks))
        .integer(C.Home)
        .close(']');
  });
  Out.close(']');
}

/// Lists of [least value of the bucket, least value of the next, how many].
void NodeFile::writeHistogram(const Histogram &H) {
  Out.open('[');
  for (unsigned I = 0; I != Histogram::Buckets; ++I)
    if (H.Counts[I])
      Out.open('[')
          .number(nanoseconds(Histogram::least(I)))
          .number(nanoseconds(Histogram::least(I + 1)))
          .number(H.Counts[I])
          .close(']');
  Out.close(']');
}

void NodeFile::writeTimes() {
  Out.key("times").open('[');
  for (const auto &[K, H] : Events.times()) {
    Out.line().open('[').number(K.Place).string(K.Store ? "store" : "load");
    Out.string(causeName(K.Why));
    writeHistogram(H);
    Out.close(']');
  }
  Out.close(']');
}

void NodeFile::writeBlocks() {
  Out.key("blocks").open('[');
  Events.blocks().forEach([&](const Unit &U, const Recorder::NoDetail &,
                              const Recorder::BlockCount &C) {
    Out.line().open('[').number(U.Address).number(U.Bytes).number(C.Lost);
    Out.number(C.Sequential).open('[');
    for (uint64_t Count : C.ApartAt)
      Out.number(Count);
    Out.close(']').close(']');
  });
  Out.close(']');
}

void NodeFile::writeEvents() {
  const MissLog &Log = Events.log();
  Out.key("first parallel").number(Events.firstParallel());
  Out.key("halvings").number(Log.halvings());
  Out.key("events").open('[');
  if (!Log.overflowed())
    for (const MissEvent &E : Log.events())
      Out.line()
          .open('[')
          .number(Start.Nanoseconds + nanoseconds(E.Ticks - Start.Ticks))
          .number(E.Epoch)
          .number(E.Place)
          .number(E.First)
          .number(E.Last - E.First + 1)
          .integer(E.Home)
          .number(E.Store)
          .number(E.Alone)
          .close(']');
  Out.close(']');
}

void NodeFile::writePolls() {
  Out.key("polls");
  writeHistogram(Polls.Times);
}

void NodeFile::writeMessages() {
  Out.key("messages").open('[');
  for (const auto &[Key, C] : Events.messages()) {
    std::string Name = Where.HandlerName(Key.first);
    Out.line().open('[').string(Name.empty() ? std::to_string(Key.first)
                                             : Name);
    Out.integer(Key.second).number(C.Count).number(C.Bytes).close(']');
  }
  Out.close(']');
}

void NodeFile::writeLeftOut() {
  const Recorder::LeftOut &L = Events.leftOut();
  Out.key("left out").open('{');
  Out.key("misses").number(L.Misses);
  Out.key("blocks").number(L.Blocks);
  Out.key("allocations").number(L.Allocations);
  Out.key("places").number(L.Places);
  Out.close('}');
}

std::string NodeFile::text(const char *Error) {
  Out = Json();
  Out.open('{');
  writeHead(Error);
  writePlaces();
  writeAllocations();
  writeMisses();
  writeTimes();
  writeBlocks();
  writeEvents();
  writePolls();
  writeMessages();
  writeLeftOut();
  Out.close('}');
  return Out.text() + "\n";
}

std::string NodeFile::write(const char *Error) {
  std::string Name = Folder + "/node-" + std::to_string(Where.Node) + ".json";
  std::string Beside = Name + "." + std::to_string(getpid());
  std::string Text = text(Error);
  int File =
      open(Beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool Done = File >= 0;
  for (size_t At = 0; Done && At != Text.size();) {
    ssize_t Size = ::write(File, Text.data() + At, Text.size() - At);
    if (Size < 0 && errno == EINTR)
      continue;
    Done = Size > 0;
    At += Done ? static_cast<size_t>(Size) : 0;
  }
  int Why = errno;
  if (File >= 0 && close(File) != 0 && Done) {
    Done = false;
    Why = errno;
  }
  if (Done && rename(Beside.c_str(), Name.c_str()) == 0)
    return "";
  if (Done)
    Why = errno;
  unlink(Beside.c_str());
  return "cannot write the report into " + Name + " (" + strerror(Why) +
         "); the run itself is not affected";
}

} // namespace graupel::dsm::trace

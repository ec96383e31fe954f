//===- Numa/Profile/Sampler.cpp - Traffic of a running program ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <unistd.h>

using namespace graupel::numa;

Sampler::~Sampler() {
  DIR *Entries = Folder.empty() ? nullptr : opendir(Folder.c_str());
  if (!Entries)
    return;
  while (dirent *Entry = readdir(Entries))
    unlink((Folder + "/" + Entry->d_name).c_str());
  closedir(Entries);
  rmdir(Folder.c_str());
}

std::string Sampler::begin(const std::string &Bursts) {
  const char *Temporary = getenv("TMPDIR");
  Folder = std::string(Temporary && *Temporary ? Temporary : "/tmp") +
           "/graupel-numa-XXXXXX";
  if (!mkdtemp(Folder.data())) {
    std::string Wrong = "no folder can be made for the record (" + Folder +
                        "): " + strerror(errno) + "; set TMPDIR to another";
    Folder.clear();
    return Wrong;
  }
  setenv("GRAUPEL_STRIDE_OUT", (Folder + "/%p").c_str(), 1);
  const char *Before = getenv("GRAUPEL_STRIDE");
  std::string Selection = Before && *Before ? std::string(Before) + "," : "";
  Selection += "homes";
  // Short bursts see many pages; what comes between is not slowed.
  if (!Exact && Selection.find("every=") == Selection.npos)
    Selection += "," + Bursts;
  setenv("GRAUPEL_STRIDE", Selection.c_str(), 1);
  return "";
}

bool Sampler::watchFaults() {
  Seen.emplace();
  if (!Seen->begin())
    Seen.reset();
  return Seen.has_value();
}

std::string Sampler::fileOf(pid_t Process) const {
  return Folder + "/" + std::to_string(Process);
}

/// At most so many slices; then they become twice as long.
void Sampler::keep(Slice S) {
  constexpr size_t Most = 64;
  if (Looks++ % Together == 0)
    Slices.push_back(std::move(S));
  else
    Slices.back().add(S);
  if (Slices.size() < Most || Looks % Together)
    return;
  std::vector<Slice> Longer;
  for (size_t N = 0; N < Slices.size(); N += 2) {
    Longer.push_back(std::move(Slices[N]));
    if (N + 1 < Slices.size())
      Longer.back().add(Slices[N + 1]);
  }
  Slices = std::move(Longer);
  Together *= 2;
  Looks = 0;
}

Slice Sampler::take(pid_t Process) {
  Live.open(fileOf(Process));
  return Live.look();
}

void Sampler::look(pid_t Process) {
  if (Seen)
    Seen->look();
  keep(take(Process));
}

static uint64_t microseconds(clockid_t Clock) {
  timespec Time;
  clock_gettime(Clock, &Time);
  return uint64_t(Time.tv_sec) * 1000000 + uint64_t(Time.tv_nsec) / 1000;
}

void Sampler::lookAndTell(pid_t Process) {
  /// The part of a processor that reading counters may take: a tenth.
  constexpr uint64_t Part = 10;
  const uint64_t Now = microseconds(CLOCK_MONOTONIC);
  if (Now < Next)
    return;
  const uint64_t Before = microseconds(CLOCK_THREAD_CPUTIME_ID);
  Slice S = take(Process);
  Next = Now + (microseconds(CLOCK_THREAD_CPUTIME_ID) - Before) * Part;
  Listener(S, Live, Process);
}

std::optional<std::string> Sampler::finish(pid_t Process, NumaProfile &To) {
  if (access(fileOf(Process).c_str(), R_OK) != 0)
    return "has left no record of its traffic: it was not compiled for that; "
           "compile with clang-22 --config=graupel-stride.cfg";
  // Nobody is to decide anything any more.
  if (!Listener)
    look(Process);
  if (Seen)
    Seen->finish(Process);
  return readRecorded(fileOf(Process), Slices, Seen ? &*Seen : nullptr, To);
}

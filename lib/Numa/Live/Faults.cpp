//===- Numa/Live/Faults.cpp - Which thread made a page be there -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Learns from the kernel's page-fault events which thread touched a page first:
//
// 1. begin() opens one event and one buffer on each processor that is on.
//    Events start at the exec of the next child, are inherited, and include
//    faults in the kernel if that is allowed.
// 2. look() reads all buffers. take() sorts the records: a fault, the time of
//    an exec, or a number of lost faults.
// 3. enter() keeps the earliest fault of each process on a page. A later one
//    takes its place only if the process has called exec in between.
// 4. finish() keeps the faults of one process since its last exec, and notes
//    the earliest one in each large page of 2 MB.
// 5. firstOf() answers by the page, else by the large page around it.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel::numa;

static constexpr unsigned PageBits = 12, LargeBits = 21;

Faults::~Faults() { close(); }

void Faults::close() {
  for (const Buffer &B : Buffers) {
    munmap(B.Where, DataBytes + (1 << PageBits));
    ::close(B.File);
  }
  Buffers.clear();
}

bool Faults::open(unsigned Processor, bool WithKernel) {
  perf_event_attr A = {};
  A.size = sizeof(A);
  A.type = PERF_TYPE_SOFTWARE;
  A.config = PERF_COUNT_SW_PAGE_FAULTS;
  A.sample_period = 1;
  A.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
  // Count for children of this thread, once they have called exec.
  A.disabled = A.inherit = A.enable_on_exec = 1;
  A.exclude_kernel = !WithKernel;
  A.exclude_hv = 1;
  A.comm = A.comm_exec = A.sample_id_all = 1;
  A.use_clockid = 1;
  A.clockid = CLOCK_MONOTONIC;
  int File = int(syscall(SYS_perf_event_open, &A, 0, int(Processor), -1,
                         PERF_FLAG_FD_CLOEXEC));
  if (File < 0)
    return false;
  void *Where = mmap(nullptr, DataBytes + (1 << PageBits),
                     PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (Where == MAP_FAILED) {
    ::close(File);
    return false;
  }
  Buffers.push_back({File, static_cast<char *>(Where)});
  return true;
}

bool Faults::begin() {
  // The size that all users may lock (perf_event_mlock_kb), less if there are
  // many processors.
  const long Count = sysconf(_SC_NPROCESSORS_CONF);
  DataBytes = (Count > 64 ? 32 : 128) << PageBits;
  for (long N = 0; N < Count; ++N) {
    if (open(unsigned(N), true) || open(unsigned(N), false) || errno == ENODEV)
      continue; // Some may be off.
    close();
    return false;
  }
  return !Buffers.empty();
}

void Faults::enter(uint64_t Page, const Fault &F) {
  std::vector<Fault> &PageFaults = Pages[Page];
  for (Fault &Known : PageFaults)
    if (Known.Process == F.Process) {
      // Before an exec the page was another program's.
      auto Exec = Execs.find(F.Process);
      const bool Stale = Exec != Execs.end() && Known.Time < Exec->second &&
                         F.Time >= Exec->second;
      if (Stale || F.Time < Known.Time)
        Known = F;
      return;
    }
  PageFaults.push_back(F);
}

void Faults::take(uint32_t Type, uint16_t Flags, const char *Payload,
                  size_t Bytes) {
  struct Sample {
    uint32_t Process, Thread;
    uint64_t Time, Address;
  } S;
  if (Type == PERF_RECORD_SAMPLE && Bytes >= sizeof(S)) {
    memcpy(&S, Payload, sizeof(S));
    enter(S.Address >> PageBits, {S.Time, pid_t(S.Process), S.Thread});
  } else if (Type == PERF_RECORD_COMM && Flags & PERF_RECORD_MISC_COMM_EXEC &&
             Bytes >= 16) {
    uint32_t Process;
    uint64_t Time; // The last thing in it (sample_id_all).
    memcpy(&Process, Payload, sizeof(Process));
    memcpy(&Time, Payload + Bytes - sizeof(Time), sizeof(Time));
    Execs[pid_t(Process)] = std::max(Execs[pid_t(Process)], Time);
  } else if (Type == PERF_RECORD_LOST && Bytes >= 16) {
    uint64_t More;
    memcpy(&More, Payload + 8, sizeof(More));
    Lost += More;
  }
}

void Faults::read(const Buffer &B) {
  auto *Head = reinterpret_cast<perf_event_mmap_page *>(B.Where);
  const char *Data = B.Where + (1 << PageBits);
  uint64_t At = Head->data_tail;
  const uint64_t End = __atomic_load_n(&Head->data_head, __ATOMIC_ACQUIRE);
  char Record[512];
  while (At < End) {
    auto Copy = [&](uint64_t From, size_t Bytes) {
      for (size_t N = 0; N < Bytes; ++N)
        Record[N] = Data[(From + N) % DataBytes];
    };
    perf_event_header H;
    Copy(At, sizeof(H));
    memcpy(&H, Record, sizeof(H));
    if (H.size < sizeof(H))
      break;
    if (size_t Bytes = H.size - sizeof(H); Bytes <= sizeof(Record)) {
      Copy(At + sizeof(H), Bytes);
      take(H.type, H.misc, Record, Bytes);
    }
    At += H.size;
  }
  __atomic_store_n(&Head->data_tail, End, __ATOMIC_RELEASE);
}

void Faults::look() {
  for (const Buffer &B : Buffers)
    read(B);
}

void Faults::finish(pid_t Process) {
  look();
  const uint64_t Exec = Execs[Process];
  for (auto &[Page, PageFaults] : Pages) {
    std::erase_if(PageFaults, [&](const Fault &F) {
      return F.Process != Process || F.Time < Exec;
    });
    if (PageFaults.empty())
      continue;
    auto [It, New] =
        Large.try_emplace(Page >> (LargeBits - PageBits), PageFaults[0]);
    if (!New && PageFaults[0].Time < It->second.Time)
      It->second = PageFaults[0];
  }
}

std::optional<uint64_t> Faults::firstOf(uint64_t Address) const {
  auto Own = Pages.find(Address >> PageBits);
  if (Own != Pages.end() && !Own->second.empty())
    return Own->second[0].Thread;
  auto Around = Large.find(Address >> LargeBits);
  if (Around != Large.end())
    return Around->second.Thread;
  return std::nullopt;
}

//===- Numa/Live/Faults.h - Which thread made a page be there ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel gives a page to a program when a thread touches it first, and
// counts that as a software event, which needs no PMU. So first touch is known
// also of a program of which only a sample is recorded.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_LIVE_FAULTS_H
#define GRAUPEL_NUMA_LIVE_FAULTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <sys/types.h>
#include <unordered_map>
#include <vector>

namespace graupel::numa {

class Faults {
public:
  Faults() = default;
  Faults(const Faults &) = delete;
  ~Faults();
  /// Watches the program that this thread starts next, and its threads. Returns
  /// whether the kernel allows it.
  bool begin();
  /// Reads what has happened: often enough, for the kernel has room for some
  /// ten thousand faults a processor.
  void look();
  /// Looks for the last time. From here on only `Process` matters, from its
  /// last exec on.
  void finish(pid_t Process);
  /// The system's number of the thread that touched the page first. In a large
  /// page that is the one that touched it anywhere.
  std::optional<uint64_t> firstOf(uint64_t Address) const;
  /// Faults that were not counted, for want of room.
  uint64_t lost() const { return Lost; }

  /// A record of the kernel's, after its header; for tests.
  void take(uint32_t Type, uint16_t Flags, const char *Payload, size_t Bytes);

private:
  struct Fault {
    uint64_t Time;
    pid_t Process;
    uint32_t Thread;
  };
  struct Buffer {
    int File;
    char *Where;
  };
  bool open(unsigned Processor, bool WithKernel);
  void close();
  void read(const Buffer &B);
  void enter(uint64_t Page, const Fault &F);

  size_t DataBytes = 0; ///< Size of a buffer, without its first page.
  std::vector<Buffer> Buffers;
  std::unordered_map<uint64_t, std::vector<Fault>> Pages; ///< One a process.
  std::map<pid_t, uint64_t> Execs;                        ///< The last one.
  /// By number of a large page.
  std::unordered_map<uint64_t, Fault> Large;
  uint64_t Lost = 0;
};

} // namespace graupel::numa

#endif

//===- NodeFile.h - A node's file for the report ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_NODEFILE_H
#define GRAUPEL_DSM_TRACE_NODEFILE_H

#include "Trace/Json.h"
#include "Trace/Modules.h"
#include "Trace/Trace.h"

namespace graupel::dsm::trace {

/// The processor's time and the clock's at once.
struct Clock {
  uint64_t Ticks, Nanoseconds;
  static Clock now();
};

/// Writes FOLDER/node-K.json, in the format of docs/dsm-report-format.md, as a
/// whole or not at all.
class NodeFile {
public:
  NodeFile(const Place &Where, const std::string &Folder, const Clock &Start,
           const Recorder &Events, const PollSample &Polls);

  /// Returns the error; empty if there was none.
  std::string write(const char *Error);
  /// The text that write() writes.
  std::string text(const char *Error);

private:
  void writeHead(const char *Error);
  void writePlaces();
  void writeAllocations();
  void writeMisses();
  void writeTimes();
  void writeBlocks();
  void writeEvents();
  void writePolls();
  void writeMessages();
  void writeLeftOut();
  void writeHistogram(const Histogram &);
  uint64_t nanoseconds(uint64_t Ticks) const {
    return static_cast<uint64_t>(static_cast<double>(Ticks) * PerTick);
  }

  const Place &Where;
  const std::string &Folder;
  const Clock &Start;
  const Recorder &Events;
  const PollSample &Polls;
  double Seconds, PerTick;
  Json Out;
};

} // namespace graupel::dsm::trace

#endif

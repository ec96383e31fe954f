//===- Output.h - The nodes' output in whole lines ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMRUN_OUTPUT_H
#define GRAUPEL_TOOLS_DSMRUN_OUTPUT_H

#include <string>
#include <string_view>

namespace graupel {

/// Text to write to a descriptor that may be slow, or closed. Never waits: a
/// reader that does not read must not keep the launcher from its nodes.
class Output {
public:
  explicit Output(int File) : File(File) {}

  void add(std::string_view Text) { Pending += Text; }
  int file() const { return File; }
  bool pending() const { return Pending.size() > Written; }
  /// Too much is pending; nodes should wait.
  bool full() const { return Pending.size() - Written > (1 << 20); }
  /// The descriptor is writable. False, and errno, if it takes no more.
  bool write();
  /// Writes the rest, waiting if it must. The same result.
  bool finish();

private:
  int File;
  std::string Pending;
  size_t Written = 0;
};

/// One stream of a node: collects what it writes, hands on whole lines.
class LineRelay {
public:
  /// `File` is the pipe's end, which becomes this object's.
  LineRelay(int File, Output &To) : File(File), To(To) {}

  int file() const { return File; }
  bool open() const { return File >= 0; }
  bool ready() const { return open() && !To.full(); }
  /// Reads what is there. Closes at the end, and when there is nothing if
  /// `Last`.
  void read(bool Last);

private:
  void take(std::string_view Text);
  void end();

  /// A line longer than this is not kept whole.
  static constexpr size_t MaxLine = 1 << 20;

  int File;
  Output &To;
  std::string Line;
};

} // namespace graupel

#endif

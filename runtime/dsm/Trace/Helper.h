//===- Helper.h - The report's own thread -----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. About every millisecond, but not in step with anything, it takes a sample
//    of the poll interval (Sample.h), if a thread of the node runs the program's
//    code.
// 2. It writes the file of a job that ends early: by an error, which may be
//    found where nothing can be written, or by SIGINT or SIGTERM, as the launcher
//    sends when another node has ended. The program's own handlers of these come
//    first.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_HELPER_H
#define GRAUPEL_DSM_TRACE_HELPER_H

#include "Base/Sample.h"
#include "Transport/Control.h"
#include <atomic>
#include <csignal>

namespace graupel::dsm::trace {

class Helper {
public:
  using Writer = void (*)(const char *Error);

  /// By the main thread before others are there: it and they get the two
  /// signals blocked.
  void takeSignals();
  /// Without a thread, if there cannot be one, there are no samples.
  void start(ControlPage &, bool (*AnyOnline)(), Writer);
  /// Does not wait for the thread.
  void stop() { Stopped.store(true, std::memory_order_relaxed); }
  /// Has the thread write, and waits until it has, but at most a second.
  void end(const char *Error);
  /// Unblocks the signals.
  void forked();

private:
  static void *run(void *);
  void serve();
  void sample();
  void signaled(int Signal);

  ControlPage *Control = nullptr;
  bool (*AnyOnline)() = nullptr;
  Writer Write = nullptr;
  sigset_t Ends, Before;
  std::atomic<bool> Running{false}, Stopped{false}, Written{false};
  std::atomic<const char *> Error{nullptr};
};

} // namespace graupel::dsm::trace

#endif

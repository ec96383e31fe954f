//===- Sampler.h - Asks a node to poll, now and then ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_SAMPLER_H
#define GRAUPEL_DSM_TRACE_SAMPLER_H

#include "Trace/Sample.h"
#include "Transport/Control.h"
#include <atomic>

namespace graupel::dsm::trace {

/// A thread that about every millisecond, but not in step with anything, takes
/// a sample (Sample.h) if a thread of the node runs the program's code and
/// nothing else asks it to poll.
class Sampler {
public:
  /// Without a thread, if there cannot be one, there are no samples.
  void start(ControlPage &, bool (*AnyOnline)());
  /// Does not wait for the thread.
  void stop() { Stopped.store(true, std::memory_order_relaxed); }

private:
  static void *run(void *);
  void sample();

  ControlPage *Control = nullptr;
  bool (*AnyOnline)() = nullptr;
  std::atomic<bool> Stopped{false};
};

} // namespace graupel::dsm::trace

#endif

//===- Numa/Bench/Meter.cpp - Measures a case -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meter.h"
#include "Leader.h"
#include <algorithm>
#include <time.h>

namespace graupel::numa::bench {

static size_t between(size_t Least, size_t Value, size_t Most) {
  return std::max(Least, std::min(Value, Most));
}

// Chains fill a quarter of a private cache; ranges are eight times the caches,
// if there is the memory: a part of what was read last time is still there in
// caches that do not replace the oldest first.
Sizes sizesFor(const Machine &M) {
  constexpr size_t MiB = 1 << 20;
  Sizes S;
  S.Lines = between(512, M.PrivateBytes / LineBytes / 4, 4096) / 128 * 128;
  // A sample visits a part of the wide chain, in as many pages as processors
  // remember the places of, also if these are small; all parts together are in
  // more rows of the memory's chips than these keep open.
  S.WideParts = 16;
  S.WideLines = S.WideParts * std::min<size_t>(S.Lines, 1024);
  // Eight ways or more are usual.
  S.SetBytes = M.PrivateBytes / 8;
  S.WideBytes = 64 * MiB;
  S.RangeBytes =
      between(128 * MiB, 8 * M.LastCaches * M.SharedBytes, 2048 * MiB);
  for (const NodeView &N : M.Nodes)
    if (N.FreeBytes) {
      S.WideBytes = between(4 * MiB, N.FreeBytes / 8 / MiB * MiB, S.WideBytes);
      S.RangeBytes =
          between(8 * MiB, N.FreeBytes / 8 / MiB * 2 * MiB, S.RangeBytes);
    }
  S.AloneBytes =
      std::min(S.RangeBytes / 2, std::max(64 * MiB, 4 * M.SharedBytes));
  return S;
}

/// The least time between two looks.
static double clockCost() {
  double Least = 1e9;
  for (unsigned N = 0; N < 2000; ++N) {
    timespec A, B;
    clock_gettime(CLOCK_MONOTONIC, &A);
    clock_gettime(CLOCK_MONOTONIC, &B);
    Least = std::min(Least, double(B.tv_sec - A.tv_sec) * 1e9 +
                                double(B.tv_nsec - A.tv_nsec));
  }
  return Least;
}

Meter::Meter(const Machine &M) : M(M), Each(sizesFor(M)) {}

std::optional<std::string> Meter::start() {
  for (const NodeView &N : M.Nodes) {
    Memories.push_back(std::make_unique<Memory>());
    if (auto Wrong = Memories.back()->make(N.Id, Each))
      return Wrong;
  }
  CanWriteCode = WorkKernel(0).works();
  ClockCost = clockCost();
  return Threads.start(M.processors());
}

Batch Meter::measure(const Case &C, unsigned Count) {
  Batch Result;
  Threads.lead(C.Local[0], [&] { Result = Leader(*this, C).batch(Count); });
  return Result;
}

double Meter::transfer(unsigned Reader, unsigned Owner) {
  const Case C{.TimedKernel = Kernel::Read,
               .From = State::DEXD,
               .Local = {Reader},
               .Remote = {Owner}};
  const Batch B = measure(C, 2);
  return *std::min_element(B.Values.begin(), B.Values.end());
}

} // namespace graupel::numa::bench

//===- Numa/Bench/Case.cpp - Names of what is measured --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include <iterator>

namespace graupel::numa::bench {

namespace {
struct Description {
  const char *Name;
  bool Latency;
};
} // namespace

/// In the order of the enumeration.
static constexpr Description Kernels[] = {{"lmbench-read", true},
                                          {"lmbench-rdex", true},
                                          {"lmbench-rdex-ser", true},
                                          {"lmbench-upgrd", true},
                                          {"lmbench-upgrd-ser", true},
                                          {"restart", true},
                                          {"bw-read", false},
                                          {"bw-rdsh", false},
                                          {"bw-rdex", false},
                                          {"bw-rdex-ahead", false},
                                          {"bw-upgrd", false},
                                          {"bw-zero", false},
                                          {"bw-zero-past", false},
                                          {"bw-copy", false},
                                          {"bw-range", false},
                                          {"bwmp-read", false},
                                          {"bwmp-rdex", false},
                                          {"loaded-read", true},
                                          {"load", false},
                                          {"read-use", true},
                                          {"read-modify-write", true}};
static_assert(std::size(Kernels) == unsigned(Kernel::ReadModifyWrite) + 1);

const char *nameOf(Kernel K) { return Kernels[unsigned(K)].Name; }
bool isLatency(Kernel K) { return Kernels[unsigned(K)].Latency; }

} // namespace graupel::numa::bench

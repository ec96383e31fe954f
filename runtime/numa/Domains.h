//===- numa/Domains.h - A domain ------------------------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_DOMAINS_H
#define GRAUPEL_NUMA_DOMAINS_H

#include "graupel/numa.h"
#include <vector>

/// Memory around a node; the name is what C programs see.
struct graupel_numa_domain {
  size_t Bytes;
  unsigned Radius; ///< Steps.
  int Center;      ///< The system's number; -1: not placed.

  /// The system's numbers, nearest to the center first.
  std::vector<unsigned> nodes() const;
};

#endif

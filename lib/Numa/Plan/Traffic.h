//===- Numa/Plan/Traffic.h - References of threads to pages --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data of a profile, from any source. Threads are numbered in the order of
// their creation, 0 is the program's first.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_TRAFFIC_H
#define GRAUPEL_NUMA_TRAFFIC_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace graupel::numa {

constexpr uint64_t PlanPageBytes = 4096;

/// Bytes that one thread loads and stores.
struct Use {
  unsigned Thread = 0;
  uint64_t Loads = 0, Stores = 0;
  uint64_t all() const { return Loads + Stores; }
};

struct PageUse {
  uint64_t Address = 0;
  /// The number of the page in its block or variable, if that is known.
  std::optional<uint64_t> InBlock;
  unsigned First = 0; ///< The thread that came first.
  std::vector<Use> By;
};

/// Data under one name.
struct DataTraffic {
  enum Kind { Global, Heap, Stack, ThreadLocal, Other } Storage = Other;
  std::string Name;  ///< For people.
  std::string Place; ///< In terms of placement files; empty: they have none.
  uint64_t Bytes = 0, Blocks = 0; ///< 0: unknown.
  std::vector<PageUse> Pages;     ///< By address.
};

/// A time in which pages keep their owners.
struct PhaseTraffic {
  uint64_t Begin = 0, End = 0; ///< Milliseconds since the program's start.
  /// A function that runs in this phase and not in the one before; empty: none.
  std::string Function;
  std::vector<std::vector<PageUse>> Pages; ///< By number of the object.
};

/// The source of the information which thread came first to a page.
enum class FirstTouch {
  Faults,     ///< The kernel says it.
  References, ///< By time: all are there.
  Guessed     ///< For a sample: the thread that allocated the block.
};

struct Traffic {
  std::string Program;
  FirstTouch First = FirstTouch::References;
  unsigned Threads = 0; ///< Number of threads.
  std::vector<DataTraffic> Objects;
  /// None, or at least two, whose sum is what the objects say.
  std::vector<PhaseTraffic> Phases;
  /// The program can read copies: it was compiled with graupel-numa.cfg.
  bool ReadsCopies = false;
};

} // namespace graupel::numa

#endif

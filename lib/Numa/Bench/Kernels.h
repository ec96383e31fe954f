//===- Numa/Bench/Kernels.h - Loops that are timed ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over memory as (Prestor 2001, 4.3, 4.5) defines them, in assembly: a
// compiler would move loads above stores, or leave out what nobody uses. None
// of them calls anything, and none touches other data than it is given.
//
// A line's first word points to the next line of a chain; kernels that store
// write other words. Several lines are given as offsets from a base, so that
// they may be visited in any order without waiting for each other.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_BENCH_KERNELS_H
#define GRAUPEL_NUMA_BENCH_KERNELS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace graupel::numa::bench {

/// The size of a cache line.
constexpr size_t LineBytes = 64;
/// Kernels are unrolled so often; counts are multiples of it.
constexpr size_t Unrolled = 32;

/// Lines given by their offsets from Base. There are `Ahead` offsets more than
/// there are lines, for kernels that look ahead.
struct Lines {
  static constexpr size_t Ahead = 32;
  char *Base = nullptr;
  const uint32_t *Offsets = nullptr;
  size_t Count = 0;

  void *first() const { return Base + Offsets[0]; }
};

// --- Chains: each step waits for the one before. They return where they end.

/// p = p->next
void *walk(void *First, size_t Steps);
/// p->value = 0; p = p->next
void *modify(void *First, size_t Steps);
/// p = atomic_fetch_add(&p->next, 0): the next address waits for ownership.
void *modifySerially(void *First, size_t Steps);

// --- Lines in the order of their offsets; steps do not wait.

void load(const Lines &);
/// Asks for shared lines (prefetcht0) ahead of the loads.
void loadShared(const Lines &);
void store(const Lines &);
/// Asks for ownership (prefetchw) ahead of the stores.
void storeAhead(const Lines &);
/// Out of all caches, written back; complete at the end.
void flush(const Lines &);

// --- Ranges, ascending. Bytes: a multiple of 2 KiB.

/// All bytes: prefetchers of hardware see what programs show them.
void loadRange(const char *From, size_t Bytes);
/// A word of each line, as (Prestor 2001) does.
void storeRange(char *To, size_t Bytes);
void copyRange(char *To, const char *From, size_t Bytes);
/// All of each line, past the caches; complete at the end.
void storeRangePast(char *To, size_t Bytes);

// --- (Saavedra)'s sweeps over `Count` doubles, `Step` apart.

double readUse(const double *From, size_t Count, size_t Step);
void readModifyWrite(double *At, size_t Count, size_t Step);

// --- Waiting.

/// About 10 to 100 cycles each.
void pause(unsigned Times);

} // namespace graupel::numa::bench

#endif

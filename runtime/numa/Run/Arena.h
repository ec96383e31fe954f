//===- numa/Run/Arena.h - Memory for one allocation site ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_ARENA_H
#define GRAUPEL_NUMA_ARENA_H

#include "graupel/numa.h"
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace graupel::numa {

/// This thread holds an arena.
extern __thread bool IsHolding __attribute__((tls_model("initial-exec")));

/// Blocks of one allocation site. Small ones share pages with each other and
/// with nobody else's; large ones begin with a page. Threads may call
/// everything.
class Arena {
public:
  /// The policy of an arena's memory. `PerBlock`: each large block by itself,
  /// with units of the block's size divided by the number of nodes if `Unit`
  /// is 0.
  struct Placing {
    graupel_numa_kind Kind = GRAUPEL_NUMA_FIRST_TOUCH;
    std::vector<int> Nodes;
    std::vector<unsigned> Weights;
    size_t Unit = 0;
    bool Mandatory = false, PerBlock = false;
    bool Copies =
        false; ///< Its memory can be replicated; the rest is not used.
  };

  /// Reserves room for arenas, once. False if the system has not that much.
  static bool reserve(unsigned Count);
  /// Sets the policy of the arena with that number.
  static void place(unsigned Number, Placing NewPolicy);
  static Arena &get(unsigned Number);
  /// Makes copies of memory that is not written any more. Called by one thread.
  static void replicate();
  /// Copies are made only of ranges that are asked for (wantCopies).
  void copyOnDemand() { OnDemand = true; }
  static void wantCopies(uint64_t From, uint64_t Bytes);
  /// The amount of memory that has copies now.
  graupel_numa_replica_counts copies();
  /// The arena of a block; null if it is in none.
  static Arena *of(const void *Block);

  /// Not cleared. Null if there is no memory.
  void *allocate(size_t Bytes, size_t Alignment);
  /// As allocate, but cleared.
  void *allocateZero(size_t Bytes);
  void release(void *Block);
  /// The capacity of a block: at least as many bytes as were asked for.
  static size_t bytesOf(const void *Block);

  /// From now on large blocks are verified when they are given back.
  static void verifyAtRelease();
  /// The sum of blocks that were verified so, and of memory in use now.
  graupel_numa_report verify();
  /// Changes the policy, also for memory that is there already.
  void placeAgain(Placing New);
  /// Whether there has been any block.
  bool used() const { return Top > Start; }
  /// A sentence about memory that could not be placed as it should; "" if none.
  const char *complaint() const { return Complaint; }

  void lock() { Lock.lock(); }
  void unlock() { Lock.unlock(); }

private:
  struct Header {
    uint64_t Capacity; ///< Bytes for the caller, from the block on.
    uint64_t IsLarge;
  };
  static Header &header(void *Block) {
    return static_cast<Header *>(Block)[-1];
  }
  char *bump(size_t Bytes, size_t Alignment);
  void *small(size_t Bytes);
  void *large(size_t Bytes, size_t Alignment);
  bool grow(uint64_t To);
  bool map(uint64_t Bytes);
  void attach(uint64_t From, uint64_t Bytes, bool Block);
  /// Whether memory that is given back may hold what it held: with copies it is
  /// a file's, and stays so when another policy comes (placeAgain).
  bool keepsContents() const { return MemoryPolicy.Copies || !Pieces.empty(); }

  static constexpr unsigned SmallClasses = 15; ///< Up to 2^14 bytes.

  std::mutex Lock;
  uint64_t Start = 0, Top = 0, Ready = 0, End = 0;
  void *Free[SmallClasses] = {};
  void *FreeLarge = nullptr;
  Placing MemoryPolicy;
  bool OnDemand = false;
  struct Replicated {
    graupel_numa_replicas *Replicas;
    uint64_t From, Bytes;
    size_t Present = 0;
    bool Wanted = false;
  };
  std::vector<Replicated> Pieces; ///< If there are copies.
  std::vector<uint64_t> Large;    ///< Addresses of large blocks, old ones too.
  graupel_numa_report Verified = {};
  char Complaint[200] = "";
};

} // namespace graupel::numa

#endif

//===- Cache/Sharing.h - Lines that threads take from each other *- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the references of two threads is not known: they come in pieces.
// So a thread *stays* at a line while less than 4096 of its other references
// are between two to the line. If the stays of two threads at a line overlap in
// time, and one of them stores, their references are taken to have alternated,
// one by one, as long as both have some: each store takes the line from the
// other thread. The first meeting of two stays does not count: it may be the
// end of one phase and the beginning of the next.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_SHARING_H
#define GRAUPEL_STRIDE_CACHE_SHARING_H

#include "Base/RecordFile.h"
#include "graupel/stride_caches.h"

namespace graupel::stride {

/// Finds the object of an address. Called in the thread that asks.
class Owners {
public:
  struct Owner {
    uint32_t Object;       ///< NoNumber: the record cannot grow.
    uint64_t Begin, Bytes; ///< Its addresses around this one; 0: unknown.
    bool IsWhole;          ///< The object begins there.
  };
  virtual Owner find(uint32_t Site, uint64_t Address) = 0;

protected:
  ~Owners() = default;
};

/// References of a thread to a line, some that follow each other.
struct Visit {
  uint64_t Loads, Stores;
  uint64_t Read, Written; ///< Parts of the line.
  uint32_t ReadSite, WriteSite;

  uint64_t count() const { return Loads + Stores; }
  uint32_t site() const { return Stores > Loads ? WriteSite : ReadSite; }
};

/// Not thread-safe. Has bounded size.
class Sharing {
public:
  Sharing(RecordFile &File, uint32_t LineBytes);

  struct Period {
    uint64_t Begin, End; ///< Nanoseconds.
    uint64_t References; ///< By this thread, until now.
  };
  /// `Line` is an address.
  void add(uint32_t Thread, uint64_t Line, const Visit &V, const Period &T,
           Owners &AddressOwners);

private:
  struct Stay {
    uint64_t Line; ///< Its address and 1; 0: none.
    uint64_t Begin, End, References;
    Visit Alone; ///< References that have not alternated with another thread's.
    uint32_t Thread;
    uint32_t Meetings;
  };
  static constexpr unsigned BucketSize = 8;
  static constexpr uint32_t Buckets = 1 << 12;
  struct Bucket {
    Stay Stays[BucketSize];
  };

  Stay &stayOf(Bucket &B, uint32_t Thread, uint64_t Line, const Period &T);
  void meet(Stay &A, Stay &B, Owners &AddressOwners);
  void take(const Visit &From, const Visit &By, uint64_t Line, uint64_t Times,
            Owners &AddressOwners);
  SharingCounts *countsOf(uint64_t Line, const Visit &Writer,
                          const Visit &Other, Owners &AddressOwners);

  RecordFile &File;
  const uint32_t LineBytes;
  Bucket *Table;
  graupel::stride::Table<SharingCounts> Known;
  uint32_t KnownCount = 0;
};

} // namespace graupel::stride

#endif

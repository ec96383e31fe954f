//===- Numa/Plan/Phases.cpp - When pages change owners --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phases.h"
#include <unordered_map>

using namespace graupel::numa;

namespace {

/// The owner's least part of a page's traffic.
constexpr double Owns = 0.6;
/// A phase is that much of all traffic at least.
constexpr double Least = 0.1;
/// Pages that are compared at a time, at least.
constexpr size_t Enough = 48;
constexpr size_t MostPhases = 16;

class Owners {
public:
  void add(const std::vector<SliceUse> &Slice) {
    for (const SliceUse &U : Slice) {
      BytesByThread[U.Page][U.Thread] += U.Bytes;
      All += double(U.Bytes);
    }
  }
  void clear() {
    BytesByThread.clear();
    All = 0;
  }
  double bytes() const { return All; }
  /// Whether most of what is owned in both is owned by others.
  bool differFrom(const Owners &Before) const;

private:
  using Threads = std::unordered_map<unsigned, uint64_t>;
  static int ownerOf(const Threads &T, uint64_t &Bytes);

  std::unordered_map<uint64_t, Threads> BytesByThread;
  double All = 0;
};

} // namespace

/// -1: nobody. `Bytes` gets the page's.
int Owners::ownerOf(const Threads &T, uint64_t &Bytes) {
  uint64_t Most = 0;
  int Owner = -1;
  Bytes = 0;
  for (auto [Thread, Count] : T) {
    Bytes += Count;
    if (Count > Most) {
      Most = Count;
      Owner = int(Thread);
    }
  }
  return double(Most) >= Owns * double(Bytes) ? Owner : -1;
}

bool Owners::differFrom(const Owners &Before) const {
  double Other = 0;
  for (const auto &[Page, Now] : BytesByThread) {
    auto Old = Before.BytesByThread.find(Page);
    if (Old == Before.BytesByThread.end())
      continue;
    uint64_t Bytes, OldBytes;
    int Owner = ownerOf(Now, Bytes), OldOwner = ownerOf(Old->second, OldBytes);
    if (Owner >= 0 && OldOwner >= 0 && Owner != OldOwner)
      Other += double(Bytes);
  }
  return Other > 0.5 * All;
}

std::vector<size_t>
graupel::numa::findPhases(const std::vector<std::vector<SliceUse>> &Slices) {
  double All = 0;
  for (const auto &S : Slices)
    for (const SliceUse &U : S)
      All += double(U.Bytes);
  std::vector<size_t> Phase(Slices.size());
  size_t Number = 0, First = 0;
  Owners Before, Now;
  bool Any = false; // there is a phase before
  for (size_t N = 0, End = 0; N < Slices.size(); N = End) {
    // A sample's slices have little each, which says nothing of owners.
    Owners Next;
    for (size_t Uses = 0; Uses < Enough && End < Slices.size(); ++End) {
      Next.add(Slices[End]);
      Uses += Slices[End].size();
    }
    if (Next.bytes() > 0 && Next.differFrom(Now) && Number + 1 < MostPhases) {
      // A phase that was too short goes on, unless it is only a transition.
      if (Now.bytes() >= Least * All) {
        Before = std::move(Now);
        Any = true;
        ++Number;
        First = N;
      }
      Now.clear();
    }
    for (size_t Each = N; Each < End; ++Each) {
      Phase[Each] = Number;
      Now.add(Slices[Each]);
    }
  }
  // The last one may be short, or what came between the same owners.
  if (Any && Number && (Now.bytes() < Least * All || !Now.differFrom(Before)))
    for (size_t N = First; N < Slices.size(); ++N)
      Phase[N] = Number - 1;
  return Phase;
}

//===- stride/References.cpp - Records of one reference each --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles the records that fill most buffers: references that have only to wait
// in their streams.
//
//   1. Loops without branches write the same sites again and again. Of such a
//      stretch, the addresses of each site are taken together.
//   2. Other records are taken one by one.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include <cstring>

namespace graupel::stride {

static constexpr int TagBits = 6;
static_assert(GRAUPEL_STRIDE_ENTRY_BYTES == 1 << TagBits);

namespace {

/// Whether a word, from the beginning of sites, is of one of so many, without a
/// tag: with one, it is more than any.
GRAUPEL_HOT bool isPlain(uint64_t At, uint64_t Sites) {
  return std::rotr(At, TagBits) < Sites;
}

/// Number of leading records, at most `Most`, with the same site as the record
/// `Period` places later.
GRAUPEL_HOT uint32_t countRepeated(const uint64_t *Words, uint32_t Period,
                                   uint32_t Most) {
  constexpr Eight IsSite = {~0ull, 0, ~0ull, 0, ~0ull, 0, ~0ull, 0};
  uint32_t N = 0;
  for (; N + 8 <= Most; N += 8) {
    const uint64_t *At = Words + 2 * N, *Next = At + 2 * Period;
    Eight Now[2], Then[2];
    memcpy(Now, At, sizeof(Now));
    memcpy(Then, Next, sizeof(Then));
    Eight Different = ((Now[0] ^ Then[0]) | (Now[1] ^ Then[1])) & IsSite;
    if (__builtin_reduce_or(Different))
      break;
  }
  while (N < Most && Words[2 * N] == Words[2 * (N + Period)])
    ++N;
  return N;
}

} // namespace

/// Sites whose records follow each other again and again.
struct Thread::Period {
  static constexpr uint32_t Most = 8, LeastRounds = 4, LeastRecords = 16;
  uint32_t Sites, Rounds;
  struct {
    SiteState *State;
    /// Number of its stream's references in a round, and the rank of this one.
    uint32_t Count, Rank;
  } Members[Most];
};

/// Finds the period of the next records, if they repeat often enough.
GRAUPEL_HOT bool Thread::findPeriod(const uint64_t *Words, const uint64_t *Last,
                                    const NumberRange &Range, Period &P) {
  auto Records = static_cast<uint32_t>(Last - Words) / 2;
  if (Records < Period::LeastRecords)
    return false;
  P.Sites = 1;
  while (Words[2 * P.Sites] != Words[0])
    if (++P.Sites > Period::Most)
      return false;
  uint32_t Most = std::min(Records, Pending::Size) - P.Sites;
  P.Rounds = countRepeated(Words, P.Sites, Most) / P.Sites + 1;
  if (P.Rounds < Period::LeastRounds ||
      P.Rounds * P.Sites < Period::LeastRecords)
    return false;
  for (uint32_t N = 0; N < P.Sites; ++N) {
    if (!isPlain(Words[2 * N] - Range.Begin, Range.Bytes >> TagBits))
      return false;
    auto *State = States + Range.number(Words[2 * N]);
    if (!State->S || !State->S->End)
      return false;
    uint32_t Rank = 0;
    for (uint32_t K = 0; K < N; ++K)
      Rank += P.Members[K].State->S == State->S;
    P.Members[N] = {State, Rank + 1, Rank};
    for (uint32_t K = 0; Rank && K < N; ++K)
      if (P.Members[K].State->S == State->S)
        P.Members[K].Count = Rank + 1;
  }
  return true;
}

/// Takes a stretch of records of repeating sites; none if there is none, or if
/// a site does not keep to its object.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"),
               min_vector_width(512))) const uint64_t *
Thread::repeating(const uint64_t *Words, const uint64_t *Last,
                  const NumberRange &Range) {
  Period P;
  if (!findPeriod(Words, Last, Range, P))
    return Words;
  uint32_t Rounds = P.Rounds;
  for (uint32_t N = 0; N < P.Sites; ++N) {
    Stream &S = *P.Members[N].State->S;
    auto Room = static_cast<uint32_t>(S.End - S.Next);
    uint32_t Wanted = std::min(Rounds * P.Members[N].Count, Pending::Size);
    if (Room < Wanted && Room < Pending::Size / 2) {
      emptyOut(S);
      Room = Pending::Size;
    }
    Rounds = std::min(Rounds, Room / P.Members[N].Count);
  }
  for (uint32_t N = 0; N < P.Sites; ++N) {
    const SiteState &State = *P.Members[N].State;
    const uint64_t *From = Words + 2 * N + 1;
    uint64_t *To = State.S->Next + P.Members[N].Rank;
    const uint64_t Begin = State.Begin,
                   Share = reinterpret_cast<uint64_t>(State.H);
    const uint32_t Step = P.Members[N].Count;
    if (State.Bytes) {
      uint64_t Farthest = 0;
      for (uint32_t K = 0; K < Rounds; ++K, From += 2 * P.Sites, To += Step) {
        uint64_t Address = *From;
        Farthest = std::max(Farthest, Address - Begin);
        *To = Address;
        To[Stream::ShareAt] = Share;
      }
      if (Farthest >= State.Bytes)
        return Words;
      continue;
    }
    for (uint32_t K = 0; K < Rounds; ++K, From += 2 * P.Sites, To += Step) {
      uint64_t Address = *From;
      if (!isPiece(State, Address))
        return Words;
      *To = Address;
      To[Stream::ShareAt] = Share;
    }
  }
  for (uint32_t N = 0; N < P.Sites; ++N)
    P.Members[N].State->S->Next += Rounds;
  return Words + 2 * P.Sites * Rounds;
}

/// Reads references of sites in `Range`, as long as each has only to wait in
/// its stream.
const uint64_t *Thread::plain(const uint64_t *Words, const uint64_t *Last,
                              const NumberRange &Range) {
  // Locals, which stay in registers.
  const uint64_t Begin = Range.Begin, Sites = Range.Bytes >> TagBits;
  auto *First = reinterpret_cast<char *>(States + Range.First);
  static_assert(sizeof(SiteState) == GRAUPEL_STRIDE_ENTRY_BYTES);
  // Words to read one by one before the next search for a period.
  constexpr uint32_t Stretch = 2 * 32, MostInVain = 15;
  while (Words < Last) {
    if (Waits) {
      --Waits;
    } else if (const uint64_t *After = repeating(Words, Last, Range);
               After != Words) {
      Words = After;
      InVain = 0;
      continue;
    } else {
      InVain = std::min(InVain + 1, MostInVain);
      Waits = InVain;
    }
    const uint64_t *End = std::min(Last, Words + Stretch);
    for (; Words < End; Words += 2) {
      uint64_t At = Words[0] - Begin, Address = Words[1];
      if (__builtin_expect(!isPlain(At, Sites), false))
        return Words;
      auto &State = *reinterpret_cast<SiteState *>(First + At);
      if (!isThere(State, Address))
        resolve(State, Range.number(Words[0]), Address);
      if (__builtin_expect(append(State, Address), true))
        continue;
      if (State.S->Group)
        return Words;
      appendSlowly(State, Address);
    }
  }
  return Words;
}

} // namespace graupel::stride

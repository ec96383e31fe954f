//===- ReadHolds.cpp - Stores to what is held for reading -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/ReadHolds.h"
#include "Base/Lines.h"
#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Foreign/Describe.h"
#include "Node/Node.h"
#include "Transport/Fatal.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

namespace graupel::dsm {

/// A number of the words and of where they are. Words do not wait for each
/// other.
static uint64_t sumOfWords(uintptr_t At, const void *Bytes, size_t Count) {
  constexpr uint64_t Spread = 0x9e3779b97f4a7c15u;
  uint64_t Sum = 0;
  for (size_t I = 0; I < Count; I += sizeof(uint64_t)) {
    uint64_t Word = 0;
    memcpy(&Word, static_cast<const char *>(Bytes) + I,
           std::min(sizeof(Word), Count - I));
    uint64_t Mixed = (Word ^ (At + I) * Spread) * Spread;
    Sum += (Mixed ^ Mixed >> 32) * Spread;
  }
  return Sum;
}

/// Within a page.
ReadHold::PageSum ReadHold::sumOf(uintptr_t Start, uintptr_t End) {
  PageSum Page;
  if (permits(Look.Tags.summary(Start), /*Store=*/true))
    return Page; // Nothing is only to be read.
  for (uintptr_t A = Start; A < End;) {
    const uintptr_t Next = std::min((A | (GranuleBytes - 1)) + 1, End);
    const uint8_t *Tag = Look.Tags.tag(A);
    if (!permits(Tag, /*Store=*/true) && permits(Tag, /*Store=*/false)) {
      Page.Sum += sumOfWords(A, TheNode->Access.data(A), Next - A);
      ++Page.Granules;
    }
    A = Next;
  }
  return Page;
}

template <class F> void ReadHold::forEachPage(F Use) const {
  for (uintptr_t A = Start; A < End;) {
    const uintptr_t Next = std::min((A | (PageBytes - 1)) + 1, End);
    Use(A, sumOf(A, Next));
    A = Next;
  }
}

void ReadHold::begin(const graupel_dsm_range &R, uintptr_t From) {
  Start = reinterpret_cast<uintptr_t>(R.start);
  End = Start + std::min<uint64_t>(R.size_and_store >> 1, MostBytes);
  Pc = From;
  if (R.size_and_store & 1 || TheNode->Count == 1 ||
      !Look.Shared.contains(Start))
    End = Start;
  renew();
}

void ReadHold::renew() {
  Pages.clear();
  forEachPage([this](uintptr_t, PageSum Page) { Pages.push_back(Page); });
}

static void tell(uintptr_t Pc, uintptr_t A) {
  static std::mutex Mutex;
  static std::set<uintptr_t> Told;
  std::lock_guard Lock(Mutex);
  if (!Told.insert(Pc).second)
    return;
  print(format("graupel dsm: note: node %d: %s: memory that gdsm_fetch holds "
               "for reading has changed meanwhile, on the page of %#zx%s; if "
               "code without checks has stored there, the store is lost: fetch "
               "it with GDSM_WRITE\n",
               TheNode->Number, nameOf(Pc).Text, size_t(A),
               allocationOf(A).c_str()));
}

void ReadHold::end() {
  size_t Number = 0;
  forEachPage([&](uintptr_t A, PageSum Now) {
    const PageSum &Then = Pages[Number++];
    if (Now.Granules == Then.Granules && Now.Sum != Then.Sum)
      tell(Pc, A);
  });
}

} // namespace graupel::dsm

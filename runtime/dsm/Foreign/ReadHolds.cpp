//===- ReadHolds.cpp - Stores to what is held for reading -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/ReadHolds.h"
#include "Checks/Entries.h"
#include "Diagnose/Lines.h"
#include "Foreign/Describe.h"
#include "Node/Error.h"
#include "Node/Node.h"
#include "Transport/Fatal.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

namespace graupel::dsm {

/// The order of words counts.
static uint64_t addTo(uint64_t Sum, const void *Bytes, size_t Count) {
  for (size_t At = 0; At < Count; At += sizeof(uint64_t)) {
    uint64_t Word = 0;
    memcpy(&Word, static_cast<const char *>(Bytes) + At,
           std::min(sizeof(Word), Count - At));
    Sum = (Sum ^ Word) * 0x9e3779b97f4a7c15u;
    Sum ^= Sum >> 29;
  }
  return Sum;
}

/// Within a page.
ReadHold::PageSum ReadHold::sumOf(uintptr_t Start, uintptr_t End) {
  PageSum Page;
  for (uintptr_t A = Start; A < End;) {
    const uintptr_t Next = std::min((A | (GranuleBytes - 1)) + 1, End);
    const uint8_t Tag = __atomic_load_n(Look.Tags.tag(A), __ATOMIC_RELAXED);
    if (refuses(Tag, true) && !refuses(Tag, false)) {
      Page.Sum = addTo(Page.Sum, TheNode->Access.data(A), Next - A);
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

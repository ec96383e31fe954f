//===- LostStores.cpp - Stores without checks that are lost -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. When data arrives, its blocks must hold the sentinel.
// 2. At the end so must all memory whose data is elsewhere: a checked load that
//    found something else took it for the data, which then never came.
//
//===----------------------------------------------------------------------===//

#include "Foreign/LostStores.h"
#include "Base/Copy.h"
#include "Errors/Error.h"
#include "Foreign/Describe.h"
#include "Node/Node.h"
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace graupel::dsm {

[[noreturn]] static void refuse(uintptr_t Stored) {
  fail(
      "code without checks has stored to shared memory, %#zx%s, while its data "
      "was on another node, so that the store is lost; compile that code with "
      "graupel-dsm.cfg or hold the memory for it with gdsm_fetch, and find it "
      "with --check-missed",
      size_t(Stored), allocationOf(Stored).c_str());
}

void refuseLostStores(uintptr_t A, size_t Length) {
  Node &N = *TheNode;
  if (N.Shared.page(A).Hidden)
    return;
  size_t Stored = findNoSentinel(N.Access.data(A), Length);
  if (Stored != Length) [[unlikely]]
    refuse(A + Stored);
}

namespace {

/// The pages that this process has memory of its own for. Others are as they
/// were mapped, and reading them would cost a fault each.
class OwnPages {
public:
  explicit OwnPages(const Run &Pages)
      : Start(Pages.Start), Entries((Pages.End - Pages.Start) / PageBytes) {
    const size_t Bytes = Entries.size() * sizeof(uint64_t);
    int File = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (File < 0 ||
        pread(File, Entries.data(), Bytes,
              static_cast<off_t>(Start / PageBytes * sizeof(uint64_t))) !=
            static_cast<ssize_t>(Bytes))
      Entries.clear(); // All may be.
    if (File >= 0)
      close(File);
  }

  bool has(uintptr_t A) const {
    constexpr uint64_t Present = UINT64_C(1) << 63, Swapped = UINT64_C(1) << 62,
                       OfFile = UINT64_C(1) << 61;
    if (Entries.empty())
      return true;
    const uint64_t E = Entries[(A - Start) / PageBytes];
    return E & (Present | Swapped) && !(E & OfFile);
  }

private:
  uintptr_t Start;
  std::vector<uint64_t> Entries;
};

} // namespace

void refuseLostStores() {
  Node &N = *TheNode;
  N.Shared.forEachOpen([&N](const Run &Open) {
    const OwnPages Own(Open);
    for (uintptr_t A = Open.Start; A != Open.End; A += PageBytes)
      if (Own.has(A))
        if (uintptr_t Stored = N.Access.findStrayStore(A)) [[unlikely]]
          refuse(Stored);
  });
}

} // namespace graupel::dsm

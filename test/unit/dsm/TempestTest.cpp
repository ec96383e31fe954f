//===- TempestTest.cpp - Tempest's calls on pages, messages and waiting ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestNode.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace graupel::dsm;
using test::node;

namespace {

void *at(uintptr_t A) { return reinterpret_cast<void *>(A); }

/// Calls that are for handlers.
template <class F> void asHandler(F Body) {
  Away Here(node());
  Locked Lock(node().Dispatch);
  node().Dispatch.handle(Body);
}

void dispatchAll() {
  Away Here(node());
  Locked Lock(node().Dispatch);
  while (node().Dispatch.dispatchOne())
    ;
}

TEST(TempestPages, MapAndForget) {
  uintptr_t P = test::openPages(64);
  int User;
  tempest_page_info Info;
  asHandler([&] {
    EXPECT_EQ(tempest_get_page_info(&User, &Info), -1);
    EXPECT_EQ(tempest_get_page_info(at(P + 9), &Info), 0);
    EXPECT_EQ(tempest_alloc_and_map(at(P + 64), 1, TEMPEST_INVALID, 0, nullptr),
              0)
        << "unaligned";
    EXPECT_EQ(tempest_alloc_and_map(at(P + RegionBytes / 2), 1, TEMPEST_INVALID,
                                    0, nullptr),
              0)
        << "outside of all allocations";
    EXPECT_EQ(tempest_alloc_and_map(at(P), 3, TEMPEST_READ_WRITE, 5, &User), 1);
    EXPECT_EQ(tempest_alloc_and_map(at(P), 3, TEMPEST_READ_WRITE, 5, &User), 0)
        << "twice";
    ASSERT_EQ(tempest_get_page_info(at(P + 9), &Info), 1);
    EXPECT_EQ(Info.mode, 3);
    EXPECT_EQ(Info.home, 5);
    EXPECT_EQ(Info.user_pointer, &User);
    memset(at(P), 'a', 4096);
    EXPECT_EQ(tempest_unmap_and_free(at(P)), 1);
    EXPECT_EQ(tempest_unmap_and_free(at(P)), 0);
    EXPECT_EQ(tempest_get_page_info(at(P), &Info), 0);
    EXPECT_EQ(*static_cast<uint32_t *>(at(P + 40)), GRAUPEL_DSM_SENTINEL);
    EXPECT_EQ(*node().Tags.tag(P), TEMPEST_INVALID);
    EXPECT_EQ(tempest_alloc_and_map(at(P), 3, TEMPEST_READ_WRITE, 5, &User), 1);
    EXPECT_EQ(*static_cast<uint32_t *>(at(P + 40)), 0u) << "zeros again";
  });
}

TEST(TempestPages, RemapMovesEverything) {
  uintptr_t P = test::openPages(64), Q = P + 4096, Small = test::openPages(32);
  tempest_page_info Info;
  asHandler([&] {
    tempest_alloc_and_map(at(P), 2, TEMPEST_READ_WRITE, 7, &Info);
    memset(at(P), 'b', 4096);
    tempest_change_blocks(at(P + 64), 64, TEMPEST_READ_WRITE_TO_INVALID);
    tempest_change_blocks(at(P + 128), 128, TEMPEST_READ_WRITE_TO_READ_ONLY);
    EXPECT_EQ(tempest_remap(at(P), at(Small)), 0) << "another block size";
    EXPECT_EQ(tempest_remap(at(P), at(Q)), 1);
    EXPECT_EQ(tempest_get_page_info(at(P), &Info), 0);
    ASSERT_EQ(tempest_get_page_info(at(Q), &Info), 1);
    EXPECT_EQ(Info.mode, 2);
    EXPECT_EQ(Info.home, 7);
    EXPECT_EQ(tempest_get_tag(at(Q)), TEMPEST_READ_WRITE);
    EXPECT_EQ(tempest_get_tag(at(Q + 64)), TEMPEST_INVALID);
    EXPECT_EQ(tempest_get_tag(at(Q + 192)), TEMPEST_READ_ONLY);
    EXPECT_EQ(*static_cast<char *>(at(Q + 200)), 'b');
    EXPECT_EQ(*static_cast<uint32_t *>(at(P)), GRAUPEL_DSM_SENTINEL);
    EXPECT_EQ(*node().Tags.tag(P), TEMPEST_INVALID);
    EXPECT_EQ(*node().Tags.summary(Q), TEMPEST_INVALID);
  });
}

TEST(TempestPages, ProtectionHidesAndKeeps) {
  uintptr_t P = test::openPages(128);
  asHandler([&] {
    EXPECT_EQ(tempest_get_page_protection(at(P)), -1);
    tempest_alloc_and_map(at(P), 2, TEMPEST_READ_WRITE, 0, nullptr);
    memset(at(P), 'c', 4096);
    tempest_change_blocks(at(P), 128, TEMPEST_READ_WRITE_TO_READ_ONLY);
    tempest_set_page_protection(at(P), TEMPEST_PAGE_INVALID);
    EXPECT_EQ(tempest_get_page_protection(at(P)), TEMPEST_PAGE_INVALID);
    // Nobody can access it ...
    EXPECT_EQ(*node().Tags.tag(P + 2000), TEMPEST_INVALID);
    EXPECT_EQ(*node().Tags.summary(P), TEMPEST_INVALID);
    EXPECT_EQ(*static_cast<uint32_t *>(at(P + 40)), GRAUPEL_DSM_SENTINEL);
    // ... but the protocol sees what it had, and can change it.
    EXPECT_EQ(tempest_get_tag(at(P)), TEMPEST_READ_ONLY);
    EXPECT_EQ(tempest_get_tag(at(P + 128)), TEMPEST_READ_WRITE);
    char Data[128];
    tempest_change_blocks_and_get(at(P + 128), 128,
                                  TEMPEST_READ_WRITE_TO_INVALID, Data);
    EXPECT_EQ(Data[127], 'c');
    tempest_set_page_protection(at(P), TEMPEST_PAGE_READ_WRITE);
    EXPECT_EQ(tempest_get_tag(at(P)), TEMPEST_READ_ONLY);
    EXPECT_EQ(*node().Tags.tag(P + 128), TEMPEST_INVALID);
    EXPECT_EQ(*node().Tags.tag(P + 256), TEMPEST_READ_WRITE);
    EXPECT_EQ(*static_cast<char *>(at(P + 300)), 'c');
    EXPECT_EQ(*static_cast<uint32_t *>(at(P + 128)), GRAUPEL_DSM_SENTINEL);
  });
}

TEST(TempestPages, Allocations) {
  uintptr_t P = test::openPages(256);
  tempest_allocation A;
  ASSERT_EQ(tempest_get_allocation(at(P + ChunkBytes - 1), &A), 1);
  EXPECT_EQ(A.block, 256u);
  EXPECT_EQ(tempest_get_allocation(&A, &A), 0);
}

struct {
  int Calls = 0, Source = -1, Size = 0;
  std::vector<uint64_t> Words;
  char Region[64] = {};
} Got;

TEST(TempestMessages, ToThisNode) {
  static unsigned Number =
      tempest_register_message_handler("test.words", [](int Source, int Size) {
        ++Got.Calls;
        Got.Source = Source;
        Got.Size = Size;
        Got.Words = {tempest_get_word(), tempest_get_word()};
        tempest_get_region(Got.Region, 40);
        tempest_get_region(Got.Region + 40, 10);
      });
  char Text[50];
  memset(Text, 'd', sizeof(Text));
  asHandler([&] {
    tempest_message M;
    tempest_begin(&M, 0, Number);
    tempest_put_word(&M, 5);
    tempest_put_word(&M, 6);
    tempest_put_region(&M, Text, sizeof(Text));
    tempest_send(&M);
    memset(Text, 'e', sizeof(Text));
    EXPECT_EQ(Got.Calls, 0) << "after the current handler";
  });
  dispatchAll();
  EXPECT_EQ(Got.Calls, 1);
  EXPECT_EQ(Got.Source, 0);
  EXPECT_EQ(Got.Size, 66);
  EXPECT_EQ(Got.Words, (std::vector<uint64_t>{5, 6}));
  EXPECT_EQ(Got.Region[49], 'd');
}

uintptr_t Where = 0;

TEST(TempestMessages, BlocksWithTags) {
  static unsigned Take =
      tempest_register_message_handler("test.take", [](int, int) {
        tempest_get_blocks(at(Where + 4096), 128, TEMPEST_INVALID_TO_READ_ONLY);
      });
  static unsigned Seen =
      tempest_register_message_handler("test.seen", [](int, int) {
        // In place before the handler runs.
        EXPECT_EQ(tempest_get_tag(at(Where + 4096 + 128)), TEMPEST_READ_WRITE);
        EXPECT_EQ(*static_cast<char *>(at(Where + 4096 + 128)), 'f');
        ++Got.Calls;
      });
  Where = test::openPages(128);
  Got = {};
  asHandler([&] {
    tempest_alloc_and_map(at(Where), 2, TEMPEST_READ_WRITE, 0, nullptr);
    tempest_alloc_and_map(at(Where + 4096), 2, TEMPEST_INVALID, 0, nullptr);
    memset(at(Where), 'f', 4096);
    tempest_message M;
    tempest_begin(&M, 0, Take);
    tempest_put_blocks(&M, at(Where), 128, TEMPEST_READ_WRITE_TO_INVALID);
    tempest_send(&M);
    EXPECT_EQ(*static_cast<uint32_t *>(at(Where)), GRAUPEL_DSM_SENTINEL);
    tempest_begin(&M, 0, Seen);
    tempest_put_blocks_at(&M, at(Where + 128), 128, TEMPEST_NO_CHANGE,
                          at(Where + 4096 + 128),
                          TEMPEST_INVALID_TO_READ_WRITE);
    tempest_send(&M);
  });
  // From a thread that is no handler, too.
  tempest_message M;
  tempest_begin(&M, 0, Seen);
  tempest_send(&M);
  dispatchAll();
  EXPECT_EQ(Got.Calls, 2);
  EXPECT_EQ(tempest_get_tag(at(Where + 4096)), TEMPEST_READ_ONLY);
  EXPECT_EQ(*static_cast<char *>(at(Where + 4096)), 'f');
  EXPECT_EQ(tempest_get_tag(at(Where)), TEMPEST_INVALID);
  EXPECT_EQ(tempest_get_tag(at(Where + 128)), TEMPEST_READ_WRITE);
}

TEST(TempestMessages, ForwardLeavesThePayload) {
  static unsigned Second =
      tempest_register_message_handler("test.second", [](int, int) {
        tempest_get_region(Got.Region, 8);
        ++Got.Calls;
      });
  static unsigned Forward =
      tempest_register_message_handler("test.forward", [](int, int) {
        tempest_message M;
        tempest_begin(&M, 0, Second);
        tempest_put_forward(&M, 8);
        tempest_send(&M);
        char Own[8];
        tempest_get_region(Own, 8);
        EXPECT_EQ(memcmp(Own, "12345678", 8), 0);
      });
  Got = {};
  tempest_message M;
  tempest_begin(&M, 0, Forward);
  tempest_put_region(&M, "12345678", 8);
  tempest_send(&M);
  dispatchAll();
  EXPECT_EQ(Got.Calls, 1);
  EXPECT_EQ(memcmp(Got.Region, "12345678", 8), 0);
}

TEST(TempestChannels, DeliverOnceAndAgain) {
  static int SourceDone = 0, DestinationDone = 0;
  static std::vector<char> From(10000), To(10000);
  uint64_t C = 0;
  for (int Round = 1; Round != 3; ++Round) {
    for (size_t I = 0; I != From.size(); ++I)
      From[I] = static_cast<char>(I * 31 + Round);
    asHandler([&] {
      if (Round == 1) {
        C = tempest_channel_source(From.data(), From.size(), 0,
                                   [](uint64_t) { ++SourceDone; });
        tempest_channel_destination(C, 0, To.data(), To.size(),
                                    [](uint64_t) { ++DestinationDone; });
      } else {
        tempest_channel_reset(C);
      }
      tempest_channel_send(C);
    });
    dispatchAll();
    EXPECT_EQ(SourceDone, Round);
    EXPECT_EQ(DestinationDone, Round);
    EXPECT_EQ(From, To);
  }
  asHandler([&] { tempest_channel_destroy(C); });
}

TEST(TempestWaiting, SemaphoresAndSpinning) {
  static tempest_semaphore S = {0};
  static std::atomic<int> Phase{0};
  test::onThreads(2, [](int I) {
    if (I == 0) {
      tempest_sleep(&S);
      Phase = 1;
      tempest_spin([](void *) -> int { return Phase != 2; }, nullptr);
      Phase = 3;
      return;
    }
    while (__atomic_load_n(&S.count, __ATOMIC_SEQ_CST) != 1)
      ;
    EXPECT_EQ(Phase, 0);
    tempest_wakeup(&S);
    while (Phase != 1)
      ;
    Phase = 2;
    tempest_shared_spin([](void *) -> int { return Phase != 3; }, nullptr);
  });
  EXPECT_EQ(Phase, 3);
}

} // namespace

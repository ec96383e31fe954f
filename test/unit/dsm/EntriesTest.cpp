//===- EntriesTest.cpp - What checked code calls ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entries/Vectors.h"
#include "TestNode.h"
#include <cstring>
#include <ctime>
#include <gtest/gtest.h>
#include <random>

using namespace graupel::dsm;
using test::node;

extern "C" void callEntry(void (*Entry)(), const uint64_t *In, uint64_t *Out,
                          const void *VectorsIn, void *VectorsOut);

namespace {

struct alignas(64) VectorArea {
  uint8_t Bytes[16384] = {};
};

/// Whether the method under test saves more than fxsave does.
bool Wide = true;

/// As a handler might, and more: nothing survives here.
void spoilRegisters() {
  asm volatile("fninit\n fldpi\n fldl2e\n"
               "pcmpeqd %%xmm0, %%xmm0\n pcmpeqd %%xmm5, %%xmm5\n"
               "pcmpeqd %%xmm15, %%xmm15\n fninit" ::
                   : "xmm0", "xmm5", "xmm15");
  if (!Wide)
    return;
  if (__builtin_cpu_supports("avx"))
    asm volatile("vzeroall" ::
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                       "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15");
  if (__builtin_cpu_supports("avx512bw"))
    asm volatile("vpternlogd $0xff, %zmm1, %zmm1, %zmm1\n"
                 "vpternlogd $0xff, %zmm17, %zmm17, %zmm17\n"
                 "vpternlogd $0xff, %zmm31, %zmm31, %zmm31\n"
                 "kxorq %k1, %k1, %k1\n kxnorq %k7, %k7, %k7");
}

uintptr_t Page = 0;
int FaultsSeen = 0;

void onBlockFault(void *Address, void *, int) {
  ++FaultsSeen;
  spoilRegisters();
  auto A = reinterpret_cast<uintptr_t>(Address) & -64;
  auto *Block = reinterpret_cast<void *>(A);
  if (tempest_get_tag(Block) == TEMPEST_INVALID)
    tempest_change_blocks(Block, 64, TEMPEST_INVALID_TO_READ_WRITE);
  tempest_resume(Address, 1);
}

void prepare() {
  if (Page)
    return;
  node();
  Page = test::openPages(64);
  for (bool Store : {false, true})
    node().Refused.setBlockHandler(1, TEMPEST_INVALID, Store, onBlockFault);
  Away Here(node());
  Locked Lock(node().Dispatch);
  ASSERT_TRUE(tempest_alloc_and_map(reinterpret_cast<void *>(Page), 1,
                                    TEMPEST_INVALID, 0, nullptr));
}

/// What the first 16 vector registers have above their lower 16 bytes.
enum class Uppers { All, None, OneBit };

/// The vector state of this thread as a start, with other contents.
void randomVectors(VectorArea &V, std::mt19937_64 &Random, Uppers Kind) {
  asm volatile("xsave64 %0" : "=m"(V) : "a"(-1), "d"(-1) : "memory");
  // Tiles may be used by who has asked for them only; they stay unused.
  constexpr uint64_t Vectors = 0xe7;
  uint64_t States = Wide ? graupelDsmVectorMask & Vectors : 3;
  memcpy(V.Bytes + 512, &States, 8); // In use, all of them.
  auto Fill = [&](size_t At, size_t Size) {
    for (size_t I = At; I < At + Size; ++I)
      V.Bytes[I] = static_cast<uint8_t>(Random());
  };
  // x87 and MXCSR stay valid: five values on the stack.
  V.Bytes[3] = (V.Bytes[3] & ~0x38) | 3 << 3;
  V.Bytes[4] = 0xf8;
  for (int I = 0; I != 8; ++I)
    Fill(32 + I * 16, 10);
  Fill(160, 256); // xmm0-15
  struct {
    unsigned State, Skip;
  } const Others[] = {{2, 0}, {5, 0}, {6, 0}, {7, 0}};
  unsigned Widest = States >> 6 & 1 ? 6 : 2;
  for (auto O : Others) {
    if (!(States >> O.State & 1))
      continue;
    unsigned Size, Offset, C, D;
    asm volatile("cpuid"
                 : "=a"(Size), "=b"(Offset), "=c"(C), "=d"(D)
                 : "0"(0xd), "2"(O.State));
    if (Kind == Uppers::All || O.State == 5 || O.State == 7) {
      Fill(Offset, Size);
      continue;
    }
    memset(V.Bytes + Offset, 0, Size);
    if (Kind == Uppers::OneBit && O.State == Widest)
      V.Bytes[Offset + Random() % Size] |= 1u << Random() % 8;
  }
}

void expectPreserved(void (*Entry)(), uint64_t Rdi, uint64_t Rsi,
                     const char *What, Uppers Kind) {
  static std::mt19937_64 Random(11);
  static VectorArea In, Out;
  memset(&Out, 0, sizeof(Out));
  randomVectors(In, Random, Kind);
  uint64_t GeneralIn[14], GeneralOut[14];
  for (uint64_t &R : GeneralIn)
    R = Random();
  GeneralIn[5] = Rdi;
  GeneralIn[4] = Rsi;
  callEntry(Entry, GeneralIn, GeneralOut, &In, &Out);
  EXPECT_EQ(memcmp(GeneralIn, GeneralOut, sizeof(GeneralIn)), 0) << What;
  EXPECT_EQ(memcmp(In.Bytes + 24, Out.Bytes + 24, 4), 0) << What << ": MXCSR";
  EXPECT_EQ(memcmp(In.Bytes, Out.Bytes, 5), 0) << What << ": x87 control";
  size_t Different = 0;
  for (size_t I = 32; I != 416; ++I)
    if (I < 160 && (I - 32) % 16 >= 10)
      continue;
    else
      Different += In.Bytes[I] != Out.Bytes[I];
  for (size_t I = 576; Wide && I != sizeof(In.Bytes); ++I)
    Different += In.Bytes[I] != Out.Bytes[I];
  EXPECT_EQ(Different, 0u) << What << ": bytes of vector registers";
}

void invalidate() {
  Away Here(node());
  Locked Lock(node().Dispatch);
  auto *Block = reinterpret_cast<void *>(Page);
  if (tempest_get_tag(Block) == TEMPEST_READ_WRITE)
    tempest_change_blocks(Block, 64, TEMPEST_READ_WRITE_TO_INVALID);
}

class Entries : public ::testing::TestWithParam<uint32_t> {};

TEST_P(Entries, PreserveAllRegisters) {
  prepare();
  chooseVectorMethod(GetParam());
  if (graupelDsmVectorMethod != GetParam())
    GTEST_SKIP() << "the processor does not have it";
  Wide = GetParam() != 0;
  graupel_dsm_range Set[2] = {{reinterpret_cast<void *>(Page), 8 << 1 | 1},
                              {reinterpret_cast<void *>(Page + 70), 1 << 1}};
  const uint64_t Words[2] = {Page, 4};
  const graupel_dsm_set Described = {1, {{1, 2 * 2, 1}}};
  struct {
    const char *Name;
    void (*Entry)();
    uint64_t Rdi, Rsi;
  } const All[] = {
      {"load", reinterpret_cast<void (*)()>(graupel_dsm_load), Page, 8},
      {"store", reinterpret_cast<void (*)()>(graupel_dsm_store), Page + 3, 8},
      {"acquire_set", reinterpret_cast<void (*)()>(graupel_dsm_acquire_set),
       reinterpret_cast<uint64_t>(Words),
       reinterpret_cast<uint64_t>(&Described)},
      {"poll", graupel_dsm_poll, 1, 2},
      {"poll_acquire", reinterpret_cast<void (*)()>(graupel_dsm_poll_acquire),
       reinterpret_cast<uint64_t>(Set), 2},
      {"poll_acquire_set",
       reinterpret_cast<void (*)()>(graupel_dsm_poll_acquire_set),
       reinterpret_cast<uint64_t>(Words),
       reinterpret_cast<uint64_t>(&Described)},
  };
  std::vector<Uppers> Kinds{Uppers::All, Uppers::None};
  Kinds.resize(40, Uppers::OneBit);
  for (auto &E : All)
    for (Uppers Kind : Kinds) {
      int Before = FaultsSeen;
      invalidate();
      node().Wire->control().Poll = 1;
      expectPreserved(E.Entry, E.Rdi, E.Rsi, E.Name, Kind);
      EXPECT_EQ(FaultsSeen > Before, E.Entry != graupel_dsm_poll) << E.Name;
      // And again with nothing to do.
      expectPreserved(E.Entry, E.Rdi, E.Rsi, E.Name, Kind);
    }
  chooseVectorMethod();
}

INSTANTIATE_TEST_SUITE_P(Methods, Entries, ::testing::Values(0u, 1u, 2u));

double nanosecondsEach(int Count, void (*Body)()) {
  timespec A, B;
  clock_gettime(CLOCK_MONOTONIC, &A);
  for (int I = 0; I != Count; ++I)
    Body();
  clock_gettime(CLOCK_MONOTONIC, &B);
  return ((B.tv_sec - A.tv_sec) * 1e9 + (B.tv_nsec - A.tv_nsec)) / Count;
}

// Dirty upper halves make the additions of this loop wait for each other
// through XMM1, which each iteration writes anew.
TEST(Entries, LeaveUpperHalvesCleanForSse) {
  prepare();
  if (!graupelDsmHasAvx)
    GTEST_SKIP() << "the processor does not have them";
  alignas(16) static const double One[2] = {1, 1};
  auto Loop = [] {
    asm volatile("mov $1000, %%ecx\n"
                 ".p2align 6\n" // Each copy that is made of it is as fast.
                 "1: movupd %0, %%xmm1\n mulpd %%xmm1, %%xmm1\n"
                 "movupd %0, %%xmm1\n mulpd %%xmm1, %%xmm1\n"
                 "dec %%ecx\n jnz 1b" ::"m"(One)
                 : "rcx", "xmm1");
  };
  auto Best = [&] {
    double Least = 1e9;
    for (int I = 0; I != 200; ++I)
      Least = std::min(Least, nanosecondsEach(1, Loop));
    return Least;
  };
  asm volatile("vpcmpeqd %%ymm0, %%ymm0, %%ymm0\n vzeroupper" ::: "xmm0");
  double Clean = Best();
  invalidate();
  graupel_dsm_store(reinterpret_cast<void *>(Page), 8);
  EXPECT_LT(Best(), 1.5 * Clean);
}

TEST(EntryCosts, ArePrinted) {
  prepare();
  graupel_dsm_store(reinterpret_cast<void *>(Page), 8);
  double Best[3] = {1e9, 1e9, 1e9};
  for (int I = 0; I != 20; ++I) {
    Best[0] = std::min(Best[0], nanosecondsEach(1000, [] {
                         graupel_dsm_store(reinterpret_cast<void *>(Page), 8);
                       }));
    Best[1] = std::min(Best[1], nanosecondsEach(1000, [] {
                         node().Wire->control().Poll = 1;
                         graupel_dsm_poll();
                       }));
    Best[2] = std::min(Best[2], nanosecondsEach(1000, [] {
                         node().Access.set(Page, 64, TEMPEST_READ_WRITE,
                                           TEMPEST_INVALID);
                         graupel_dsm_store(reinterpret_cast<void *>(Page), 8);
                       }));
  }
  printf("entry with nothing to do %.0f ns; poll %.0f ns; tag taken away, "
         "fault, and a handler that sets it %.0f ns\n",
         Best[0], Best[1], Best[2]);
  // Generous: these machines are shared.
  EXPECT_LT(Best[0], 1000);
  EXPECT_LT(Best[2], 5000);
}

} // namespace

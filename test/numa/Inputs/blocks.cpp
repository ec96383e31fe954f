// Blocks of all kinds and sizes, from several threads, freed by others, in a
// child too. Each block has a pattern that must not change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <new>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Block {
  unsigned char *Start;
  size_t Bytes;
  unsigned char Pattern;
};
static std::vector<Block> Shared;
static std::mutex Lock;
static std::atomic<unsigned> Wrong, Count;

static void check(const Block &B) {
  for (size_t N = 0; N < B.Bytes; N += B.Bytes > 4096 ? 509 : 1)
    Wrong += B.Start[N] != B.Pattern;
  if (B.Bytes)
    Wrong += B.Start[B.Bytes - 1] != B.Pattern;
}

struct alignas(256) Wide {
  char Bytes[300];
};

[[gnu::noinline]] static Block make(uint32_t Random) {
  size_t Bytes = Random >> 8 & ((1u << (Random >> 3) % 18) - 1);
  void *Start = nullptr;
  size_t Alignment = 1;
  switch (Random % 8) {
  case 0:
    Start = calloc(Bytes / 7 + 1, 7);
    for (size_t N = 0; N < Bytes; ++N)
      Wrong += static_cast<char *>(Start)[N] != 0;
    break;
  case 1:
    Alignment = 64u << (Random >> 5) % 8;
    Start = aligned_alloc(Alignment, (Bytes + Alignment) & -Alignment);
    break;
  case 2:
    Alignment = 8192;
    if (posix_memalign(&Start, Alignment, Bytes + 1))
      abort();
    break;
  case 3:
    Start = realloc(nullptr, Bytes + 1);
    break;
  default:
    Start = malloc(Bytes);
  }
  Wrong += reinterpret_cast<uintptr_t>(Start) % Alignment != 0;
  Wrong += Start && malloc_usable_size(Start) < Bytes;
  ++Count;
  Block B{static_cast<unsigned char *>(Start), Bytes,
          static_cast<unsigned char>(Random >> 24)};
  memset(B.Start, B.Pattern, B.Bytes);
  return B;
}

[[gnu::noinline]] static void grow(Block &B, size_t Bytes) {
  B.Start = static_cast<unsigned char *>(realloc(B.Start, Bytes + 1));
  size_t Old = B.Bytes;
  B.Bytes = Old < Bytes ? Old : Bytes;
  check(B);
  B.Bytes = Bytes;
  memset(B.Start, B.Pattern, Bytes);
}

static void work(uint32_t Seed, unsigned Rounds) {
  std::vector<Block> Own;
  for (uint32_t Random = Seed; Rounds--;) {
    Random = Random * 1664525 + 1013904223;
    Own.push_back(make(Random ^ Random >> 13));
    if (Random % 5 == 0)
      grow(Own[Random % Own.size()], Random >> 16 & 0x3fff);
    if (Random % 3 == 0) {
      std::lock_guard Hold(Lock);
      Shared.push_back(Own.back());
      Own.pop_back();
      std::swap(Shared[Random % Shared.size()], Shared.back());
      Own.push_back(Shared.back());
      Shared.pop_back();
    }
    if (Own.size() > 60) {
      check(Own[Random % 60]);
      free(Own[Random % 60].Start);
      std::swap(Own[Random % 60], Own.back());
      Own.pop_back();
    }
  }
  for (Block &B : Own) {
    check(B);
    free(B.Start);
  }
}

int main() {
  std::vector<std::thread> Threads;
  for (uint32_t N = 0; N < 4; ++N)
    Threads.emplace_back(work, N + 1, 6000u);
  for (int N = 0; N < 5; ++N) {
    // A thread that holds it is not there in the child.
    Lock.lock();
    pid_t Child = fork();
    Lock.unlock();
    if (!Child) {
      work(99, 300);
      _exit(Wrong != 0);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    Wrong += Status != 0;
  }
  for (std::thread &T : Threads)
    T.join();
  // What operator new makes.
  std::vector<Wide *> Wides;
  for (int N = 0; N < 50; ++N) {
    Wides.push_back(new Wide);
    Wrong += reinterpret_cast<uintptr_t>(Wides.back()) % 256 != 0;
  }
  for (Wide *W : Wides)
    delete W;
  try {
    std::string Long(size_t(1) << 60, 'x');
    Wrong += 1;
  } catch (const std::bad_alloc &) {
  }
  printf("%u blocks, %u wrong\n", Count.load(), Wrong.load());
  return Wrong != 0;
}

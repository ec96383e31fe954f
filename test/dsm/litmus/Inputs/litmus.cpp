//===- litmus.cpp - Handshakes against lost updates -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread stores into a block under a check in a loop, and a handler takes the
// block away, over and over: after its handshake nothing may be stored. Sound
// schemes and unsound ones, which must be caught (docs/design/
// fgdsm-handshake.md); and what each costs.
//
//   litmus SCHEME... [-n DOWNGRADES] [-seconds LIMIT]
//
// The threads run on processors of their own, with the store buffer empty and
// full by turns. An unsound scheme runs until it fails or the limit is reached.
// Exit code 1: a sound scheme lost an update, or an unsound one was not caught.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string_view>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <x86intrin.h>

namespace {

template <class T> struct alignas(128) Line {
  volatile T Value;
};

Line<uint8_t> Tag;   // 0: stores are permitted.
Line<uint64_t> Data; // The block.
Line<uint64_t> Own;  // The thread's word of the scheme.
Line<uint8_t> Flag;  // What safepoints poll.
volatile bool Stop;
alignas(128) char Pad[1 << 22];

void compilerBarrier() { asm volatile("" ::: "memory"); }
void membarrier(int Command) { syscall(SYS_membarrier, Command, 0, 0); }

template <class T> void waitWhile(const Line<T> &L, T Seen) {
  for (unsigned Spins = 1; L.Value == Seen; ++Spins)
    if (Spins % 4096 == 0)
      sched_yield(); // The other thread may have lost its processor.
    else
      _mm_pause();
}

/// A checked store, and what stands at the end of an iteration.
inline void store(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
  if (*T == 0) {
    compilerBarrier();
    *D = V;
  }
  compilerBarrier();
}

// --- Schemes: what the thread does, and what the handler does between the new
// tag
//     and the copy.

/// The runtime's: a poll whose slow path moves the thread's word with a locked
/// instruction; the handler asks for it.
struct Safepoint {
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    store(T, D, V);
    if (Flag.Value) [[unlikely]]
      __atomic_fetch_add(&Own.Value, 2, __ATOMIC_SEQ_CST);
  }
  static void handshake() {
    _mm_mfence();
    uint64_t Seen = Own.Value;
    Flag.Value = 1;
    waitWhile(Own, Seen);
    Flag.Value = 0;
  }
};

/// Test and store as a restartable sequence; the kernel restarts threads in it.
struct Rseq {
  static bool supported() { return __rseq_size != 0; }
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    auto *R = reinterpret_cast<struct rseq *>(
        static_cast<char *>(__builtin_thread_pointer()) + __rseq_offset);
    asm goto(".pushsection __rseq_cs, \"aw\"\n"
             ".balign 32\n"
             "3: .long 0, 0\n"
             ".quad 1f, 2f - 1f, 4f\n"
             ".popsection\n"
             "leaq 3b(%%rip), %%rax\n"
             "movq %%rax, %c[Cs](%[R])\n"
             "1: cmpb $0, (%[T])\n"
             "jne %l[Out]\n"
             "movq %[V], (%[D])\n"
             "2:\n"
             ".pushsection __rseq_failure, \"ax\"\n"
             ".byte 0x0f, 0xb9, 0x3d\n"
             ".long 0x53053053\n"
             "4: jmp %l[Out]\n"
             ".popsection\n"
             :
             : [R] "r"(R), [Cs] "i"(offsetof(struct rseq, rseq_cs)), [T] "r"(T),
               [D] "r"(D), [V] "r"(V)
             : "rax", "memory", "cc"
             : Out);
  Out:
    compilerBarrier();
  }
  static void handshake() { membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ); }
};

/// Plain stores around the access tell that the thread is inside; the barrier
/// that they lack is the handler's.
struct Hybrid {
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    uint64_t W = Own.Value;
    Own.Value = W + 1;
    compilerBarrier();
    store(T, D, V);
    Own.Value = W + 2;
    compilerBarrier();
  }
  static void handshake() {
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    uint64_t Seen = Own.Value;
    if (Seen & 1)
      waitWhile(Own, Seen);
  }
};

/// Unsound: Hybrid with the handler's own fence only.
struct Brackets : Hybrid {
  static void handshake() {
    _mm_mfence();
    uint64_t Seen = Own.Value;
    if (Seen & 1)
      waitWhile(Own, Seen);
  }
};

/// Unsound: nobody waits.
struct None {
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    store(T, D, V);
  }
  static void handshake() { _mm_mfence(); }
};

/// Unsound on x86, as published (Schoinas 1998, 5.2.1): the address in a flag.
struct PublishedS {
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    Own.Value = 1;
    compilerBarrier();
    store(T, D, V);
    Own.Value = 0;
    compilerBarrier();
  }
  static void handshake() {
    _mm_mfence();
    waitWhile<uint64_t>(Own, 1);
  }
};

/// Unsound on x86, as published: the thread clears a flag at each back-edge.
struct PublishedSB {
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    store(T, D, V);
    Own.Value = 0;
    compilerBarrier();
  }
  static void handshake() {
    _mm_mfence();
    Own.Value = 1;
    waitWhile<uint64_t>(Own, 1);
  }
};

/// Unsound on x86, as published: the thread counts back-edges.
struct PublishedEpoch {
  static void access(volatile uint8_t *T, volatile uint64_t *D, uint64_t V) {
    store(T, D, V);
    Own.Value = Own.Value + 1;
    compilerBarrier();
  }
  static void handshake() {
    _mm_mfence();
    waitWhile<uint64_t>(Own, Own.Value);
  }
};

/// The same with the kernel's barrier in the handler.
struct Epoch : PublishedEpoch {
  static void handshake() {
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    waitWhile<uint64_t>(Own, Own.Value);
  }
};

// --- The trial.

cpu_set_t Allowed; // To the process when it started.

void runOn(int Processor) {
  cpu_set_t One;
  CPU_ZERO(&One);
  for (int I = 0, Left = Processor % CPU_COUNT(&Allowed); I != CPU_SETSIZE; ++I)
    if (CPU_ISSET(I, &Allowed) && Left-- == 0)
      CPU_SET(I, &One);
  pthread_setaffinity_np(pthread_self(), sizeof(One), &One);
}

double seconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<double>(T.tv_sec) + 1e-9 * static_cast<double>(T.tv_nsec);
}

template <class S> void application(bool Pressure) {
  runOn(1);
  uint64_t N = 0, Line = 0;
  while (!Stop) {
    S::access(&Tag.Value, &Data.Value, ++N);
    // Stores that miss keep the next ones in the store buffer.
    for (int K = 0; Pressure && K != 4; ++K)
      *reinterpret_cast<volatile uint64_t *>(
          &Pad[Line++ * 4160 & (sizeof(Pad) - 64)]) = N;
  }
}

struct Result {
  long Downgrades = 0, Lost = 0;
  std::vector<uint64_t>
      Cycles; // Of the handshakes; not of all if they are many.
};

constexpr size_t MostSamples = 1 << 20;

template <class S>
Result run(long Downgrades, bool Pressure, bool UntilLost, double Limit) {
  Tag.Value = 0;
  Flag.Value = 0;
  Data.Value = 0;
  Own.Value = 0;
  Stop = false;
  std::thread App(application<S>, Pressure);
  while (Data.Value == 0)
    sched_yield();
  Result R;
  for (double End = seconds() + Limit;
       R.Downgrades != Downgrades && !(UntilLost && R.Lost); ++R.Downgrades) {
    uint64_t Start = __rdtsc();
    Tag.Value = 0x80;
    S::handshake();
    uint64_t Copy = Data.Value;
    if (R.Cycles.size() < MostSamples)
      R.Cycles.push_back(__rdtsc() - Start);
    for (int K = 0; K != 20; ++K)
      _mm_pause();
    R.Lost += Data.Value != Copy;
    Tag.Value = 0;
    for (long K = 0; K != (R.Downgrades & 15); ++K)
      _mm_pause();
    if (R.Downgrades % 256 == 0 && seconds() > End)
      break;
  }
  Stop = true;
  App.join();
  return R;
}

/// Of a checked store that is permitted, in a loop over 64 of 1024 blocks.
template <class S> double storeNanoseconds() {
  static volatile uint8_t Tags[1024];
  static volatile uint64_t Blocks[1024 * 16];
  Flag.Value = 0;
  double Best = 1e9;
  for (int Round = 0; Round != 15; ++Round) {
    double Start = seconds();
    for (unsigned K = 0; K != 5000; ++K)
      for (unsigned I = 0; I != 64; ++I) {
        unsigned B = I * 37 & 1023;
        S::access(&Tags[B], &Blocks[B * 16], I);
      }
    double Each = (seconds() - Start) * 1e9 / (5000 * 64);
    Best = Each < Best ? Each : Best;
  }
  return Best;
}

unsigned long long median(std::vector<uint64_t> &Values) {
  if (Values.empty())
    return 0;
  auto Middle = Values.begin() + static_cast<long>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

struct Options {
  long Downgrades = 20000;
  double Limit = 30;
};

template <class S> bool report(const char *Name, bool Sound, Options O) {
  if constexpr (requires { S::supported(); })
    if (!S::supported()) {
      printf("%-16s not supported here\n", Name);
      return true;
    }
  Result Plain, Full;
  if (Sound) {
    Plain = run<S>(O.Downgrades / 2, false, false, 1e9);
    Full = run<S>(O.Downgrades - O.Downgrades / 2, true, false, 1e9);
  } else {
    // Short turns of both kinds until one of them shows it.
    for (double End = seconds() + O.Limit;
         !Plain.Lost && !Full.Lost && seconds() < End;) {
      Full = run<S>(100000, true, true, 2);
      if (!Full.Lost)
        Plain = run<S>(100000, false, true, 2);
    }
  }
  long Lost = Plain.Lost + Full.Lost, All = Plain.Downgrades + Full.Downgrades;
  printf("%-16s %-8s %6ld lost of %9ld downgrades, %5.2f ns a store, %6llu "
         "cycles a handshake, %7llu with a full store buffer (medians)\n",
         Name, Sound ? "sound" : "unsound", Lost, All, storeNanoseconds<S>(),
         median(Plain.Cycles), median(Full.Cycles));
  fflush(stdout);
  bool Right = Sound == (Lost == 0);
  if (!Right)
    fprintf(stderr, "litmus: %s: %s\n", Name,
            Sound ? "an update was lost" : "no failure was seen");
  return Right;
}

constexpr struct {
  const char *Name;
  bool (*Report)(const char *, bool, Options);
  bool Sound;
} Schemes[] = {
    {"safepoint", report<Safepoint>, true},
    {"rseq", report<Rseq>, true},
    {"hybrid", report<Hybrid>, true},
    {"epoch", report<Epoch>, true},
    {"none", report<None>, false},
    {"brackets", report<Brackets>, false},
    {"published-s", report<PublishedS>, false},
    {"published-sb", report<PublishedSB>, false},
    {"published-epoch", report<PublishedEpoch>, false},
};

} // namespace

int main(int Count, char **Arguments) {
  Options O;
  std::vector<std::string_view> Wanted;
  for (int I = 1; I < Count; ++I)
    if (!strcmp(Arguments[I], "-n") && I + 1 < Count)
      O.Downgrades = atol(Arguments[++I]);
    else if (!strcmp(Arguments[I], "-seconds") && I + 1 < Count)
      O.Limit = atof(Arguments[++I]);
    else
      Wanted.push_back(Arguments[I]);
  membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ);
  sched_getaffinity(0, sizeof(Allowed), &Allowed);
  if (CPU_COUNT(&Allowed) < 2) {
    fprintf(stderr, "litmus: error: one processor shows nothing; allow two\n");
    return 1;
  }
  runOn(0);
  bool Right = true;
  size_t Found = 0;
  for (const auto &S : Schemes)
    for (std::string_view W : Wanted)
      if (W == S.Name || W == "all") {
        ++Found;
        Right &= S.Report(S.Name, S.Sound, O);
      }
  if (!Found) {
    fprintf(stderr, "litmus: error: no such scheme; give `all`, or one of");
    for (const auto &S : Schemes)
      fprintf(stderr, " %s", S.Name);
    fprintf(stderr, "\n");
    return 1;
  }
  return Right ? 0 : 1;
}

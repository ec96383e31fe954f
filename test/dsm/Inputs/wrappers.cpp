//===- wrappers.cpp - Wrapped functions against the C library's -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wrappers BLOCK ROUNDS SEED: node 0 calls random functions with random arguments
// in an arena of shared and one of private memory, and the C library's on a copy of
// both; results and all bytes must be the same. The other nodes own the shared
// pages at first and keep taking blocks back with stores that change nothing.
//
//===----------------------------------------------------------------------===//

#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <cerrno>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr size_t Arena = 40000;

struct Shared {
  char *Memory;
  int64_t Done;
};
Shared *S;
unsigned Block, Rounds, Seed;

int sign(int I) { return (I > 0) - (I < 0); }

class Test {
public:
  Test() : Random(Seed) {
    Memory[0] = LOAD(&S->Memory);
    Memory[1] = Private;
    for (char &C : Model[0])
      C = byte();
    for (char &C : Model[1])
      C = byte();
    memcpy(Private, Model[1], Arena);
    for (size_t I = 0; I != Arena; ++I)
      STORE(&Memory[0][I], Model[0][I]);
    File = memfd_create("wrappers", 0);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, Sockets);
  }

  void run() {
    for (unsigned I = 0; I != Rounds; ++I) {
      One = place();
      Two = place();
      Size = size();
      unsigned Function = below(29);
      errno = 0;
      call(Function);
      compare(Function, I);
    }
  }

private:
  struct Place {
    int Where;
    size_t At;
  };
  std::mt19937_64 Random;
  char Private[Arena];
  char Model[2][Arena];
  char *Memory[2];
  Place One, Two;
  size_t Size;
  int File, Sockets[2];
  FILE *Stream;

  size_t below(size_t N) { return Random() % N; }
  /// Few zeros and few other values, so that strings are long and often equal.
  char byte() { return below(300) ? char('a' + below(40) / 39) : 0; }
  Place place() {
    Place P = {below(3) == 0, below(Arena)};
    if (below(4) == 0) // At a block's or page's edge, give or take a byte.
      P.At = std::min(Arena - 1, P.At / Block * Block + below(3));
    return P;
  }
  /// Mostly short; always within the arena from both places.
  size_t size() {
    size_t Limit = Arena - std::max(One.At, Two.At);
    size_t N = below(3) ? below(100) : below(Arena);
    return std::min(N, Limit);
  }

  char *ours(Place P) { return Memory[P.Where] + P.At; }
  char *model(Place P) { return Model[P.Where] + P.At; }
  /// A pointer into the arena as an offset, for comparing results.
  static ptrdiff_t offset(const void *P, const char *Start) {
    return P ? static_cast<const char *>(P) - Start : -1;
  }
  /// Ends a string before the end of the arena, so that functions stay in it.
  void end(Place P, size_t Before = 1) {
    size_t At = std::max(P.At, Arena - Before);
    graupel_dsm_memset(Memory[P.Where] + At, 0, Arena - At);
    memset(Model[P.Where] + At, 0, Arena - At);
  }
  void same(int64_t Ours, int64_t Wanted, const char *What) {
    if (Ours == Wanted && errno == 0)
      return;
    fprintf(stderr, "%s: %lld, not %lld; errno %d\n", What, (long long)Ours,
            (long long)Wanted, errno);
    exit(1);
  }
  bool overlap() const {
    return One.Where == Two.Where && One.At < Two.At + Size &&
           Two.At < One.At + Size;
  }
  /// Whether string Two can be copied to One, at offset Skip of it.
  bool fits(size_t Skip, size_t Length) const {
    size_t To = One.At + Skip;
    if (To + Length + 1 > Arena)
      return false;
    return One.Where != Two.Where || To > Two.At + Length ||
           Two.At > To + Length;
  }

  void compare(unsigned Function, unsigned Round) {
    for (int Where = 0; Where != 2; ++Where) {
      // All of it now and then: what was not to be touched was not.
      if (Round % 16 && Function > 11)
        continue;
      static char Copy[Arena];
      graupel_dsm_memcpy(Copy, Memory[Where], Arena);
      for (size_t I = 0; I != Arena; ++I)
        if (Copy[I] != Model[Where][I]) {
          fprintf(stderr, "function %u, round %u: byte %zu of %d is %d, not %d\n",
                  Function, Round, I, Where, Copy[I], Model[Where][I]);
          exit(1);
        }
    }
  }

  void call(unsigned Function);
  void copies(unsigned Function);
  void looks(unsigned Function);
  void files(unsigned Function);
  void streams(unsigned Function);
  void useStream(unsigned Function, size_t Item, size_t Count);
};

void Test::call(unsigned Function) {
  if (Function < 9)
    copies(Function);
  else if (Function < 18)
    looks(Function);
  else if (Function < 24)
    files(Function);
  else
    streams(Function);
}

void Test::copies(unsigned Function) {
  char *To = ours(One), *From = ours(Two), *M = model(One), *F = model(Two);
  if (Function > 2) {
    end(One);
    end(Two);
  }
  size_t Length = Function > 2 ? strlen(F) : 0;
  size_t Most = std::min(Length, Size);
  switch (Function) {
  case 0:
    if (overlap())
      return;
    same(graupel_dsm_memcpy(To, From, Size) == To, 1, "memcpy");
    memcpy(M, F, Size);
    return;
  case 1:
    same(graupel_dsm_memmove(To, From, Size) == To, 1, "memmove");
    memmove(M, F, Size);
    return;
  case 2: {
    int C = int(below(3));
    same(graupel_dsm_memset(To, C, Size) == To, 1, "memset");
    memset(M, C, Size);
    // Back to something with strings in it.
    for (size_t I = 0; I != Size; ++I)
      M[I] = byte();
    graupel_dsm_memcpy(To, M, Size);
    return;
  }
  case 3:
    if (!fits(0, Length))
      return;
    same(graupel_dsm_strcpy(To, From) == To, 1, "strcpy");
    strcpy(M, F);
    return;
  case 4:
    if (!fits(0, Length))
      return;
    same(graupel_dsm_stpcpy(To, From) - To, stpcpy(M, F) - M, "stpcpy");
    return;
  case 5:
    if (overlap())
      return;
    same(graupel_dsm_strncpy(To, From, Size) == To, 1, "strncpy");
    strncpy(M, F, Size);
    return;
  case 6:
    if (!fits(strlen(M), Length))
      return;
    same(graupel_dsm_strcat(To, From) == To, 1, "strcat");
    strcat(M, F);
    return;
  case 7:
    if (!fits(strlen(M), Most) || !fits(0, Length))
      return;
    same(graupel_dsm_strncat(To, From, Size) == To, 1, "strncat");
    strncat(M, F, Size);
    return;
  }
}

void Test::looks(unsigned Function) {
  if (Function > 11) {
    end(One);
    end(Two);
  }
  // Often the same content, so that comparisons go far.
  if (below(2) && !overlap()) {
    graupel_dsm_memmove(ours(One), ours(Two), Size);
    memmove(model(One), model(Two), Size);
    if (Function > 11) {
      end(One);
      end(Two);
    }
  }
  const char *A = ours(One), *B = ours(Two), *M = model(One), *F = model(Two);
  int C = below(4) ? 'b' : int(below(3)) * 'a';
  switch (Function) {
  case 9:
    return same(sign(graupel_dsm_memcmp(A, B, Size)), sign(memcmp(M, F, Size)),
                "memcmp");
  case 10:
    return same(!graupel_dsm_bcmp(A, B, Size), !memcmp(M, F, Size), "bcmp");
  case 11:
    return same(offset(graupel_dsm_memchr(A, C, Size), A),
                offset(memchr(M, C, Size), M), "memchr");
  case 12:
    return same(int64_t(graupel_dsm_strlen(A)), int64_t(strlen(M)), "strlen");
  case 13:
    return same(int64_t(graupel_dsm_strnlen(A, Size)),
                int64_t(strnlen(M, Size)), "strnlen");
  case 14:
    return same(sign(graupel_dsm_strcmp(A, B)), sign(strcmp(M, F)), "strcmp");
  case 15:
    return same(sign(graupel_dsm_strncmp(A, B, Size)),
                sign(strncmp(M, F, Size)), "strncmp");
  case 16:
    return same(offset(graupel_dsm_strchr(A, C), A), offset(strchr(M, C), M),
                "strchr");
  case 17:
    return same(offset(graupel_dsm_strrchr(A, C), A),
                offset(strrchr(M, C), M), "strrchr");
  }
}

void Test::files(unsigned Function) {
  off_t At = off_t(below(100));
  auto N = int64_t(Size);
  switch (Function) {
  case 18:
    lseek(File, At, SEEK_SET);
    same(graupel_dsm_write(File, ours(One), Size), N, "write");
    break;
  case 19:
    same(graupel_dsm_pwrite(File, ours(One), Size, At), N, "pwrite");
    break;
  case 20: {
    lseek(File, At, SEEK_SET);
    int64_t Got = pread(File, model(Two), Size, At);
    return same(graupel_dsm_read(File, ours(Two), Size), Got, "read");
  }
  case 21: {
    int64_t Got = pread(File, model(Two), Size, At);
    return same(graupel_dsm_pread(File, ours(Two), Size, At), Got, "pread");
  }
  default: {
    // A longer message than the receiver takes.
    size_t Less = below(Size + 1);
    same(graupel_dsm_send(Sockets[0], ours(One), Size, 0), N, "send");
    bool Tell = below(2);
    same(graupel_dsm_recv(Sockets[1], ours(Two), Less, Tell ? MSG_TRUNC : 0),
         Tell ? N : int64_t(Less), "recv");
    memmove(model(Two), model(One), Less);
    return;
  }
  }
  static char Wrote[Arena];
  same(pread(File, Wrote, Size, At), N, "size");
  same(memcmp(Wrote, model(One), Size), 0, "what was written");
}

void Test::streams(unsigned Function) {
  size_t Item = 1 + below(9), Count = Size / Item;
  Stream = fdopen(memfd_create("wrappers", 0), "w+");
  useStream(Function, Item, Count);
  fclose(Stream);
}

void Test::useStream(unsigned Function, size_t Item, size_t Count) {
  if (Function == 26) {
    end(One);
    same(graupel_dsm_fputs(ours(One), Stream) >= 0, 1, "fputs");
    Size = strlen(model(One));
  } else {
    same(int64_t(graupel_dsm_fwrite(ours(One), Item, Count, Stream)),
         int64_t(Count), "fwrite");
    Size = Item * Count;
  }
  rewind(Stream);
  if (Function >= 27) {
    // Lines end with b here.
    static char Text[Arena];
    size_t Got = fread(Text, 1, Arena, Stream);
    for (size_t I = 0; I != Got; ++I)
      if (Text[I] == 'b')
        Text[I] = '\n';
    rewind(Stream);
    fwrite(Text, 1, Got, Stream);
    int Most = int(below(Arena - Two.At));
    rewind(Stream);
    char *Model = fgets(model(Two), Most, Stream);
    long After = ftell(Stream);
    rewind(Stream);
    same(offset(graupel_dsm_fgets(ours(Two), Most, Stream), ours(Two)),
         offset(Model, model(Two)), "fgets");
    return same(ftell(Stream), After, "ftell after fgets");
  }
  // One item more than there is.
  size_t Room = (Arena - Two.At) / Item, Wanted = std::min(Count + 1, Room);
  size_t Got = fread(model(Two), Item, Wanted, Stream);
  bool End = feof(Stream);
  rewind(Stream);
  same(int64_t(graupel_dsm_fread(ours(Two), Item, Wanted, Stream)),
       int64_t(Got), "fread");
  same(feof(Stream) != 0, End, "feof");
}

/// Takes blocks away from node 0 without changing them.
void disturb() {
  std::mt19937_64 Random(Seed + gdsm_thread());
  char *Memory = LOAD(&S->Memory);
  while (!LOAD(&S->Done)) {
    char *Word = Memory + Random() % Arena;
    if (Random() % 2)
      ADD(Word, 0);
    else
      (void)LOAD(Word);
    for (int I = 0; I != 50; ++I)
      check_poll();
    if (Random() % 8 == 0)
      usleep(1);
  }
}

void work(void *) {
  if (gdsm_node()) {
    disturb();
  } else if (gdsm_thread() == 0) {
    auto *T = new Test;
    T->run();
    delete T;
    STORE(&S->Done, int64_t(1));
  }
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 4)
    return 2;
  Block = unsigned(atoi(Argv[1]));
  Rounds = unsigned(atoi(Argv[2]));
  Seed = unsigned(atoi(Argv[3]));
  if (gdsm_node() == 0) {
    S = static_cast<Shared *>(gdsm_malloc(sizeof(Shared)));
    STORE(&S->Memory, static_cast<char *>(
                          gdsm_alloc(Arena, Block, gdsm_nodes() - 1)));
  }
  gdsm_broadcast(&S, sizeof(S), 0);
  gdsm_parallel(work, nullptr);
  if (gdsm_node() == 0)
    printf("%u calls with blocks of %u bytes, seed %u: all right\n", Rounds,
           Block, Seed);
  return 0;
}

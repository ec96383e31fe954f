//===- Cache/Spec.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the specification of caches, or makes that of this machine.
//
// 1. parseCaches takes the text, or that of the preset. Without text it takes
//    the one that describeMachine makes from sysfs, with a usual TLB; if that
//    does not work, a usual hierarchy.
// 2. parse splits the text into levels and a TLB, and these into fields.
// 3. parseLevel checks a level's name, bytes, line, ways and replacement, and
//    that no level is smaller than the one before. It chooses which part of the
//    lines is sampled to classify misses.
// 4. parseTlb checks entries, ways and the page.
// 5. parse marks the last of several levels as shared.
//
//===----------------------------------------------------------------------===//

#include "Spec.h"
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace graupel::stride {

namespace {

constexpr uint32_t MostLines = 1 << 26, MostFields = 5;
/// Number of lines of a level behind the first one that are classified.
constexpr uint32_t MostClassified = 1 << 12;
constexpr uint32_t MostEntries = 1 << 16;
constexpr uint32_t ReuseShift = 4;

constexpr char Shape[] =
    "give levels, the nearest first, as cache=L1:32K:8:64/LL:8M:16:64 "
    "(name:bytes:ways:line, maybe :random), maybe /tlb:64:4:4K; ways may be "
    "full; or cache=dtj; or cache alone for this machine's";

/// A number, maybe with K, M or G; 0 if it is none.
uint64_t bytesOf(const char *Text) {
  char *End;
  if (!isdigit(static_cast<unsigned char>(*Text)))
    return 0;
  uint64_t Value = strtoull(Text, &End, 10);
  unsigned Shift = *End == 'K' ? 10 : *End == 'M' ? 20 : *End == 'G' ? 30 : 0;
  if (Shift)
    ++End;
  return *End || Value >> 34 ? 0 : Value << Shift;
}

bool isPowerOfTwo(uint64_t Value) { return Value && !(Value & (Value - 1)); }

const char *parseLevel(char *const *Fields, unsigned Count, CachesRecord &To) {
  if (Count < 4)
    return Shape;
  if (To.LevelCount == MaxCacheLevels)
    return "there are too many levels; give at most four";
  CacheLevelRecord &L = To.Levels[To.LevelCount++];
  size_t Length = strlen(Fields[0]);
  if (!Length || Length >= sizeof(L.Name))
    return "a level's name has one to seven letters; call it L1, L2 or LL";
  memcpy(L.Name, Fields[0], Length);
  L.Bytes = bytesOf(Fields[1]);
  uint64_t Line = bytesOf(Fields[3]);
  if (!isPowerOfTwo(Line) || Line < 8 || Line > 4096)
    return "a line has 8, 16, 32, ... or 4096 bytes; give one of these";
  L.LineBytes = static_cast<uint32_t>(Line);
  if (!L.Bytes || L.Bytes % Line || L.Bytes / Line > MostLines)
    return "a level has a number of bytes, a multiple of its lines', and at "
           "most 67108864 lines; give it as 32K or 8M";
  uint64_t Lines = L.Bytes / Line;
  uint64_t Ways = strcmp(Fields[2], "full") == 0 ? Lines : bytesOf(Fields[2]);
  if (!Ways || Ways > Lines || Lines % Ways)
    return "a level's lines must be a multiple of its ways; give 1 (direct-"
           "mapped) to full";
  L.Ways = static_cast<uint32_t>(Ways);
  if (Count == 5 && strcmp(Fields[4], "random") == 0)
    L.Policy = Replacement::Random;
  else if (Count == 5 && strcmp(Fields[4], "lru") != 0)
    return "the replacement is lru or random; give one of these";
  bool NeedsClasses = Ways != Lines || L.Policy != Replacement::LRU;
  if (NeedsClasses && To.LevelCount == 1)
    L.SampleShift = To.DetailShift;
  while (NeedsClasses && To.LevelCount > 1 &&
         Lines >> L.SampleShift > MostClassified)
    ++L.SampleShift;
  for (unsigned N = 0; N + 1 < To.LevelCount; ++N) {
    if (strcmp(To.Levels[N].Name, L.Name) == 0)
      return "two levels have one name; call them L1, L2, LL";
    if (To.Levels[N].Bytes > L.Bytes)
      return "a level is smaller than the one before; give the nearest first";
  }
  return nullptr;
}

const char *parseTlb(char *const *Fields, unsigned Count, CachesRecord &To) {
  if (Count != 4)
    return Shape;
  if (To.TlbEntries)
    return "there are two TLBs; give one";
  uint64_t Entries = bytesOf(Fields[1]), Page = bytesOf(Fields[3]);
  uint64_t Ways = strcmp(Fields[2], "full") == 0 ? Entries : bytesOf(Fields[2]);
  if (!Entries || Entries > MostEntries || !Ways || Ways > Entries ||
      Entries % Ways)
    return "a TLB has a number of entries, a multiple of its ways; give them "
           "as tlb:64:4:4K";
  if (!isPowerOfTwo(Page) || Page < 512)
    return "a page has a power of two of bytes, at least 512; give 4K or 2M";
  To.TlbEntries = static_cast<uint32_t>(Entries);
  To.TlbWays = static_cast<uint32_t>(Ways);
  To.PageBytes = Page;
  return nullptr;
}

//===--- This machine -----------------------------------------------------===//

/// The text of a file of a cache of the first processor, without its line feed.
bool read(unsigned Index, const char *Name, char *Text, size_t Bytes) {
  char Path[128];
  snprintf(Path, sizeof(Path), "/sys/devices/system/cpu/cpu0/cache/index%u/%s",
           Index, Name);
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  ssize_t Got = ::read(File, Text, Bytes - 1);
  close(File);
  Text[Got < 0 ? 0 : Got] = 0;
  Text[strcspn(Text, "\n")] = 0;
  return Got > 0;
}

/// Data caches of up to `Bytes` of text; empty if the system does not tell.
void describeMachine(char *Text, size_t Bytes) {
  size_t Length = 0;
  char Type[32], Level[16], Size[32], Ways[16], Line[16];
  *Text = 0;
  for (unsigned N = 0; read(N, "type", Type, sizeof(Type)); ++N) {
    if (strcmp(Type, "Instruction") == 0 ||
        !read(N, "level", Level, sizeof(Level)) ||
        !read(N, "size", Size, sizeof(Size)) ||
        !read(N, "ways_of_associativity", Ways, sizeof(Ways)) ||
        !read(N, "coherency_line_size", Line, sizeof(Line)))
      continue;
    int More = snprintf(Text + Length, Bytes - Length, "%sL%s:%s:%s:%s",
                        Length ? "/" : "", Level, Size,
                        *Ways == '0' ? "full" : Ways, Line);
    if (More < 0 || Length + More >= Bytes)
      return;
    Length += More;
  }
}

const char *parse(const char *Text, CachesRecord &To, bool InDetail) {
  char Copy[512];
  if (strlen(Text) >= sizeof(Copy))
    return Shape;
  strcpy(Copy, Text);
  To = {};
  To.ReuseShift = ReuseShift;
  To.DetailShift = InDetail ? 0 : ReuseShift;
  char *Rest = Copy;
  while (char *Item = strsep(&Rest, "/")) {
    char *Fields[MostFields + 1];
    unsigned Count = 0;
    while (Item && Count <= MostFields)
      Fields[Count++] = strsep(&Item, ":");
    if (Count > MostFields)
      return Shape;
    bool IsTlb = strcmp(Fields[0], "tlb") == 0;
    if (const char *Wrong =
            IsTlb ? parseTlb(Fields, Count, To) : parseLevel(Fields, Count, To))
      return Wrong;
  }
  if (!To.LevelCount)
    return "there is a TLB alone; give a level, too";
  if (To.TlbEntries && To.PageBytes < To.Levels[0].LineBytes)
    return "a page is smaller than a line; give 4K or 2M";
  // One level is each thread's own.
  if (To.LevelCount > 1)
    To.Levels[To.LevelCount - 1].Shared = 1;
  return nullptr;
}

} // namespace

const char *parseCaches(const char *Text, CachesRecord &To, bool InDetail) {
  if (strcmp(Text, "dtj") == 0)
    Text = "L2:4M:1:64";
  if (*Text)
    return parse(Text, To, InDetail);
  char Machine[256];
  describeMachine(Machine, sizeof(Machine));
  size_t Length = strlen(Machine);
  snprintf(Machine + Length, sizeof(Machine) - Length, "/tlb:64:4:4K");
  if (!Length || parse(Machine, To, InDetail))
    return parse("L1:32K:8:64/L2:1M:16:64/L3:32M:16:64/tlb:64:4:4K", To,
                 InDetail);
  return nullptr;
}

} // namespace graupel::stride

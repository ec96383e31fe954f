//===- stride/Options.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads GRAUPEL_STRIDE, and decides which sites and objects are selected.
//
// 1. readOptions splits the text at commas. Each item sets a switch or a
//    number, or adds a name to a list.
// 2. number, lines and caches check the values. A value or item that is not
//    understood ends the program with a message that lists the valid ones
//    (refuse).
// 3. readOptions rejects conflicting options: a burst is shorter than its
//    period, and sampled programs have no caches. It computes the threshold.
// 4. selectsSite wants a match in each list that is not empty: functions,
//    files, lines. selectsObject compares names.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Cache/Spec.h"
#include <cstdlib>
#include <cstring>

namespace graupel::stride {

static char *copyText(const char *Text) {
  size_t Bytes = strlen(Text) + 1;
  return static_cast<char *>(memcpy(allocate(Bytes), Text, Bytes));
}

[[noreturn]] static void refuse(const char *Item, const char *Help) {
  complain("GRAUPEL_STRIDE has `%s`; %s", Item, Help);
  die();
}

static uint64_t number(const char *Item, const char *Text, uint64_t Least,
                       uint64_t Most, const char *Help) {
  char *End;
  uint64_t Value = strtoull(Text, &End, 10);
  if (End == Text || *End || *Text == '-' || Value < Least || Value > Most)
    refuse(Item, Help);
  return Value;
}

static Options::Lines lines(const char *Item, char *Text) {
  static const char Help[] = "give a file and lines, as line=loop.c:10-20";
  char *Colon = strrchr(Text, ':');
  if (!Colon || Colon == Text)
    refuse(Item, Help);
  *Colon = 0;
  char *From = Colon + 1, *Dash = strchr(From, '-');
  if (Dash)
    *Dash = 0;
  auto First = static_cast<uint32_t>(number(Item, From, 1, UINT32_MAX, Help));
  auto Last = Dash ? static_cast<uint32_t>(
                         number(Item, Dash + 1, First, UINT32_MAX, Help))
                   : First;
  return {Text, First, Last};
}

static void caches(Options &O, const char *Item, const char *Spec,
                   bool InDetail) {
  if (const char *Wrong = parseCaches(Spec, O.Caches, InDetail))
    refuse(Item, Wrong);
}

void readOptions(Options &O, const char *Text) {
  uint64_t Threshold = 128;
  char *Rest = copyText(Text ? Text : "");
  while (char *Item = strsep(&Rest, ",")) {
    if (!*Item)
      continue;
    const char *Whole = copyText(Item);
    char *Value = Item;
    auto Is = [&](const char *Name) {
      size_t Length = strlen(Name);
      if (strncmp(Item, Name, Length) != 0)
        return false;
      Value = Item + Length;
      return Name[Length - 1] == '=' ? *Value != 0 : *Value == 0;
    };
    if (Is("off"))
      O.Off = true;
    else if (Is("stream"))
      O.Stream = true;
    else if (Is("pages"))
      O.Pages = true;
    else if (Is("homes"))
      O.Pages = O.Homes = true;
    else if (Is("cache"))
      caches(O, Whole, "", false);
    else if (Is("cache="))
      caches(O, Whole, Value, false);
    else if (Is("cache-detail"))
      caches(O, Whole, "", true);
    else if (Is("cache-detail="))
      caches(O, Whole, Value, true);
    else if (Is("literal"))
      O.Literal = true;
    else if (Is("sample"))
      O.Bursts.IsOn = true;
    else if (Is("burst=")) {
      O.Bursts.IsOn = true;
      O.Bursts.Burst = number(Whole, Value, 1, UINT32_MAX,
                              "give a number of references, at least 1");
    } else if (Is("every=")) {
      O.Bursts.IsOn = true;
      O.Bursts.Every = number(Whole, Value, 2, uint64_t(1) << 40,
                              "give a number of references, at least 2");
    } else if (Is("pass-equal"))
      O.PassEqual = true;
    else if (Is("maxel="))
      O.Counts.MaxLag = static_cast<unsigned>(
          number(Whole, Value, 1, 4096, "give maxel=1 to maxel=4096"));
    else if (Is("threshold="))
      Threshold = number(Whole, Value, 1, uint64_t(1) << 47,
                         "give a number of bytes, at least 1");
    else if (Is("function="))
      O.Functions.push(Value);
    else if (Is("file="))
      O.Files.push(Value);
    else if (Is("object="))
      O.Objects.push(Value);
    else if (Is("wrapper="))
      O.Wrappers.push(Value);
    else if (Is("line="))
      O.LineRanges.push(lines(Whole, Value));
    else
      refuse(Whole,
             "there are off, maxel=N, threshold=BYTES, pass-equal, "
             "function=NAME, file=NAME, line=FILE:FROM-TO, object=NAME, "
             "wrapper=FUNCTION, cache, cache=LEVELS, cache-detail, "
             "cache-detail=LEVELS, pages, homes, sample, burst=N, every=N, "
             "stream and literal");
  }
  if (O.Bursts.IsOn && O.Bursts.Burst >= O.Bursts.Every)
    refuse("burst", "it must be less than every");
  if (O.Bursts.IsOn && O.Caches.LevelCount)
    refuse("cache",
           "it needs all references, and is not for sampled programs; leave "
           "out sample, burst and every");
  O.Counts.InBursts = O.Bursts.IsOn;
  // Programs that run for a tenth of a second have pages, too.
  if (O.Pages)
    O.Bursts.ALevel = 32;
  O.Counts.PassAbove = O.PassEqual ? Threshold - 1 : Threshold;
}

// The whole path, or its end from a slash on.
static bool isFile(const char *Path, const char *Name) {
  size_t P = strlen(Path), N = strlen(Name);
  return P >= N && strcmp(Path + P - N, Name) == 0 &&
         (P == N || Path[P - N - 1] == '/');
}

bool Options::selectsSite(const graupel_stride_site *S) const {
  auto Any = [](const auto &List, auto Matches) {
    for (const auto &Each : List)
      if (Matches(Each))
        return true;
    return List.size() == 0;
  };
  const char *File = textOf(S, S->file);
  return Any(Functions,
             [&](const char *Name) {
               return strcmp(Name, textOf(S, S->function)) == 0 ||
                      strcmp(Name, textOf(S, S->within)) == 0;
             }) &&
         Any(Files, [&](const char *Name) { return isFile(File, Name); }) &&
         Any(LineRanges, [&](const Lines &L) {
           return isFile(File, L.File) && S->line >= L.From && S->line <= L.To;
         });
}

bool Options::selectsObject(const char *Name) const {
  for (const char *Each : Objects)
    if (Name && strcmp(Each, Name) == 0)
      return true;
  return Objects.size() == 0;
}

} // namespace graupel::stride

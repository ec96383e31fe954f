//===- Globals.cpp - Shared globals of the program ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the tables of loaded objects to runs of pages
// (docs/design/dsm-globals.md):
//
// 1. Definitions, each once: the linker may have kept one of several.
// 2. A packed variable must lie in a section gdsm_globals, one with pages must
//    begin one; else the linker has copied the variable to where private ones
//    are.
// 3. Whole pages around them, merged.
// 4. Files that use variables of others take them for what they are.
//
// A file that comes by dlopen is looked at by its constructor alone.
//
//===----------------------------------------------------------------------===//

#include "Globals.h"
#include "Base/Objects.h"
#include "Digest.h"
#include "Errors/Error.h"
#include "Node.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <dlfcn.h>

namespace graupel::dsm {

namespace {

using Global = graupel_dsm_global;

/// By address. Never destroyed: used until the process ends.
std::vector<Global> &all() {
  static auto &All = *new std::vector<Global>;
  return All;
}

uintptr_t addressOf(const Global &G) {
  return reinterpret_cast<uintptr_t>(G.address);
}

const char *fileOf(const Global &G) { return G.text + strlen(G.text) + 1; }

std::string placeOf(const Global &G) {
  std::string Place = fileOf(G);
  return G.line ? Place + ":" + std::to_string(G.line) : Place;
}

bool isPacked(const Global &G) { return G.kind == GRAUPEL_DSM_GLOBAL_PACKED; }

struct Tables {
  std::vector<Global> Uses;
  std::vector<Run> Packed;

  void read(const ObjectFile &);
};

void Tables::read(const ObjectFile &File) {
  auto Table = File.loaded<Global>("gdsm_global_table");
  all().insert(all().end(), Table.begin(), Table.end());
  for (const Global &G : File.loaded<Global>("gdsm_global_uses"))
    Uses.push_back(G);
  auto Section = File.loaded<char>("gdsm_globals");
  if (Section.begin() == Section.end())
    return;
  if (Table.begin() == Table.end())
    fail("%s has variables that are GDSM_GLOBAL, in code that is not compiled "
         "with graupel-dsm.cfg; compile it so",
         File.isProgram() ? "the program" : File.name());
  Packed.push_back({reinterpret_cast<uintptr_t>(Section.begin()),
                    reinterpret_cast<uintptr_t>(Section.end())});
}

void refuseDifferent(const Global &A, const Global &B) {
  if (A.size != B.size || isPacked(A) != isPacked(B))
    fail("'%s' has %" PRIu64 " bytes at %s and %" PRIu64
         " at %s; a shared variable is the same everywhere",
         A.text, A.size, placeOf(A).c_str(), B.size, placeOf(B).c_str());
}

void mergeEqual() {
  std::vector<Global> &G = all();
  std::sort(G.begin(), G.end(), [](const Global &A, const Global &B) {
    return addressOf(A) < addressOf(B);
  });
  for (size_t I = 1; I < G.size(); ++I)
    if (G[I].address == G[I - 1].address)
      refuseDifferent(G[I - 1], G[I]);
  G.erase(std::unique(G.begin(), G.end(),
                      [](const Global &A, const Global &B) {
                        return A.address == B.address;
                      }),
          G.end());
}

void refuseCopied(const Global &G, const std::vector<Run> &Packed) {
  uintptr_t A = addressOf(G);
  bool Right = isPacked(G)
                   ? std::any_of(Packed.begin(), Packed.end(),
                                 [&](const Run &R) {
                                   return R.Start <= A && A + G.size <= R.End;
                                 })
                   : A % PageBytes == 0;
  if (!Right)
    fail("the shared variable '%s' (%s) was copied into the program by a "
         "declaration without GDSM_GLOBAL, or replaced by another variable of "
         "this name; declare it with GDSM_GLOBAL everywhere, in code compiled "
         "with graupel-dsm.cfg",
         G.text, placeOf(G).c_str());
}

const Global *startingAt(uintptr_t A) {
  const Global *G = globalAround(A);
  return G && addressOf(*G) == A ? G : nullptr;
}

void refuseUse(const Global &Use) {
  if (!Use.address)
    return;
  const Global *G = startingAt(addressOf(Use));
  if (G && Use.kind == GRAUPEL_DSM_GLOBAL_USED_PRIVATE)
    fail("%s uses '%s', which is shared (%s), by a declaration without "
         "GDSM_GLOBAL; declare it with GDSM_GLOBAL, or compile the file with "
         "-mllvm -fgdsm-share-globals",
         placeOf(Use).c_str(), Use.text, placeOf(*G).c_str());
  if (!G && Use.kind == GRAUPEL_DSM_GLOBAL_USED_SHARED)
    fail("%s declares '%s' with GDSM_GLOBAL, and its definition is not "
         "shared; define it with GDSM_GLOBAL, in code compiled with "
         "graupel-dsm.cfg",
         placeOf(Use).c_str(), Use.text);
}

} // namespace

void collectGlobals() {
  Tables T;
  forEachObject([&](const ObjectFile &File) { T.read(File); });
  mergeEqual();
  for (const Global &G : all())
    refuseCopied(G, T.Packed);
  for (const Global &Use : T.Uses)
    refuseUse(Use);
}

std::string fingerprintOfGlobals() {
  if (all().empty())
    return "";
  Digest D;
  for (const Global &G : all()) {
    const uint64_t Words[] = {addressOf(G), G.size, G.kind};
    D.add(Words, sizeof(Words));
  }
  return " " + std::to_string(all().size()) + " " + D.text();
}

std::vector<GlobalRun> runsOfGlobals() {
  std::vector<GlobalRun> Runs;
  for (const Global &G : all()) {
    uintptr_t Start = addressOf(G) & -PageBytes,
              End = (addressOf(G) + G.size + PageBytes - 1) & -PageBytes;
    bool Zeros = G.kind == GRAUPEL_DSM_GLOBAL_ZEROS;
    if (!Runs.empty() && Start <= Runs.back().End &&
        (Zeros == Runs.back().Zeros || Start < Runs.back().End)) {
      Runs.back().End = std::max(Runs.back().End, End);
      Runs.back().Zeros &= Zeros;
    } else {
      Runs.push_back({{Start, End}, Zeros});
    }
  }
  return Runs;
}

const graupel_dsm_global *globalAround(uintptr_t A) {
  const std::vector<Global> &G = all();
  auto Next =
      std::upper_bound(G.begin(), G.end(), A, [](uintptr_t A, const Global &B) {
        return A < addressOf(B);
      });
  if (Next == G.begin())
    return nullptr;
  --Next;
  return A - addressOf(*Next) < Next->size ? &*Next : nullptr;
}

std::string nameGlobal(uintptr_t A) {
  const Global *G = globalAround(A);
  if (!G)
    return "between shared variables";
  std::string Name =
      "in the variable '" + std::string(G->text) + "' (" + placeOf(*G) + ")";
  return A == addressOf(*G)
             ? Name
             : "byte " + std::to_string(A - addressOf(*G)) + " " + Name;
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void graupel_dsm_check_globals(const graupel_dsm_global *Shared,
                               const graupel_dsm_global *SharedEnd,
                               const graupel_dsm_global *Used,
                               const graupel_dsm_global *UsedEnd) {
  // Files that are loaded before the job begins are looked at then.
  if (!TheNode)
    return;
  for (auto *G = Shared; G != SharedEnd; ++G)
    if (!TheNode->Shared.addresses().isGlobal(addressOf(*G))) {
      Dl_info Where;
      bool Known = dladdr(G, &Where) && Where.dli_fname;
      fail("%s shares the global '%s' (%s) and was loaded by dlopen, when "
           "shared globals are fixed; link the program with it",
           Known ? Where.dli_fname : "a library", G->text, placeOf(*G).c_str());
    }
  for (auto *Use = Used; Use != UsedEnd; ++Use)
    refuseUse(*Use);
}

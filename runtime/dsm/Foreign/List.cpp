//===- List.cpp - All calls that may leave checked code ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records in memory have their callees' addresses.
//
//  1. A function that threads start with must have checks: else the job ends.
//  2. `graupel dsm check` prints other calls whose callee has none,
//  3. and the functions without checks of the program and its own libraries.
//     The pointers that these find by themselves are not known before they do,
//     so each run tells of them, too.
//
//===----------------------------------------------------------------------===//

#include "Foreign/List.h"
#include "Base/Lines.h"
#include "Base/Objects.h"
#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Foreign/CodeMap.h"
#include "Foreign/Describe.h"
#include "Foreign/Marks.h"
#include "Transport/Fatal.h"
#include "graupel/dsm_checks.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

// The start of this library, by the linker.
extern "C" GRAUPEL_DSM_INTERNAL const char __ehdr_start;

namespace graupel::dsm {

namespace {

constexpr char Section[] = "gdsm_calls";

/// The C++ standard library takes references to anything, nearly always to
/// private objects.
bool isStandardLibrary(const char *File) {
  return !strncmp(File, "/usr/", 5) || !strncmp(File, "libstdc++/", 10);
}

struct Calls {
  std::set<std::string> Lines;
  unsigned Indirect = 0, Standard = 0;

  void add(const graupel_dsm_call &Call);
};

void Calls::add(const graupel_dsm_call &Call) {
  CallNames N(Call);
  switch (Call.kind) {
  case GRAUPEL_DSM_CALL_INDIRECT:
    ++Indirect;
    return;
  case GRAUPEL_DSM_CALL_RESULT:
    return;
  case GRAUPEL_DSM_CALL_THREAD:
    if (Call.callee && !hasChecks(Call.callee))
      Lines.insert(format("%s:%u: %s starts threads with %s", N.File, Call.line,
                          N.Caller, describe(N.Callee, Call.callee).c_str()));
    return;
  case GRAUPEL_DSM_CALL_ASSEMBLY:
    Lines.insert(format("%s:%u: %s may give inline assembly shared memory",
                        N.File, Call.line, N.Caller));
    return;
  }
  if (isRightFor(Call, Call.callee))
    return;
  if (isStandardLibrary(N.File)) {
    ++Standard;
    return;
  }
  Lines.insert(format("%s:%u: %s may pass shared memory to %s%s%s", N.File,
                      Call.line, N.Caller,
                      describe(N.Callee, Call.callee).c_str(),
                      *N.Remedy ? ": " : "", N.Remedy));
}

//===-- Functions ---------------------------------------------------------===//

/// Functions of the C runtime and of compilers, which get nothing of the
/// program's. Names with two underscores are theirs.
bool isOfImplementation(std::string_view Name) {
  static constexpr std::string_view Names[] = {"_start",
                                               "_init",
                                               "_fini",
                                               "_dl_relocate_static_pie",
                                               "frame_dummy",
                                               "deregister_tm_clones",
                                               "register_tm_clones",
                                               "atexit",
                                               "at_quick_exit",
                                               "pthread_atfork"};
  return Name.substr(0, 2) == "__" || Name.substr(0, 12) == "graupel_dsm_" ||
         std::find(std::begin(Names), std::end(Names), Name) != std::end(Names);
}

/// The program, and libraries that are nobody else's.
bool isOwn(const ObjectFile &O) {
  return O.isProgram() ||
         (strchr(O.name(), '/') && !isSystemFile(O.name()) &&
          O.base() != reinterpret_cast<uintptr_t>(&__ehdr_start));
}

struct Function {
  uintptr_t Address;
  std::string Name;
  bool operator<(const Function &F) const { return Address < F.Address; }
};

/// Those without checks.
std::set<Function> uncheckedOf(const ObjectFile &O, const CodeMap &Map) {
  std::set<Function> Found;
  O.forEachFunction([&](uintptr_t A, size_t, const char *Name) {
    if (!isOfImplementation(Name) && !Map.isFunction(A) && !Map.isExempt(A) &&
        !isChecked(reinterpret_cast<const void *>(A)))
      Found.insert({A, Name});
  });
  return Found;
}

void listFunctions() {
  CodeMap Map;
  forEachObject([&](const ObjectFile &O) {
    if (!isOwn(O))
      return;
    std::set<Function> Unchecked = uncheckedOf(O, Map);
    if (Unchecked.empty())
      return;
    const char *Slash = strrchr(O.name(), '/');
    printf("%zu functions in %s are not compiled with checks, and may get "
           "private memory only:\n",
           Unchecked.size(), O.isProgram() ? "the program" : Slash + 1);
    std::vector<uintptr_t> Places;
    for (const Function &F : Unchecked)
      Places.push_back(F.Address + 1);
    std::vector<PlaceName> Names(Places.size());
    namePlaces(Places.data(), Names.data(), unsigned(Places.size()));
    size_t I = 0;
    for (const Function &F : Unchecked)
      printf("  %s at %s\n", F.Name.c_str(), Names[I++].Text);
  });
}

} // namespace

void listCallsIfAsked() {
  if (!getenv("GRAUPEL_DSM_LIST_CALLS"))
    return;
  Calls All;
  forEachObject([&](const ObjectFile &O) {
    for (const graupel_dsm_call &Call : O.loaded<graupel_dsm_call>(Section))
      All.add(Call);
  });
  for (const std::string &Line : All.Lines)
    printf("%s\n", Line.c_str());
  printf("%zu calls of code without checks would end the job if the memory is "
         "shared; %u in the standard library's code are not listed, %u through "
         "pointers are looked at when they are made\n",
         All.Lines.size(), All.Standard, All.Indirect);
  listFunctions();
  fflush(stdout);
  _exit(!All.Lines.empty());
}

void noteUncheckedFunctions() {
  constexpr size_t Named = 3;
  const CodeMap Map;
  std::vector<Function> Unchecked;
  forEachObject([&](const ObjectFile &O) {
    if (isOwn(O))
      for (const Function &F : uncheckedOf(O, Map))
        Unchecked.push_back(F);
  });
  if (Unchecked.empty())
    return;
  uintptr_t Places[Named];
  PlaceName Names[Named];
  const size_t Count = std::min(Named, Unchecked.size());
  for (size_t I = 0; I != Count; ++I)
    Places[I] = Unchecked[I].Address + 1;
  namePlaces(Places, Names, unsigned(Count));
  std::string Which;
  for (size_t I = 0; I != Count; ++I)
    Which +=
        format("%s%s at %s", I ? ", " : "",
               demangled(Unchecked[I].Name.c_str()).c_str(), Names[I].Text);
  if (Unchecked.size() > Named)
    Which += format(" and %zu more", Unchecked.size() - Named);
  print(
      format("graupel dsm: note: compiled without checks: %s; what they access "
             "of shared memory that no call passes to them is not seen, and "
             "wrong where it is on another node. Compile them with "
             "graupel-dsm.cfg, or see what they access with --check-missed\n",
             Which.c_str()));
}

void refuseUncheckedThreads() {
  forEachObject([](const ObjectFile &O) {
    for (const graupel_dsm_call &Call : O.loaded<graupel_dsm_call>(Section))
      if (Call.kind == GRAUPEL_DSM_CALL_THREAD && Call.callee)
        requireThreadFunction(Call, Call.callee);
  });
}

} // namespace graupel::dsm

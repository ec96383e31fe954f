//===- Stride/Report/Callgrind.cpp ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format of callgrind's profiles, for KCachegrind and callgrind_annotate.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

namespace graupel::stride {

namespace {

struct Costs {
  uint64_t Loads = 0, Stores = 0;
  Pattern P;
  MissCounts LoadMisses, StoreMisses;
};

/// Events as cachegrind calls them: D1mr, D1mw, ..., DLmr, DLmw.
std::string nameOfMisses(unsigned Level, unsigned LevelCount, char Kind) {
  const bool Last = Level && Level == LevelCount - 1;
  return "D" + (Last ? std::string("L") : std::to_string(Level + 1)) + "m" +
         Kind;
}

/// Names must stay on their line.
std::string oneLine(std::string Text) {
  for (char &C : Text)
    if (C == '\n' || C == '\r')
      C = ' ';
  return Text;
}

void write(const Costs &C, unsigned LevelCount, llvm::raw_ostream &OS) {
  OS << ' ' << C.P.References << ' ' << C.Loads << ' ' << C.Stores << ' '
     << C.P.Unit << ' ' << C.P.Same << ' ' << C.P.Constant << ' '
     << C.P.Irregular;
  if (LevelCount)
    OS << ' ' << C.Loads << ' ' << C.Stores;
  for (unsigned N = 0; N < LevelCount; ++N)
    OS << ' ' << C.LoadMisses.Levels[N].Misses << ' '
       << C.StoreMisses.Levels[N].Misses;
  OS << '\n';
}

void writeEvents(const CachesRecord &Caches, llvm::raw_ostream &OS) {
  const unsigned Count = Caches.LevelCount;
  std::string Names;
  if (Count) {
    OS << "event: Dr : Loads\nevent: Dw : Stores\n";
    Names += " Dr Dw";
  }
  for (unsigned N = 0; N < Count; ++N)
    for (char Kind : {'r', 'w'}) {
      const std::string Name = nameOfMisses(N, Count, Kind);
      OS << "event: " << Name << " : " << Caches.Levels[N].Name
         << (Kind == 'r' ? " misses of loads\n" : " misses of stores\n");
      Names += " " + Name;
    }
  OS << "events: Refs Loads Stores Unit Same Const Irreg" << Names;
}

void add(Costs &C, const Use &U, const Misses &M) {
  if (const MissCounts *Its = M.of(U))
    (U.Store ? C.StoreMisses : C.LoadMisses).add(*Its);
  (U.Store ? C.Stores : C.Loads) += U.P.References;
  C.P.add(U.P);
}

} // namespace

void writeCallgrind(const Report &Rep, llvm::raw_ostream &OS) {
  std::map<std::pair<std::string, std::string>, std::map<uint32_t, Costs>>
      Functions;
  Costs All;
  for (const Use &U : Rep.P->Uses) {
    add(Functions[{U.Where.File, U.Function}][U.Where.Number], U, *Rep.M);
    add(All, U, *Rep.M);
  }
  std::string Command = Rep.R.CommandLine;
  while (!Command.empty() && Command.back() == '\0')
    Command.pop_back();
  for (char &C : Command)
    C = C ? C : ' ';
  OS << "# callgrind format\nversion: 1\ncreator: graupel stride\npid: "
     << Rep.R.Header.Process << "\ncmd: " << oneLine(Command)
     << "\npart: 1\n\n"
        "desc: Trigger: end of the record\n"
        "desc: Unit is one element or one vector, Same distance 0\n\n"
        "positions: line\n"
        "event: Refs : References\nevent: Loads : Loads\n"
        "event: Stores : Stores\nevent: Unit : Stride one\n"
        "event: Same : Same address again\n"
        "event: Const : Other constant stride\n"
        "event: Irreg : Irregular stride\n";
  writeEvents(Rep.R.Caches, OS);
  OS << "\nsummary:";
  write(All, Rep.M->LevelCount, OS);
  OS << "\nob=" << oneLine(Rep.R.Program) << '\n';
  for (const auto &[Name, Lines] : Functions) {
    OS << "fl=" << (Name.first.empty() ? "???" : oneLine(Name.first))
       << "\nfn=" << (Name.second.empty() ? "???" : oneLine(Name.second))
       << '\n';
    for (const auto &[Number, Sum] : Lines) {
      OS << Number;
      write(Sum, Rep.M->LevelCount, OS);
    }
    OS << '\n';
  }
  OS << "totals:";
  write(All, Rep.M->LevelCount, OS);
}

} // namespace graupel::stride

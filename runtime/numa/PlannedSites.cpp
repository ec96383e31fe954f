//===- numa/PlannedSites.cpp - Allocations that name their site -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// $GRAUPEL_NUMA_PLAN names a placement file; its heap statements are applied
// when compiled code reports a block. Its other statements are ignored.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Numa/PlacementFile/Statements.h"
#include "Numa/Topology/Text.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace graupel::numa;

namespace {

struct Planned {
  std::string Name; ///< "main.c:31", or a function.
  graupel_numa_policy Policy;
  std::vector<int> Nodes;
  std::vector<unsigned> Weights;
  bool IsBlock; ///< As many units as nodes.
};

void complain(const std::string &Message) {
  fprintf(stderr, "graupel numa: warning: GRAUPEL_NUMA_PLAN: %s\n",
          Message.c_str());
}

/// False if it cannot be done to a block that is there already.
bool convert(const Statement &S, Planned &To) {
  static const graupel_numa_kind Kinds[] = {
      GRAUPEL_NUMA_FIRST_TOUCH, GRAUPEL_NUMA_FIXED, GRAUPEL_NUMA_ROUND_ROBIN,
      GRAUPEL_NUMA_INTERLEAVE, GRAUPEL_NUMA_ROUND_ROBIN};
  if (S.When || S.Rule.Kind > PlacementRule::Block)
    return false;
  To.Name = S.Target.Name;
  To.IsBlock = S.Rule.Kind == PlacementRule::Block;
  To.Policy = {};
  To.Policy.kind = Kinds[S.Rule.Kind];
  To.Policy.unit = S.Rule.Unit;
  To.Policy.mandatory = S.Rule.Mandatory;
  To.Weights = S.Rule.Weights;
  for (const Home &H : S.Rule.Homes) {
    if (H.IsMemory)
      return false;
    To.Nodes.push_back(int(H.Number));
  }
  for (unsigned Id : machine().idsOf(machine().WithMemory))
    if (S.Rule.Homes.empty())
      To.Nodes.push_back(int(Id));
  return !To.Name.empty();
}

std::vector<Planned> *readPlan() {
  auto *Read = new std::vector<Planned>;
  const char *Path = getenv("GRAUPEL_NUMA_PLAN");
  // The launcher has done all that it says.
  if (!Path || getenv("GRAUPEL_NUMA_PLACEMENT"))
    return Read;
  auto Text = readFile(Path);
  std::vector<Statement> Statements;
  std::optional<std::string> Wrong =
      Text ? readStatements(
                 *Text,
                 [](const std::string &Name) -> std::optional<std::string> {
                   const char *Value = getenv(Name.c_str());
                   return Value ? std::optional<std::string>(Value)
                                : std::nullopt;
                 },
                 Statements)
           : "cannot be read";
  if (Wrong) {
    complain(std::string(Path) + ": " + *Wrong);
    return Read;
  }
  for (const Statement &S : Statements) {
    Planned New;
    if (S.Kind == Statement::PlaceHeap && convert(S, New))
      Read->push_back(std::move(New));
    else
      complain("line " + std::to_string(S.Line) + ", `" + S.Text +
               "`, is for graupel numa run --placement");
  }
  return Read;
}

/// "main.c:31" is "src/main.c:31".
bool isSite(const std::string &Name, const char *Line, const char *Function) {
  if (Name == Function)
    return true;
  size_t Length = strlen(Line);
  return Name.ends_with(Line) &&
         (Name.size() == Length || Name[Name.size() - Length - 1] == '/');
}

} // namespace

void graupel_numa_site(void *Block, size_t Bytes, const char *Line,
                       const char *Function) {
  // Never destroyed: programs allocate while they end.
  static const std::vector<Planned> *const Read = readPlan();
  // Pages at its ends may be others', too.
  auto Start = pageUp(reinterpret_cast<uint64_t>(Block));
  auto End = pageDown(reinterpret_cast<uint64_t>(Block) + Bytes);
  if (Read->empty() || !Block || Start >= End)
    return;
  for (const Planned &S : *Read) {
    if (!isSite(S.Name, Line, Function))
      continue;
    graupel_numa_policy P = S.Policy;
    P.nodes = S.Nodes.data();
    P.node_count = S.Nodes.size();
    P.weights = S.Weights.empty() ? nullptr : S.Weights.data();
    if (S.IsBlock)
      P.unit = pageUp((End - Start + S.Nodes.size() - 1) / S.Nodes.size());
    if (graupel_numa_attach(reinterpret_cast<void *>(Start), End - Start, &P) <
        0)
      complain(std::string(Line) + ": " + graupel_numa_message());
    return;
  }
}

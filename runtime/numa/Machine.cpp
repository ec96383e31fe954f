//===- numa/Machine.cpp - The machine, and messages of calls --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Numa/Topology/Readers.h"
#include "Numa/Topology/Text.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace graupel::numa;

/// Something that every call can work with, whatever happens.
static void assumeOneNode(Topology &T) {
  T = Topology();
  T.Source = "one node, as nothing else is known";
  T.Nodes.emplace_back();
  T.Processors.push_back({0, 0});
  (void)T.complete();
}

static bool readDescribed(const char *Path, Topology &T) {
  auto Text = readFile(Path);
  std::optional<std::string> Wrong = "cannot be read";
  if (Text)
    Wrong = readDescription(*Text, T);
  if (Wrong)
    fprintf(stderr,
            "graupel numa: warning: GRAUPEL_NUMA_TOPOLOGY names %s: %s; this "
            "machine is used\n",
            Path, Wrong->c_str());
  return !Wrong;
}

static Machine read() {
  Machine M;
  const char *Path = getenv("GRAUPEL_NUMA_TOPOLOGY");
  if (Path && *Path)
    M.Described = M.Trivial = readDescribed(Path, M.T);
  if (!M.Described) {
    M.T = Topology();
    if (readSysfs("/sys", M.T))
      assumeOneNode(M.T);
    M.Trivial = M.T.Nodes.size() == 1;
  }
  for (const Node &N : M.T.Nodes)
    M.All |= Nodes(1) << N.Id;
  for (unsigned N : M.T.nodesWithMemory())
    M.WithMemory |= Nodes(1) << M.T.Nodes[N].Id;
  for (const Processor &P : M.T.Processors)
    M.WithProcessors |= Nodes(1) << M.T.Nodes[P.Node].Id;
  return M;
}

const Machine &graupel::numa::machine() {
  // Never destroyed: threads may still place memory while the program ends.
  static const Machine *M = new Machine(read());
  return *M;
}

std::vector<unsigned> Machine::idsOf(Nodes Mask) const {
  std::vector<unsigned> Ids;
  for (unsigned Id = 0; Id < 64; ++Id)
    if (Mask >> Id & 1)
      Ids.push_back(Id);
  return Ids;
}

std::vector<uint64_t> Machine::freeBytes() const {
  Topology Now;
  bool Known = !Described && !readSysfs("/sys", Now) &&
               Now.Nodes.size() == T.Nodes.size();
  std::vector<uint64_t> Free;
  bool Any = false;
  for (size_t N = 0; N < T.Nodes.size(); ++N) {
    Free.push_back(Known ? Now.Nodes[N].FreeBytes.value_or(0)
                         : T.Nodes[N].Bytes);
    Any |= Free.back() > 0;
  }
  return Any ? Free : std::vector<uint64_t>();
}

static thread_local std::string Message;

int graupel::numa::say(int Result, std::string Sentence) {
  Message = std::move(Sentence);
  return Result;
}

int graupel::numa::sayError(int Error, const std::string &Message) {
  return say(Error, Message + ": " + strerror(-Error));
}

const char *graupel_numa_message(void) { return Message.c_str(); }

graupel_numa_nodes graupel_numa_all_nodes(void) { return machine().All; }

graupel_numa_nodes graupel_numa_memory_nodes(void) {
  return machine().WithMemory;
}

int graupel_numa_steps(int From, int To) {
  const Machine &M = machine();
  if (!M.has(From) || !M.has(To))
    return say(-EINVAL, "there is no such node");
  return int(M.T.classes().at(*M.T.indexOfNode(unsigned(From)),
                              *M.T.indexOfNode(unsigned(To))));
}

graupel_numa_nodes graupel_numa_nodes_within(int Node, unsigned Steps) {
  const Machine &M = machine();
  Nodes Found = 0;
  if (M.has(Node))
    for (unsigned N : M.T.within(*M.T.indexOfNode(unsigned(Node)), Steps))
      Found |= Nodes(1) << M.T.Nodes[N].Id;
  return Found;
}

int graupel_numa_here(void) { return currentNode(); }

//===- Dsm/Job/Objects.cpp - Shared memory by what the program calls it ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes objects of allocations, and finds the object at an address:
//
// 1. Groups counts the allocations and their sizes by line and path of calls. A
//    path ends where it leaves the module of the allocation.
// 2. Objects::Objects walks the nodes' allocations in order and gives each one
//    its object: a new one in a small group, that of its size or of its group
//    in a large one. Objects of equal names get numbers.
// 3. add() enters an allocation by address and removes what it overlaps.
//    number() gives the pieces of an object offsets, in the order of addresses.
// 4. Three objects without allocations come last: private memory, several
//    objects together, unknown memory. find() returns one of them where no
//    single object holds the range.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

using namespace graupel;
using namespace graupel::dsm;

std::string graupel::dsm::homeName(const Object &O) {
  if (O.SeveralHomes)
    return "several";
  switch (O.Home) {
  case -1:
    return "round robin";
  case -2:
    return "first touch";
  default:
    return "node " + std::to_string(O.Home);
  }
}

/// The line of an allocation, with the program's calls that led there as if
/// all had been inlined.
static SourceLine siteOf(const NodeFile &N, const NodeFile::Allocation &A,
                         SourceLines &Lines) {
  SourceLine Site = N.line(A.Place, Lines);
  for (unsigned Place : A.Callers) {
    // Code outside of the program called main, or a thread's function.
    if (N.Places[Place].Module != N.Places[A.Place].Module)
      break;
    const SourceLine &L = N.line(Place, Lines);
    Site.Callers.push_back({L.shortName(), L.Text});
    Site.Callers.insert(Site.Callers.end(), L.Callers.begin(), L.Callers.end());
  }
  return Site;
}

static Object describe(SourceLine Site, const NodeFile::Allocation &A,
                       int Node) {
  Object O;
  O.Name = nameOfAllocation(Site);
  O.Site = std::move(Site);
  O.Block = A.Block;
  O.Home = A.Home == -3 ? Node : A.Home;
  return O;
}

/// Memory that was freed and is used again belongs to who had it last.
void Objects::add(const NodeFile::Allocation &A, unsigned Object) {
  uint64_t End = A.Address + A.Bytes;
  auto It = Pieces.lower_bound(A.Address);
  if (It != Pieces.begin() && std::prev(It)->second.End > A.Address)
    --It;
  while (It != Pieces.end() && It->second.Address < End)
    It = Pieces.erase(It);
  Pieces[A.Address] = {A.Address, End, Object, 0};
}

/// Places of pieces in their objects.
void Objects::number() {
  std::vector<uint64_t> Sizes(List.size());
  for (auto &[Address, P] : Pieces) {
    P.Offset = Sizes[P.Object];
    Sizes[P.Object] += P.End - P.Address;
  }
  for (size_t I = 0; I < List.size(); ++I)
    List[I].Bytes = Sizes[I];
}

namespace {

/// Allocations of one line and one path of calls.
struct Group {
  SourceLine Site;
  uint64_t Allocations = 0;
  std::map<uint64_t, unsigned> OfSize; ///< The object of those of a size.
  bool BySize() const {
    return OfSize.size() > 1 && OfSize.size() <= Objects::MaxOfLine;
  }
};

class Groups {
public:
  Groups(const JobFiles &Job, SourceLines &Lines) : Lines(Lines) {
    for (const NodeFile &N : Job.Nodes)
      for (const NodeFile::Allocation &A : N.Allocations) {
        Group &G = of(N, A);
        ++G.Allocations;
        G.OfSize.try_emplace(A.Bytes, None);
      }
  }
  static constexpr unsigned None = ~0u;

  Group &of(const NodeFile &N, const NodeFile::Allocation &A) {
    std::vector<unsigned> Path = A.Callers;
    Path.push_back(A.Place);
    auto [Known, New] = ByPlaces.try_emplace({N.Node, Path}, nullptr);
    if (!New)
      return *Known->second;
    SourceLine Site = siteOf(N, A, Lines);
    std::string Key = Site.File + ":" + std::to_string(Site.Line) + Site.Code;
    if (!Site.File.empty())
      Key = Site.File + ":" + std::to_string(Site.Line);
    for (const SourceLine::Caller &C : Site.Callers)
      Key += "<" + C.Name;
    Group &G = ByPath[Key];
    G.Site = std::move(Site);
    return *(Known->second = &G);
  }

private:
  SourceLines &Lines;
  std::map<std::string, Group> ByPath;
  std::map<std::pair<int, std::vector<unsigned>>, Group *> ByPlaces;
};

} // namespace

Objects::Objects(const JobFiles &Job, SourceLines &Lines) {
  Groups All(Job, Lines);
  std::map<std::string, std::vector<unsigned>> ByName;
  for (const NodeFile &N : Job.Nodes)
    for (const NodeFile::Allocation &A : N.Allocations) {
      Group &G = All.of(N, A);
      bool Together = G.Allocations > MaxOfLine;
      unsigned &OfGroup =
          G.BySize() ? G.OfSize[A.Bytes] : G.OfSize.begin()->second;
      unsigned Index = OfGroup;
      if (!Together || Index == Groups::None) {
        Index = OfGroup = unsigned(List.size());
        List.push_back(describe(G.Site, A, N.Node));
        if (Together && G.BySize())
          List.back().Name += " of " + std::to_string(A.Bytes) + " bytes";
        ByName[List.back().Name].push_back(Index);
      }
      Object &O = List[Index];
      ++O.Allocations;
      O.SeveralHomes |= O.Home != (A.Home == -3 ? N.Node : A.Home);
      if (O.Block != A.Block)
        O.Block = 0;
      add(A, Index);
    }
  for (const auto &[Name, Same] : ByName)
    for (size_t I = 0; Same.size() > 1 && I < Same.size(); ++I)
      List[Same[I]].Name += " #" + std::to_string(I + 1);
  number();

  auto unknown = [&](const char *Name) {
    Object O;
    O.Name = Name;
    O.Known = false;
    List.push_back(O);
    return unsigned(List.size() - 1);
  };
  Private = unknown("private memory");
  Several = unknown("several objects together");
  Unknown = unknown("memory of no known allocation");
}

Objects::Position Objects::find(uint64_t Address, uint64_t Bytes) const {
  if (!Bytes)
    return {Private, 0};
  auto It = Pieces.upper_bound(Address);
  if (It != Pieces.begin() && std::prev(It)->second.End > Address)
    --It;
  if (It == Pieces.end() || It->second.Address >= Address + Bytes)
    return {Unknown, 0};
  const Piece &P = It->second;
  for (++It; It != Pieces.end() && It->second.Address < Address + Bytes; ++It)
    if (It->second.Object != P.Object)
      return {Several, 0};
  uint64_t Within = Address > P.Address ? Address - P.Address : 0;
  return {P.Object, P.Offset + Within, P.Address, Within};
}

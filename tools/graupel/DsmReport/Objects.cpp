//===- Objects.cpp - Shared memory by what the program calls it ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
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

/// The x and y of Fortran's `allocate(x(n), y(n, m), stat=e)`; "" of other
/// lines.
static std::string allocatedBy(StringRef Text) {
  StringRef Rest = Text.ltrim();
  if (!Rest.consume_front_insensitive("allocate") || Text.contains(';'))
    return "";
  Rest = Rest.ltrim();
  if (!Rest.consume_front("("))
    return "";
  // `allocate(real(8) :: x(n))`
  if (size_t Type = Rest.find("::"); Type != StringRef::npos)
    Rest = Rest.substr(Type + 2);
  std::string Result;
  while (!Rest.empty()) {
    size_t End = 0;
    for (int Depth = 0; End < Rest.size(); ++End) {
      Depth += (Rest[End] == '(') - (Rest[End] == ')');
      if (Depth < 0 || (Depth == 0 && Rest[End] == ','))
        break;
    }
    StringRef Item = Rest.take_front(End);
    StringRef Name = Item.take_until([](char C) { return C == '('; }).trim();
    if (Name.empty() || Name.contains('=') || Name == "&")
      break;
    Result += (Result.empty() ? "" : ", ") + Name.str();
    Rest = Rest.drop_front(End);
    if (!Rest.consume_front(","))
      break;
  }
  return Result;
}

/// What a line like `g->e = gdsm_alloc(...)` assigns to, if it does.
static std::string variableOf(StringRef Text) {
  if (std::string Fortran = allocatedBy(Text); !Fortran.empty())
    return Fortran;
  size_t Equals = Text.find('=');
  if (Equals == StringRef::npos || Text.substr(Equals, 2) == "==")
    return "";
  // `double *const x`: the last word, with what reaches into it.
  StringRef Left = Text.take_front(Equals).rtrim();
  // `double (*x)[8]`: a pointer to rows.
  Left = Left.take_front(Left.find(")[")).rtrim();
  StringRef Name = Left.substr(Left.find_last_of(" *&(,;{") + 1);
  return !Name.empty() && (isAlpha(Name[0]) || Name[0] == '_') ? Name.str()
                                                               : "";
}

std::string graupel::dsm::nameOfAllocation(const SourceLine &Site) {
  constexpr size_t Longest = 40;
  if (std::string V = variableOf(Site.Text); !V.empty())
    return Site.shortName() + " " + V;
  for (const SourceLine::Caller &C : Site.Callers)
    if (std::string V = variableOf(C.Text); !V.empty())
      return C.Name + " " + V;
  if (Site.Text.empty())
    return Site.shortName();
  return Site.shortName() + " " +
         (Site.Text.size() > Longest ? Site.Text.substr(0, Longest - 3) + "..."
                                     : Site.Text);
}

static Object describe(const SourceLine &Site, const NodeFile::Allocation &A,
                       int Node) {
  Object O;
  O.Site = Site;
  O.Name = nameOfAllocation(Site);
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

Objects::Objects(const JobFiles &Job, SourceLines &Lines) {
  struct Group {
    unsigned Allocations = 0, First = ~0u;
  };
  std::map<const SourceLine *, Group> Groups;
  auto groupOf = [&](const NodeFile &N,
                     const NodeFile::Allocation &A) -> Group & {
    return Groups[&Lines.find(N, A.Place)];
  };
  for (const NodeFile &N : Job.Nodes)
    for (const NodeFile::Allocation &A : N.Allocations)
      ++groupOf(N, A).Allocations;

  std::map<std::string, unsigned> Numbers; // of those with equal names
  for (const NodeFile &N : Job.Nodes)
    for (const NodeFile::Allocation &A : N.Allocations) {
      Group &G = groupOf(N, A);
      unsigned Index = G.First;
      bool Together = G.Allocations > MaxOfLine;
      if (!Together || Index == ~0u) {
        Index = unsigned(List.size());
        List.push_back(describe(Lines.find(N, A.Place), A, N.Node));
        if (!Together && G.Allocations > 1)
          List.back().Name +=
              " #" + std::to_string(++Numbers[List.back().Name]);
        G.First = Index;
      }
      Object &O = List[Index];
      ++O.Allocations;
      O.SeveralHomes |= O.Home != (A.Home == -3 ? N.Node : A.Home);
      if (O.Block != A.Block)
        O.Block = 0;
      add(A, Index);
    }
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
  return {P.Object, P.Offset + (Address > P.Address ? Address - P.Address : 0)};
}

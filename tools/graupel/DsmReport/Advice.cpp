//===- Advice.cpp - What might make a program faster ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "Report/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

namespace {

/// Objects below these are not worth a change of the program. The share is of
/// all misses or of the time lost, which a busy machine gives to whom it likes.
constexpr uint64_t LeastMisses = 50;
constexpr double LeastShare = 2;

/// Percentages from which a reason counts.
constexpr double MuchFalseSharing = 25, LittleFalseSharing = 5;
constexpr double MostOfFalseSharing = 75;
constexpr double MostlySequential = 50;
constexpr double MostlyOfOneNode = 75, ManyStores = 10;

std::string share(uint64_t Part, uint64_t Whole) {
  return grouped(Part) + " of " + grouped(Whole) + " (" +
         percentText(percent(Part, Whole)) + ")";
}

class Adviser {
public:
  Adviser(const Profile &P, unsigned Index)
      : P(P), Index(Index), O(P.Data[Index]), U(P.Uses[Index]) {}

  std::vector<Advice> advise() {
    bool Small =
        percent(U.Misses.Nanoseconds, P.Misses.Nanoseconds) < LeastShare &&
        percent(U.Misses.Count, P.Misses.Count) < LeastShare;
    if (!O.Known || Small || U.Misses.Count < LeastMisses)
      return {};
    // With too large blocks, what else is seen is a consequence.
    if (!falseSharing())
      sequence();
    home();
    return std::move(Result);
  }

private:
  bool falseSharing();
  void sequence();
  void home();
  uint64_t count(Cause C) const { return U.ByCause[size_t(C)].Count; }
  void add(Advice::Kind Kind, int Value, std::string Text,
           std::string Reasons) {
    Result.push_back({Index, Kind, Value, std::move(Text), std::move(Reasons)});
  }

  const Profile &P;
  unsigned Index;
  const Object &O;
  const ObjectUse &U;
  std::vector<Advice> Result;
};

bool Adviser::falseSharing() {
  uint64_t False = count(Cause::FalseSharing);
  if (percent(False, U.Misses.Count) < MuchFalseSharing)
    return false;
  std::string Reasons =
      share(False, U.Misses.Count) + " misses are false sharing";
  uint64_t Avoided = 0;
  // A size avoids what it and larger ones keep apart.
  for (unsigned I = U.ApartAt.size(); I-- > 0;) {
    Avoided += U.ApartAt[I];
    if (percent(Avoided, False) < MostOfFalseSharing)
      continue;
    int Size = 32 << I;
    add(Advice::Kind::SmallerBlock, Size,
        formatv("allocate it with blocks of {0} bytes{1}", Size,
                O.Block ? formatv(" instead of {0}", O.Block).str() : ""),
        Reasons + "; blocks of " + std::to_string(Size) +
            " bytes would have avoided " + share(Avoided, False) + " of these");
    return true;
  }
  add(Advice::Kind::Apart, 0,
      "put what different nodes write further apart: pad it to whole blocks",
      Reasons + "; even blocks of 32 bytes would have avoided only " +
          share(Avoided, False) + " of these");
  return true;
}

void Adviser::sequence() {
  uint64_t Fetches = U.Misses.Count - count(Cause::Upgrade);
  if (!O.Block || O.Block >= 4096 ||
      percent(U.Sequential, U.Misses.Count) < MostlySequential ||
      percent(count(Cause::FalseSharing), U.Misses.Count) >=
          LittleFalseSharing ||
      percent(count(Cause::Cold) + count(Cause::TrueSharing), Fetches) <
          MostOfFalseSharing)
    return;
  uint64_t Runs = std::max<uint64_t>(U.Misses.Count - U.Sequential, 1);
  uint64_t Length = U.Misses.Count / Runs;
  uint64_t Size = std::min<uint64_t>(O.Block * bit_floor(Length), 4096);
  if (Size <= O.Block)
    return;
  add(Advice::Kind::LargerBlock, int(Size),
      formatv("allocate it with blocks of {0} bytes instead of {1}", Size,
              O.Block),
      share(U.Sequential, U.Misses.Count) +
          " misses follow one of the neighbouring block, in runs of " +
          grouped(Length) + " blocks on average, and " +
          (count(Cause::FalseSharing)
               ? "only " + share(count(Cause::FalseSharing), U.Misses.Count) +
                     " are false sharing"
               : "none is false sharing"));
}

void Adviser::home() {
  if (percent(U.Stores, U.Misses.Count) < ManyStores)
    return;
  auto Main = max_element(U.RemoteStores);
  int Node = int(Main - U.RemoteStores.begin());
  std::string Elsewhere =
      ", whose blocks are at home elsewhere (" + homeName(O) + ")";
  if (percent(*Main, U.Stores) >= MostlyOfOneNode)
    add(Advice::Kind::Home, Node,
        formatv("allocate it with node {0} as its home", Node),
        share(*Main, U.Stores) + " misses to store are node " +
            std::to_string(Node) + "'s" + Elsewhere);
  else if (O.Home != -2 &&
           percent(U.RemoteStoresOfMain, U.Stores) >= MostlyOfOneNode)
    add(Advice::Kind::FirstTouch, 0,
        "allocate it with GDSM_HOME_FIRST_TOUCH, or each node's part by itself",
        share(U.RemoteStoresOfMain, U.Stores) +
            " misses to store are of the node that stores most to the page" +
            Elsewhere);
}

} // namespace

StringRef graupel::dsm::kindName(Advice::Kind K) {
  switch (K) {
  case Advice::Kind::SmallerBlock:
    return "smaller block";
  case Advice::Kind::Apart:
    return "further apart";
  case Advice::Kind::LargerBlock:
    return "larger block";
  case Advice::Kind::Home:
    return "home";
  case Advice::Kind::FirstTouch:
    return "first touch";
  }
  return "";
}

std::vector<Advice> graupel::dsm::advise(const Profile &P) {
  std::vector<Advice> All;
  for (unsigned Object : P.ByTime)
    append_range(All, Adviser(P, Object).advise());
  return All;
}

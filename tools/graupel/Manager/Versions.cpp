//===- Manager/Versions.cpp - Versions of one image -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers to requests of the page for one image and its versions:
//
// 1. requireVersion() finds a version by its name in the store.
// 2. doUse() records the choice of what runs. If a kind is chosen and the image
//    has no version of it, doUse() makes one first.
// 3. difference() collects two sides (sideOf): kind, size and, for a version,
//    its options and figures; counts of functions, those of now for the
//    original and those that it was made by for a version; places of functions
//    from symbols.
// 4. It sorts the functions by the larger count of the two sides, and writes
//    the 100 hottest with what each side has of them.
// 5. hotFunctions() writes the 100 hottest by the exact counts of now, or an
//    error if there are none.
//
//===----------------------------------------------------------------------===//

#include "Versions.h"
#include "Environment/Actions/Choose.h"
#include "Environment/Actions/Make.h"
#include "Environment/Actions/Sources.h"
#include "Functions.h"
#include "Names.h"
#include "Perform.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

static constexpr StringLiteral Original = "original";
/// Functions that are listed.
static constexpr size_t Hottest = 100;

Expected<Version> graupel::ui::requireVersion(Environment &E, const Image &I,
                                              StringRef Store) {
  for (const Version &V : versions(E.database(), I.Content))
    if (!V.Store.empty() && V.Store == Store)
      return V;
  if (Error Err = E.database().check())
    return Err;
  return createStringError(I.Path + ": there is no such version any more");
}

// --- Which one runs ----------------------------------------------------------

Error graupel::ui::doUse(Environment &E, const Wanted &W, Monitor &Told,
                         Outcome &To) {
  auto I = requireImage(E, W.Image);
  if (!I)
    return I.takeError();
  const auto M = modeFromName(W.Version);
  const Kind K = M == Mode::Instrumented ? Kind::Instrumented : Kind::Optimized;
  if (M && *M != Mode::Original && I->Unfit.empty() &&
      !newestVersion(E.database(), I->Content, K)) {
    Told.log((name(K) + ": " + I->Path).str());
    auto Made = makeVersion(E, *I, K, {}, /*Retry=*/true);
    if (!Made)
      return Made.takeError();
    if (!Made->Result)
      return createStringError(I->Path + ": " + Made->Why);
    I = Made->Input;
  }
  if (Error Err = chooseForImage(E, *I, W.Version))
    return Err;
  To.Lines.push_back("from the next start on");
  return Error::success();
}

// --- Two versions ------------------------------------------------------------

namespace {

/// One side of a comparison.
struct Side {
  json::Object Facts;
  std::map<std::string, FunctionPlace> Places;
  std::map<std::string, uint64_t> Executed;
  uint64_t Total = 0;
};

} // namespace

static void addCounts(Side &To, StringRef Bytes) {
  auto Counts = functionCounts(Bytes);
  if (!Counts) { // Samples, or what others have made.
    consumeError(Counts.takeError());
    return;
  }
  for (const FunctionCounts &F : *Counts) {
    To.Executed[F.Name] = F.Instructions;
    To.Total += F.Instructions;
  }
  To.Facts["executed_instructions"] = To.Total;
}

static Expected<Side> sideOf(Environment &E, const Image &I, StringRef Store) {
  Side Result;
  std::string Path = I.Path, Content = I.Content;
  if (Store == Original) {
    uint64_t Size = 0;
    if (std::error_code EC = sys::fs::file_size(I.Path, Size))
      return createStringError(I.Path + ": " + EC.message());
    Result.Facts = json::Object{{"kind", Original}, {"bytes", Size}};
    const auto Sources = profileSources(E.database(), I);
    if (const ProfileSource *Own = ownProfile(Sources))
      addCounts(Result, Own->Bytes);
  } else {
    auto V = requireVersion(E, I, Store);
    if (!V)
      return V.takeError();
    Path = E.store().path(V->Store);
    Content = V->Store;
    json::Object Figures;
    for (const graupel::environment::Result &R : results(E.database(), V->Id))
      Figures[R.Name] = R.Value;
    Result.Facts = json::Object{{"kind", name(V->VersionKind)},
                                {"bytes", V->Size},
                                {"options", json::fixUTF8(V->Options)},
                                {"graupel_bolt", json::fixUTF8(V->Tool)},
                                {"made", V->Made},
                                {"seconds", V->Seconds},
                                {"figures", std::move(Figures)}};
    addCounts(Result, usedProfile(E.database(), V->Id));
  }
  auto Places = functionPlaces(Path, Content);
  if (Places)
    Result.Places = std::move(*Places);
  else
    Result.Facts["no_symbols"] = json::fixUTF8(toString(Places.takeError()));
  return Result;
}

/// The name of a symbol: local functions are NAME/FILE/NUMBER in profiles.
static std::string symbolOf(StringRef Name) {
  return Name.split('/').first.str();
}

static json::Object functionOn(const Side &S, const std::string &Name) {
  json::Object O;
  if (auto It = S.Executed.find(Name); It != S.Executed.end()) {
    O["executed"] = It->second;
    O["percent"] = S.Total ? 100 * double(It->second) / double(S.Total) : 0;
  }
  if (auto It = S.Places.find(symbolOf(Name)); It != S.Places.end()) {
    O["address"] = It->second.Address;
    O["bytes"] = It->second.Size;
    O["cold_bytes"] = It->second.ColdSize;
    O["rank"] = It->second.Rank;
  }
  return O;
}

Expected<json::Value> graupel::ui::difference(Environment &E, const Image &I,
                                              StringRef Before,
                                              StringRef After) {
  auto A = sideOf(E, I, Before);
  if (!A)
    return A.takeError();
  auto B = sideOf(E, I, After);
  if (!B)
    return B.takeError();
  std::vector<std::pair<uint64_t, std::string>> Order;
  std::map<std::string, uint64_t> All = A->Executed;
  for (const auto &[Name, Count] : B->Executed)
    All[Name] = std::max(All[Name], Count);
  for (const auto &[Name, Count] : All)
    if (Count)
      Order.emplace_back(Count, Name);
  stable_sort(Order,
              [](const auto &X, const auto &Y) { return X.first > Y.first; });
  json::Array Functions;
  for (const auto &[Count, Name] : ArrayRef(Order).take_front(Hottest))
    Functions.push_back(json::Object{{"name", toPage(Name)},
                                     {"before", functionOn(*A, Name)},
                                     {"after", functionOn(*B, Name)}});
  if (Error Err = E.database().check())
    return Err;
  return json::Object{{"path", toPage(I.Path)},
                      {"before", std::move(A->Facts)},
                      {"after", std::move(B->Facts)},
                      {"all_functions", int64_t(Order.size())},
                      {"functions", std::move(Functions)}};
}

Expected<json::Value> graupel::ui::hotFunctions(Environment &E,
                                                const Image &I) {
  const auto Sources = profileSources(E.database(), I);
  if (Error Err = E.database().check())
    return Err;
  const ProfileSource *Own = ownProfile(Sources);
  if (!Own || Own->Row.ProfileMethod != Method::Counters)
    return createStringError(I.Path + ": there are no exact counts of this "
                                      "build; `graupel learn` counts");
  auto Counts = functionCounts(Own->Bytes);
  if (!Counts)
    return Counts.takeError();
  uint64_t Total = 0;
  for (const FunctionCounts &F : *Counts)
    Total += F.Instructions;
  json::Array List;
  for (const FunctionCounts &F : ArrayRef(*Counts).take_front(Hottest))
    if (F.Instructions)
      List.push_back(json::Object{
          {"name", toPage(F.Name)},
          {"executed", F.Instructions},
          {"percent", 100 * double(F.Instructions) / double(Total)},
          {"calls", F.Calls},
          {"blocks", F.Blocks},
          {"executed_blocks", F.ExecutedBlocks}});
  return json::Object{{"path", toPage(I.Path)},
                      {"all", int64_t(Counts->size())},
                      {"executed_instructions", Total},
                      {"functions", std::move(List)}};
}

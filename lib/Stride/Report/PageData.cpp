//===- Stride/Report/PageData.cpp -----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the figures that the page's script draws, as arrays:
//
// 1. The constructor collects the streams, the pattern of each, and the lines
//    by file, files with most references first. Their places in these lists are
//    kept for links.
// 2. stream() writes histograms, sites with their first histogram, the pattern
//    and, if caches were simulated, misses.
// 3. file() writes lines with references, and three around each if the source
//    can be read.
// 4. loops() writes loops by references, most first.
// 5. write() puts these lists and those of PageCaches.cpp into one object.
//
//===----------------------------------------------------------------------===//

#include "PageData.h"

namespace graupel::stride {

/// Lines of source around those with references.
static constexpr uint32_t Context = 3;

static void text(llvm::StringRef Text, llvm::json::OStream &J) {
  J.value(llvm::json::fixUTF8(Text));
}

static void bins(const BinCounts &Counts, llvm::json::OStream &J) {
  for (auto [Bin, Count] : Counts) {
    J.value(Bin);
    J.value(Count);
  }
}

static void pattern(const Pattern &P, llvm::json::OStream &J) {
  J.array([&] {
    for (uint64_t Part :
         {P.References, P.Unit, P.Same, P.Constant, P.Irregular, P.First})
      J.value(Part);
  });
}

PageData::PageData(Report &Rep) : Rep(Rep), Streams(Rep.streams()) {
  for (const Use &U : Rep.P->Uses)
    Patterns[{U.Object, U.Store}].add(U.P);
  for (size_t N = 0; N < Streams.size(); ++N)
    StreamAt[{Streams[N].Object, Streams[N].Store}] = N;
  std::map<std::string, uint64_t> References;
  for (const auto &[Where, Sum] : Rep.P->Lines) {
    Lines[Where.File][Where.Number] = &Sum;
    References[Where.File] += Sum.Loads.References + Sum.Stores.References;
  }
  for (const auto &[Name, Numbers] : Lines)
    Files.push_back(Name);
  std::stable_sort(Files.begin(), Files.end(),
                   [&](const std::string &A, const std::string &B) {
                     return References[A] > References[B];
                   });
  for (size_t N = 0; N < Files.size(); ++N)
    FileAt[Files[N]] = N;
}

void PageData::stream(const ObjectStream &S, JSON &J) const {
  J.array([&] {
    text(S.Name, J);
    J.value(S.Store ? 1 : 0);
    J.value(S.ElementBytes);
    J.value(S.Counts.References);
    J.array([&] {
      for (unsigned Lag = 0; Lag < Rep.MaxLag; ++Lag)
        J.array([&] { bins(S.Counts.Lags[Lag], J); });
    });
    J.array([&] {
      for (uint64_t Each : S.Counts.NoPredecessor)
        J.value(Each);
    });
    J.array([&] {
      for (const SiteShare &Each : S.Sites) {
        const Site &Where = Rep.R.Sites[Each.Site];
        Code Made;
        Made.add(Where);
        J.array([&] {
          text(Line{Where.File, Where.Facts.Line}.shortName(), J);
          text(readableFunction(Where.Function), J);
          text(describe(Made), J);
          J.value(Each.Counts.References);
          J.array([&] { bins(Each.Counts.Lags[0], J); });
          auto M = Rep.M->Sites.find({S.Object, Each.Site});
          if (M != Rep.M->Sites.end())
            levelMisses(M->second, J);
        });
      }
    });
    pattern(Patterns.at({S.Object, S.Store}), J);
    if (Rep.M->any())
      streamMisses(S, J);
  });
}

void PageData::file(const std::string &Name, JSON &J) const {
  const FileLines &Some = Lines.at(Name);
  const std::vector<std::string> *Source = Rep.Texts.find(Name);
  std::vector<uint32_t> Shown;
  for (const auto &[Number, Sum] : Some)
    if (Number)
      Shown.push_back(Number);
  if (Source)
    Shown = withContext(Shown, Context, Source->size());
  if (Some.count(0))
    Shown.insert(Shown.begin(), 0);
  J.array([&] {
    text(Name.empty() ? "code without lines" : Name, J);
    J.value(Source ? 1 : 0);
    J.array([&] {
      for (uint32_t Number : Shown)
        J.array([&] {
          J.value(Number);
          text(Rep.Texts.line(Name, Number), J);
          auto Found = Some.find(Number);
          if (Found == Some.end())
            return;
          pattern(Found->second->Loads, J);
          pattern(Found->second->Stores, J);
          text(describe(Found->second->Made), J);
          if (Rep.M->any())
            lineMisses({Name, Number}, J);
        });
    });
  });
}

void PageData::loops(JSON &J) const {
  std::vector<std::pair<uint64_t, uint32_t>> Order;
  for (const auto &[Number, Sum] : Rep.P->Loops)
    Order.push_back({Sum.Loads.References + Sum.Stores.References, Number});
  std::sort(Order.rbegin(), Order.rend());
  for (const auto &[References, Number] : Order)
    J.array([&] {
      const Loop &L = Rep.R.Loops[Number];
      const LoopSum &Sum = Rep.P->Loops.at(Number);
      text(Line{L.File, L.Facts.Line}.shortName(), J);
      text(readableFunction(L.Function), J);
      J.value(L.Facts.Depth);
      J.value(Sum.Executions);
      J.value(Sum.Iterations);
      pattern(Sum.Loads, J);
      pattern(Sum.Stores, J);
    });
}

void PageData::write(llvm::raw_ostream &OS) {
  JSON J(OS);
  J.object([&] {
    J.attributeArray("streams", [&] {
      for (const ObjectStream &S : Streams)
        stream(S, J);
    });
    J.attributeArray("files", [&] {
      for (const std::string &Name : Files)
        file(Name, J);
    });
    J.attributeArray("loops", [&] { loops(J); });
    caches(J);
  });
}

} // namespace graupel::stride

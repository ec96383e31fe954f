//===- Stride/Report/JSONWriter.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report by the schema in docs/stride.md. Members in this order:
//
// 1. The program, the settings of the record, what was sampled, and `all`.
// 2. `streams`: histograms with intervals if sampled, misses, data and sites.
//    The members up to `histograms` are names others rely on.
// 3. `loops` and `lines`, with the patterns of their loads and stores.
// 4. `issues` and `bulk`.
// 5. If caches were simulated: `caches`, `tlb`, `conflicts` and `sharing`.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Stride/Record/Sampling.h"
#include "llvm/Support/JSON.h"
#include <cmath>

namespace graupel::stride {

namespace {

class Writer {
public:
  Writer(llvm::raw_ostream &OS, const Report &Rep)
      : J(OS, 1), Rep(Rep), R(Rep.R), Names(*Rep.O), Uncertain(Rep.R) {}
  void write();

private:
  // Counts do not fit into the signed numbers that JSON libraries like.
  void count(llvm::StringRef Name, uint64_t Value) { J.attribute(Name, Value); }
  void text(llvm::StringRef Name, llvm::StringRef Value) {
    J.attribute(Name, llvm::json::fixUTF8(Value));
  }
  void interval(llvm::StringRef Name, std::optional<double> Points) {
    if (Points)
      J.attribute(Name, std::round(*Points * 1000) / 1000);
  }
  void sampled(const Sampled &S);
  void counts(const Histograms &H);
  void pattern(llvm::StringRef Name, const Pattern &P);
  void place(const Line &Where, llvm::StringRef Function);
  void stream(const ObjectStream &S);
  void site(const SiteShare &S, uint32_t Object);
  void loops();
  void lines();
  void issue(const Issue &I);
  void bulk(const BulkSum &B);
  void misses(const MissCounts *M);
  void levels(llvm::StringRef Name, const MissCounts &M);
  void caches();
  void conflict(const ConflictPair &C);
  void sharing(const SharedLine &S);
  void site(llvm::StringRef Name, uint32_t Number);

  llvm::json::OStream J;
  const Report &Rep;
  const Record &R;
  const Objects &Names;
  const Uncertainty Uncertain;
};

} // namespace

template <class Map>
static const MissCounts *find(const Map &In,
                              const typename Map::key_type &Key) {
  auto Found = In.find(Key);
  return Found == In.end() ? nullptr : &Found->second;
}

void Writer::levels(llvm::StringRef Name, const MissCounts &M) {
  J.attributeArray(Name, [&] {
    for (unsigned N = 0; N < Rep.M->LevelCount; ++N)
      J.value(M.Levels[N].Misses);
  });
}

void Writer::misses(const MissCounts *M) {
  if (!Rep.M->any())
    return;
  static const MissCounts None;
  if (!M)
    M = &None;
  auto List = [&](llvm::StringRef Name, auto Value) {
    J.attributeArray(Name, [&] {
      for (unsigned N = 0; N < Rep.M->LevelCount; ++N)
        J.value(Value(N));
    });
  };
  levels("misses", *M);
  List("compulsory", [&](unsigned N) { return M->Levels[N].Compulsory; });
  List("capacity", [&](unsigned N) { return M->capacity(N); });
  List("conflict", [&](unsigned N) { return M->conflict(N); });
  if (R.Caches.TlbEntries)
    count("tlb_misses", M->TlbMisses);
  count("lines_left", M->LinesLeft);
  J.attribute("utilisation", M->utilization(R.Caches));
  count("first_uses", M->FirstUses);
  J.attributeObject("reuse", [&] {
    for (unsigned N = 0; N < ReuseBins; ++N)
      if (M->Reuse[N])
        count(nameOfReuse(N, R.Caches.ReuseShift), M->Reuse[N]);
  });
}

void Writer::caches() {
  const CachesRecord &C = R.Caches;
  J.attributeArray("caches", [&] {
    uint64_t Asked = Rep.P->All.References;
    for (unsigned N = 0; N < C.LevelCount; ++N) {
      const CacheLevelRecord &L = C.Levels[N];
      J.object([&] {
        text("name", L.Name);
        count("bytes", L.Bytes);
        J.attribute("ways", L.Ways);
        J.attribute("line_bytes", L.LineBytes);
        text("replacement", L.Policy == Replacement::LRU ? "lru" : "random");
        J.attribute("shared", L.Shared != 0);
        J.attribute("sampled", 1u << L.SampleShift);
        count("references", Asked);
        count("misses", Rep.M->All.Levels[N].Misses);
        count("compulsory", Rep.M->All.Levels[N].Compulsory);
        count("capacity", Rep.M->All.capacity(N));
        count("conflict", Rep.M->All.conflict(N));
      });
      Asked = Rep.M->All.Levels[N].Misses;
    }
  });
  if (C.TlbEntries)
    J.attributeObject("tlb", [&] {
      J.attribute("entries", C.TlbEntries);
      J.attribute("ways", C.TlbWays);
      count("page_bytes", C.PageBytes);
      count("misses", Rep.M->All.TlbMisses);
    });
  J.attribute("reuse_sampled", uint64_t(1) << C.ReuseShift);
  J.attributeArray("conflicts", [&] {
    for (const ConflictPair &Each : Rep.M->Conflicts)
      conflict(Each);
  });
  J.attributeArray("sharing", [&] {
    for (const SharedLine &Each : Rep.M->Sharing)
      sharing(Each);
  });
}

void Writer::conflict(const ConflictPair &C) {
  auto Name = [&](uint32_t Object) {
    return Object == NoNumber ? std::string("[others]") : Names[Object].Name;
  };
  J.object([&] {
    text("level", R.Caches.Levels[C.Level].Name);
    text("object", Name(C.Victim));
    text("evicted_by", Name(C.Evictor));
    count("misses", C.Misses);
  });
}

void Writer::site(llvm::StringRef Name, uint32_t Number) {
  const Site &Where = R.Sites[Number];
  J.attributeObject(Name, [&] {
    text("kind", Where.Facts.Kind == SiteKind::Store ? "store" : "load");
    place({Where.File, Where.Facts.Line}, readableFunction(Where.Function));
    J.attribute("column", Where.Facts.Column);
  });
}

void Writer::sharing(const SharedLine &S) {
  J.object([&] {
    text("object", Names[S.Object].Name);
    text("other_object", Names[S.OtherObject].Name);
    count("address", S.Address);
    if (S.OffsetIsKnown)
      count("offset", S.Offset);
    site("writer", S.Writer);
    site("other", S.Other);
    text("written", nameOfParts(S.Written, R.Caches.Levels[0].LineBytes));
    text("used", nameOfParts(S.Used, R.Caches.Levels[0].LineBytes));
    count("true", S.True);
    count("false", S.False);
  });
}

void Writer::sampled(const Sampled &S) {
  J.attributeObject("sampled", [&] {
    count("burst", S.Burst);
    count("every", S.Every);
    count("bursts", S.Bursts);
    count("in_bursts", S.InBursts);
    count("references", S.References);
    J.attribute("percent", S.percent());
  });
}

void Writer::counts(const Histograms &H) {
  count("references", H.References);
  interval("interval", Uncertain.ofShare(H));
  J.attributeArray("histograms", [&] {
    for (unsigned Lag = 0; Lag < Rep.MaxLag; ++Lag)
      J.object([&] {
        J.attribute("lag", Lag + 1);
        J.attributeObject("bins", [&] {
          for (auto [Bin, Count] : H.Lags[Lag])
            count(nameOfBin(Bin), Count);
        });
        if (!H.Groups.empty())
          J.attributeObject("intervals", [&] {
            for (auto [Bin, Count] : H.Lags[Lag])
              interval(nameOfBin(Bin), Uncertain.ofBin(H, Lag, Bin));
          });
      });
  });
  J.attributeArray("no_predecessor", [&] {
    for (uint64_t Each : H.NoPredecessor)
      J.value(Each);
  });
  count("forward", H.Forward);
  count("backward", H.Backward);
}

void Writer::site(const SiteShare &S, uint32_t Object) {
  const Site &Where = R.Sites[S.Site];
  J.object([&] {
    text("function", Where.Function);
    text("within", Where.Within);
    text("file", Where.File);
    J.attribute("line", Where.Facts.Line);
    J.attribute("column", Where.Facts.Column);
    J.attribute("bytes", Where.Facts.Bytes);
    J.attribute("lanes", Where.Facts.Lanes);
    J.attribute("gathered", (Where.Facts.Flags & SiteGathered) != 0);
    J.attribute("masked", (Where.Facts.Flags & SiteMasked) != 0);
    J.attribute("non_temporal", (Where.Facts.Flags & SiteNonTemporal) != 0);
    J.attribute("atomic", (Where.Facts.Flags & SiteAtomic) != 0);
    if (Where.Facts.Loop != NoNumber)
      J.attribute("loop", Where.Facts.Loop);
    counts(S.Counts);
    misses(find(Rep.M->Sites, {Object, S.Site}));
  });
}

void Writer::stream(const ObjectStream &S) {
  static const char *const Kinds[] = {"global", "heap", "stack", "thread-local",
                                      "pages"};
  const NamedObject &Data = Names[S.Object];
  J.object([&] {
    text("object", S.Name);
    text("kind", S.Store ? "store" : "load");
    J.attribute("element_bytes", S.ElementBytes);
    counts(S.Counts);
    misses(find(Rep.M->Streams, {S.Object, S.Store}));
    text("symbol", Data.Symbol);
    text("object_kind", Kinds[static_cast<unsigned>(Data.Kind)]);
    count("object_bytes", Data.Bytes);
    count("blocks", Data.Blocks);
    J.attributeArray("sites", [&] {
      for (const SiteShare &Each : S.Sites)
        site(Each, S.Object);
    });
  });
}

void Writer::pattern(llvm::StringRef Name, const Pattern &P) {
  J.attributeObject(Name, [&] {
    count("references", P.References);
    count("unit", P.Unit);
    count("same", P.Same);
    count("constant", P.Constant);
    count("irregular", P.Irregular);
    count("first", P.First);
  });
}

void Writer::place(const Line &Where, llvm::StringRef Function) {
  text("file", Where.File);
  J.attribute("line", Where.Number);
  text("function", Function);
}

void Writer::loops() {
  std::map<uint32_t, LoopShare> Shares = makeLoops(R, Rep.Which, Rep.MaxLag);
  for (const auto &[Number, Sum] : Rep.P->Loops)
    J.object([&] {
      const Loop &Where = R.Loops[Number];
      J.attribute("loop", Number);
      place({Where.File, Where.Facts.Line}, Where.Function);
      J.attribute("column", Where.Facts.Column);
      J.attribute("depth", Where.Facts.Depth);
      if (Where.Facts.Parent != NoNumber)
        J.attribute("parent", Where.Facts.Parent);
      J.attribute("summarised", Where.Facts.MemberCount != 0);
      count("executions", Sum.Executions);
      count("iterations", Sum.Iterations);
      pattern("loads", Sum.Loads);
      pattern("stores", Sum.Stores);
      auto Found = Shares.find(Number);
      if (Found == Shares.end())
        return;
      if (Found->second.Loads.References)
        J.attributeObject("load_histograms",
                          [&] { counts(Found->second.Loads); });
      if (Found->second.Stores.References)
        J.attributeObject("store_histograms",
                          [&] { counts(Found->second.Stores); });
    });
}

void Writer::lines() {
  for (const auto &[Where, Sum] : Rep.P->Lines)
    J.object([&] {
      text("file", Where.File);
      J.attribute("line", Where.Number);
      text("code", describe(Sum.Made));
      pattern("loads", Sum.Loads);
      pattern("stores", Sum.Stores);
      if (const MissCounts *Loads = Rep.M->of(Where, false))
        levels("load_misses", *Loads);
      if (const MissCounts *Stores = Rep.M->of(Where, true))
        levels("store_misses", *Stores);
    });
}

void Writer::issue(const Issue &I) {
  const Use &U = Rep.P->Uses[I.Use];
  J.object([&] {
    text("issue", nameOfIssue(I.Kind));
    text("object", Names[U.Object].Name);
    text("kind", U.Store ? "store" : "load");
    place(U.Where, U.Function);
    count("references", U.P.References);
    count("lines", static_cast<uint64_t>(I.Lines));
    if (const MissCounts *M = Rep.M->of(U))
      levels("misses", *M);
    text("what", I.Problem);
    text("advice", I.Advice);
  });
}

void Writer::bulk(const BulkSum &B) {
  J.object([&] {
    text("object", Names[B.Object].Name);
    text("kind", B.Store ? "store" : "load");
    place(B.Where, B.Function);
    count("calls", B.Calls);
    count("bytes", B.Bytes);
  });
}

void Writer::write() {
  static const char *const States[] = {"running or killed", "ended",
                                       "replaced by exec"};
  J.object([&] {
    J.attribute("version", 1);
    text("program", R.Program);
    text("selection", R.Selection);
    J.attribute("process", R.Header.Process);
    text("state", States[static_cast<uint64_t>(R.Header.State) % 3]);
    text("variant", Rep.Which == Variant::All ? "all" : "filtered");
    J.attribute("maxel", Rep.MaxLag);
    J.attribute("recorded_maxel", R.Header.MaxLag);
    count("threshold", R.Header.Threshold);
    J.attribute("pass_equal", R.Header.PassEqual != 0);
    if (auto S = sampledPart(R))
      sampled(*S);
    pattern("all", Rep.P->All);
    J.attributeArray("streams", [&] {
      for (const ObjectStream &S : Rep.streams())
        stream(S);
    });
    J.attributeArray("loops", [&] { loops(); });
    J.attributeArray("lines", [&] { lines(); });
    J.attributeArray("issues", [&] {
      for (const Issue &I : Rep.Issues)
        issue(I);
    });
    J.attributeArray("bulk", [&] {
      for (const BulkSum &B : Rep.P->Bulk)
        bulk(B);
    });
    if (Rep.M->any())
      caches();
  });
}

void writeJSON(Report &Rep, llvm::raw_ostream &OS) {
  Writer(OS, Rep).write();
  OS << '\n';
}

} // namespace graupel::stride

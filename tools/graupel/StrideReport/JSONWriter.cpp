//===- StrideReport/JSONWriter.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The members of `streams` up to `histograms` are names others rely on.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel::stride {

namespace {

class Writer {
public:
  Writer(llvm::raw_ostream &OS, const Record &R, const ReportOptions &O)
      : J(OS, 1), R(R), O(O) {}
  void write();

private:
  // Counts do not fit into the signed numbers that JSON libraries like.
  void count(llvm::StringRef Name, uint64_t Value) { J.attribute(Name, Value); }
  void text(llvm::StringRef Name, llvm::StringRef Value) {
    J.attribute(Name, llvm::json::fixUTF8(Value));
  }
  void counts(const Histograms &H);
  void stream(const ObjectStream &S);
  void site(const SiteShare &S);
  void loop(const LoopCounts &L);

  llvm::json::OStream J;
  const Record &R;
  const ReportOptions &O;
};

} // namespace

void Writer::counts(const Histograms &H) {
  count("references", H.References);
  J.attributeArray("histograms", [&] {
    for (unsigned Lag = 0; Lag < O.MaxLag; ++Lag)
      J.object([&] {
        J.attribute("lag", Lag + 1);
        J.attributeObject("bins", [&] {
          for (unsigned Bin = 0; Bin < Bins; ++Bin)
            if (H.Lags[Lag][Bin])
              count(nameOfBin(Bin), H.Lags[Lag][Bin]);
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

void Writer::site(const SiteShare &S) {
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
    J.attribute("atomic", (Where.Facts.Flags & SiteAtomic) != 0);
    if (Where.Facts.Loop != NoNumber)
      J.attribute("loop", Where.Facts.Loop);
    counts(S.Counts);
  });
}

void Writer::stream(const ObjectStream &S) {
  static const char *const Kinds[] = {"global", "heap", "stack", "thread-local",
                                      "pages"};
  J.object([&] {
    text("object", S.Name);
    text("kind", S.Store ? "store" : "load");
    J.attribute("element_bytes", S.ElementBytes);
    counts(S.Counts);
    text("object_kind",
         Kinds[static_cast<unsigned>(R.Objects[S.Object].Facts.Kind)]);
    J.attributeArray("sites", [&] {
      for (const SiteShare &Each : S.Sites)
        site(Each);
    });
  });
}

void Writer::loop(const LoopCounts &L) {
  const Loop &Where = R.Loops[L.Loop];
  J.object([&] {
    J.attribute("loop", L.Loop);
    J.attribute("thread", L.Thread);
    text("function", Where.Function);
    text("file", Where.File);
    J.attribute("line", Where.Facts.Line);
    J.attribute("depth", Where.Facts.Depth);
    count("executions", L.Executions);
    count("iterations", L.Iterations);
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
    text("variant", O.Which == Variant::All ? "all" : "filtered");
    J.attribute("maxel", O.MaxLag);
    count("threshold", R.Header.Threshold);
    J.attributeArray("streams", [&] {
      for (const ObjectStream &S : makeStreams(R, O.Which, O.MaxLag))
        stream(S);
    });
    J.attributeArray("loops", [&] {
      for (const LoopCounts &L : R.LoopExecutions)
        loop(L);
    });
  });
}

std::string toJSON(const Record &R, const ReportOptions &O) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  Writer(OS, R, O).write();
  OS << '\n';
  return Result;
}

} // namespace graupel::stride

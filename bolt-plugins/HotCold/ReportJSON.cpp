//===- HotCold/ReportJSON.cpp - The report for programs -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report of hot-cold optimization as one JSON object. Names that are
// not UTF-8 are repaired.
//
// 1. write() writes the program, the profile and the executed instructions,
//    then one key for each figure.
// 2. coverage() to bins() write one figure each: numbers as they are, and
//    percentages of the executed instructions or of the image.
// 3. procedure() writes a record for each executed procedure, the most executed
//    first. The parts, the gain and the sizes are only there if it was changed.
//
//===----------------------------------------------------------------------===//

#include "ReportTables.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace graupel;

namespace {

class JSONWriter {
public:
  JSONWriter(const HotColdReport &R, raw_ostream &OS) : R(R), F(R), J(OS, 2) {}

  void write() {
    J.object([&] {
      J.attribute("version", 1);
      J.attribute("program", text(R.Program));
      J.attribute("profile",
                  R.Profile.empty() ? json::Value(nullptr) : text(R.Profile));
      J.attribute("executed_before", F.Executed);
      J.attribute("executed_after", F.ExecutedAfter);
      J.attribute("executed_functions_without_flow", R.WithoutFlow);
      J.attributeArray("coverage", [&] { coverage(); });
      J.attributeArray("reasons", [&] { reasons(); });
      J.attributeObject("path_length",
                        [&] { gain(F.Gain, F.Saved, F.Executed); });
      J.attributeObject("leaf_procedures", [&] {
        share("before", F.LeafBefore, F.Executed);
        share("after", F.LeafAfter, F.ExecutedAfter);
      });
      J.attributeObject("growth", [&] { growth(); });
      J.attributeObject("size_steps", [&] { steps(F.Steps); });
      J.attributeObject("procedure_sizes", [&] {
        bins("before", F.SizesBefore);
        bins("after", F.SizesAfter);
      });
      J.attributeArray("procedures", [&] {
        for (const ProcedureRecord *P : F.Hottest)
          J.object([&] { procedure(*P); });
      });
    });
  }

private:
  const HotColdReport &R;
  const HotColdFigures F;
  json::OStream J;

  /// Names may hold any bytes, JSON may not.
  static json::Value text(StringRef S) {
    return json::isUTF8(S) ? S.str() : json::fixUTF8(S);
  }

  void shareFields(double Executed, double Whole) {
    J.attribute("executed", Executed);
    J.attribute("percent", percentOf(Executed, Whole));
  }

  void share(StringRef Key, double Executed, double Whole) {
    J.attributeObject(Key, [&] { shareFields(Executed, Whole); });
  }

  void coverage() {
    for (size_t C = 0; C < NumHotColdCategories; ++C)
      J.object([&] {
        J.attribute("category", keyOf(static_cast<HotColdCategory>(C)));
        J.attribute("procedures", F.Coverage[C].Procedures);
        shareFields(F.Coverage[C].Executed, F.Executed);
      });
  }

  void reasons() {
    for (const HotColdFigures::ReasonShare &S : F.Reasons)
      J.object([&] {
        J.attribute("category", keyOf(S.Category));
        J.attribute("reason", S.Reason);
        J.attribute("procedures", S.Procedures);
        shareFields(S.Executed, F.Executed);
      });
  }

  void gain(const HotColdGain &Gain, double Saved, double Whole) {
    share("saved", Saved, Whole);
    share("total", Gain.total(), Whole);
    for (const GainKind &Kind : gainKinds())
      share(Kind.Key, Gain.*Kind.Count, Whole);
  }

  void growth() {
    const double Grown =
        double(F.Hot.Bytes) + F.Cold.Bytes - double(F.Original.Bytes);
    J.attribute("image_bytes", R.ImageBytes);
    J.attribute("original_bytes", F.Original.Bytes);
    J.attribute("hot_bytes", F.Hot.Bytes);
    J.attribute("cold_bytes", F.Cold.Bytes);
    J.attribute("stub_bytes", F.Stub.Bytes);
    J.attribute("hot_cold_percent", percentOf(Grown, R.ImageBytes));
    J.attribute("stub_percent", percentOf(F.Stub.Bytes, R.ImageBytes));
  }

  void steps(const SizeSteps &S) {
    J.attribute("original", S.Original);
    J.attribute("frequent", S.Frequent);
    J.attribute("reachable", S.Reachable);
    J.attribute("optimized", S.Optimized);
  }

  void bins(StringRef Key, const std::vector<ShareBin> &Bins) {
    J.attributeArray(Key, [&] {
      for (const ShareBin &Bin : Bins)
        J.object([&] {
          J.attribute("at_most", Bin.Bound ? json::Value(Bin.Bound)
                                           : json::Value(nullptr));
          J.attribute("procedures", Bin.Items);
          J.attribute("executed", Bin.Weight);
          J.attribute("percent", Bin.Percent);
          J.attribute("cumulative_percent", Bin.CumulativePercent);
        });
    });
  }

  void part(StringRef Key, const CodePart &Part) {
    J.attributeObject(Key, [&] {
      J.attribute("executed", Part.Executed);
      J.attribute("instructions", Part.Instructions);
      J.attribute("bytes", Part.Bytes);
      J.attribute("calls", Part.Calls);
    });
  }

  void procedure(const ProcedureRecord &P) {
    J.attribute("name", text(P.Name));
    J.attribute("category", keyOf(P.Category));
    J.attribute("reason",
                P.Reason.empty() ? json::Value(nullptr) : text(P.Reason));
    J.attributeArray("notes", [&] {
      for (const std::string &Note : P.Notes)
        J.value(Note);
    });
    part("original", P.Original);
    if (!P.isChanged())
      return;
    part("hot", P.Hot);
    part("cold", P.Cold);
    part("stub", P.Stub);
    J.attribute("stubs", P.Stubs);
    J.attributeObject("gain",
                      [&] { gain(P.Gain, P.Saved, P.Original.Executed); });
    J.attributeObject("size_steps", [&] { steps(P.Steps); });
  }
};

} // namespace

void graupel::writeJSON(const HotColdReport &R, raw_ostream &OS) {
  JSONWriter(R, OS).write();
  OS << '\n';
}

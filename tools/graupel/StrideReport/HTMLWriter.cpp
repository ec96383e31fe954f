//===- StrideReport/HTMLWriter.cpp ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page carries its figures as JSON and draws what the reader opens, so that
// ten thousand references cost nothing until they are looked at. The issues are
// there without scripts.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Charts.h"
#include "Report/Page.h"
#include "Script.h"
#include "llvm/Support/JSON.h"

using llvm::raw_ostream;

namespace graupel::stride {

namespace {

/// Issues that are shown; who has more reads the first ones first.
constexpr size_t MaxIssues = 100;
/// Lines of source around those with references.
constexpr uint32_t Context = 3;

void addIssues(Page &To, Report &Rep) {
  Table T;
  T.Title = "Issues, worst first";
  T.Wide = true;
  T.Sentences = {"By lines of " + std::to_string(LineBytes) +
                 " bytes that are entered beyond those needed, as if no cache "
                 "kept any: strides tell order and distance, not cost."};
  if (Rep.Issues.empty())
    T.Sentences = {"Nothing that the references tell is worth a change."};
  if (Rep.Issues.size() > MaxIssues)
    T.Sentences.push_back("The first " + std::to_string(MaxIssues) + " of " +
                          grouped(Rep.Issues.size()) +
                          "; the JSON report has all.");
  To.add(T, [&](raw_ostream &OS) {
    OS << "<ol class=\"issues\">\n";
    for (const Issue &I : llvm::ArrayRef(Rep.Issues).take_front(MaxIssues)) {
      const Use &U = Rep.P->Uses[I.Use];
      OS << "<li><h3>" << nameOfIssue(I.Kind) << ": <b>"
         << escapeHTML((*Rep.O)[U.Object].Name) << "</b> at "
         << escapeHTML(U.Where.shortName()) << "</h3>\n<p class=\"from\">"
         << escapeHTML(U.Function)
         << (costOf(I).empty() ? "" : ", " + costOf(I)) << "</p>\n";
      std::string Text = Rep.Texts.line(U.Where.File, U.Where.Number);
      if (!Text.empty())
        OS << "<pre>"
           << escapeHTML(llvm::json::fixUTF8(llvm::StringRef(Text).trim()))
           << "</pre>\n";
      OS << "<p>" << escapeHTML(I.What) << "</p>\n<p><b>What to do:</b> "
         << escapeHTML(I.Advice) << "</p></li>\n";
    }
    OS << "</ol>\n";
  });
}

/// What the script draws from; arrays, to be small. Script.cpp reads them.
class Data {
public:
  Data(Report &Rep, raw_ostream &OS);
  void write();

private:
  void text(llvm::StringRef Text) { J.value(llvm::json::fixUTF8(Text)); }
  void bins(const BinCounts &Counts) {
    for (auto [Bin, Count] : Counts) {
      J.value(Bin);
      J.value(Count);
    }
  }
  void pattern(const Pattern &P);
  void stream(const ObjectStream &S);
  void file(const std::string &Name,
            const std::map<uint32_t, const LineSum *> &Lines);
  void files();
  void loops();

  Report &Rep;
  llvm::json::OStream J;
  /// With the number of the worst issue from 1, or 0.
  std::map<std::pair<uint32_t, bool>, std::pair<Pattern, unsigned>> Streams;
};

} // namespace

Data::Data(Report &Rep, raw_ostream &OS) : Rep(Rep), J(OS) {
  for (const Use &U : Rep.P->Uses)
    Streams[{U.Object, U.Store}].first.add(U.P);
  for (size_t N = Rep.Issues.size(); N-- > 0;) {
    const Use &U = Rep.P->Uses[Rep.Issues[N].Use];
    Streams[{U.Object, U.Store}].second = static_cast<unsigned>(N + 1);
  }
}

void Data::pattern(const Pattern &P) {
  J.array([&] {
    for (uint64_t Part :
         {P.References, P.Unit, P.Same, P.Constant, P.Irregular, P.First})
      J.value(Part);
  });
}

void Data::stream(const ObjectStream &S) {
  J.array([&] {
    text(S.Name);
    J.value(S.Store ? 1 : 0);
    J.value(S.ElementBytes);
    J.value(S.Counts.References);
    J.array([&] {
      for (unsigned Lag = 0; Lag < Rep.MaxLag; ++Lag)
        J.array([&] { bins(S.Counts.Lags[Lag]); });
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
          text(Line{Where.File, Where.Facts.Line}.shortName());
          text(readableFunction(Where.Function));
          text(describe(Made));
          J.value(Each.Counts.References);
          J.array([&] { bins(Each.Counts.Lags[0]); });
        });
      }
    });
    auto Found = Streams.find({S.Object, S.Store});
    pattern(Found->second.first);
    J.value(Found->second.second);
  });
}

void Data::file(const std::string &Name,
                const std::map<uint32_t, const LineSum *> &Lines) {
  const std::vector<std::string> *Source = Rep.Texts.find(Name);
  std::vector<uint32_t> Shown;
  for (const auto &[Number, Sum] : Lines)
    if (Number)
      Shown.push_back(Number);
  if (Source)
    Shown = withContext(Shown, Context, Source->size());
  if (Lines.count(0))
    Shown.insert(Shown.begin(), 0);
  J.array([&] {
    text(Name.empty() ? "code without lines" : Name);
    J.value(Source ? 1 : 0);
    J.array([&] {
      for (uint32_t Number : Shown)
        J.array([&] {
          J.value(Number);
          text(Rep.Texts.line(Name, Number));
          auto Found = Lines.find(Number);
          if (Found == Lines.end())
            return;
          pattern(Found->second->Loads);
          pattern(Found->second->Stores);
          text(describe(Found->second->Made));
        });
    });
  });
}

void Data::files() {
  std::map<std::string, std::map<uint32_t, const LineSum *>> Files;
  std::map<std::string, uint64_t> References;
  for (const auto &[Where, Sum] : Rep.P->Lines) {
    Files[Where.File][Where.Number] = &Sum;
    References[Where.File] += Sum.Loads.References + Sum.Stores.References;
  }
  std::vector<std::string> Order;
  for (const auto &[Name, Lines] : Files)
    Order.push_back(Name);
  std::stable_sort(Order.begin(), Order.end(),
                   [&](const std::string &A, const std::string &B) {
                     return References[A] > References[B];
                   });
  for (const std::string &Name : Order)
    file(Name, Files[Name]);
}

void Data::loops() {
  std::vector<std::pair<uint64_t, uint32_t>> Order;
  for (const auto &[Number, Sum] : Rep.P->Loops)
    Order.push_back({Sum.Loads.References + Sum.Stores.References, Number});
  std::sort(Order.rbegin(), Order.rend());
  for (const auto &[References, Number] : Order)
    J.array([&] {
      const Loop &L = Rep.R.Loops[Number];
      const LoopSum &Sum = Rep.P->Loops.at(Number);
      text(Line{L.File, L.Facts.Line}.shortName());
      text(readableFunction(L.Function));
      J.value(L.Facts.Depth);
      J.value(Sum.Executions);
      J.value(Sum.Iterations);
      pattern(Sum.Loads);
      pattern(Sum.Stores);
    });
}

void Data::write() {
  J.object([&] {
    J.attributeArray("streams", [&] {
      for (const ObjectStream &S : Rep.streams())
        stream(S);
    });
    J.attributeArray("files", [&] { files(); });
    J.attributeArray("loops", [&] { loops(); });
  });
}

static std::string summary(const Report &Rep) {
  std::string Text =
      Rep.R.Program + ": " + counted(Rep.P->All.References, "reference") +
      ": " + describe(Rep.P->All) + "; histograms: variant " +
      (Rep.Which == Variant::All ? "all" : "filtered") + ", threshold " +
      std::to_string(Rep.R.Header.Threshold) + " bytes";
  if (Rep.R.Header.State == RecordState::Running)
    Text += ". The process was running, or ended without notice";
  return Text;
}

/// A section that the script fills.
static void addDrawn(Page &To, const char *Title, const char *Id,
                     std::vector<std::string> Sentences) {
  Table T;
  T.Title = Title;
  T.Wide = true;
  T.Sentences = std::move(Sentences);
  To.add(T, [&](raw_ostream &OS) {
    OS << "<div id=\"" << Id << "\"><noscript>Scripts are off: `graupel stride "
       << "report --text` shows the same.</noscript></div>\n";
  });
}

void writeHTML(Report &Rep, raw_ostream &OS) {
  Page To("What the loads and stores do", summary(Rep), OS);
  OS << "<style>" << pageStyle() << "</style>\n";
  addIssues(To, Rep);
  addDrawn(To, "Data: histograms of strides", "streams",
           {"For each reference: the distance in bytes to the last, the one "
            "before, and so on. Percentages are of all references of the "
            "stream. In variant filtered a reference goes on to the next "
            "histogram only if its distance is above the threshold."});
  addDrawn(To, "Source", "source",
           {"Of each line's references: unit: to the neighbouring element; "
            "same: to the same address again; constant: another stride that "
            "repeats itself; irregular: anywhere."});
  addDrawn(To, "Loops", "loops",
           {"Executions and iterations are counted where a loop's references "
            "are summarised."});
  std::string Figures;
  llvm::raw_string_ostream Text(Figures);
  Data(Rep, Text).write();
  OS << "<script type=\"application/json\" id=\"figures\">";
  // Nothing in it may end the element.
  for (char C : Figures)
    if (C == '<')
      OS << "\\u003c";
    else
      OS << C;
  OS << "</script>\n<script>" << pageScript() << "</script>\n";
}

} // namespace graupel::stride

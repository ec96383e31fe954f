//===- Stride/Report/HTMLWriter.cpp ---------------------------------------===//
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

#include "PageData.h"
#include "Report/Charts.h"
#include "Report/Page.h"
#include "Script.h"

using llvm::raw_ostream;

namespace graupel::stride {

namespace {

/// Issues that are shown; who has more reads the first ones first.
constexpr size_t MaxIssues = 100;
constexpr size_t OpenIssues = 5;

void writeIssue(const Issue &I, bool Open, Report &Rep, const PageData &Data,
                raw_ostream &OS) {
  const Use &U = Rep.P->Uses[I.Use];
  OS << "<li><details" << (Open ? " open" : "") << " data-stream=\""
     << Data.placeOfStream(U) << "\" data-file=\""
     << Data.placeOfFile(U.Where.File) << "\" data-line=\"" << U.Where.Number
     << "\">\n<summary><span class=\"kind\">" << nameOfIssue(I.Kind)
     << ":</span> <b>" << escapeHTML((*Rep.O)[U.Object].Name) << "</b> at "
     << escapeHTML(U.Where.shortName()) << " <span class=\"from\">" << costOf(I)
     << "</span></summary>\n<p class=\"from\">" << escapeHTML(U.Function)
     << "</p>\n";
  std::string Text = Rep.Texts.line(U.Where.File, U.Where.Number);
  if (!Text.empty())
    OS << "<pre>"
       << escapeHTML(llvm::json::fixUTF8(llvm::StringRef(Text).trim()))
       << "</pre>\n";
  OS << "<p>" << escapeHTML(I.Problem) << "</p>\n<p><b>What to do:</b> "
     << escapeHTML(I.Advice) << "</p></details></li>\n";
}

void addIssues(Page &To, Report &Rep, const PageData &Data) {
  Table T;
  T.Title = "Issues, worst first";
  T.Wide = true;
  if (Rep.M->any())
    T.Sentences = {"By simulated misses, each level's worth four of the one "
                   "before and a reference a quarter of the first's; half a "
                   "percent at least."};
  else
    T.Sentences = {"By lines of " + std::to_string(LineBytes) +
                   " bytes that are entered beyond those needed, as if no "
                   "cache kept any: strides tell order and distance, not "
                   "cost."};
  if (Rep.Issues.empty())
    T.Sentences = {Rep.M->any()
                       ? "In these caches, nothing costs as much as half a "
                         "percent of all."
                       : "Nothing that the references tell is worth a "
                         "change."};
  if (Rep.Issues.size() > MaxIssues)
    T.Sentences.push_back("The first " + std::to_string(MaxIssues) + " of " +
                          grouped(Rep.Issues.size()) +
                          "; the JSON report has all.");
  To.add(T, [&](raw_ostream &OS) {
    OS << "<ol class=\"issues\" id=\"issues\">\n";
    for (size_t N = 0; N < std::min(Rep.Issues.size(), MaxIssues); ++N)
      writeIssue(Rep.Issues[N], N < OpenIssues, Rep, Data, OS);
    OS << "</ol>\n";
  });
}

} // namespace

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
  PageData Data(Rep);
  OS << "<style>" << pageStyle() << "</style>\n"
     << "<nav class=\"wide\" aria-label=\"Sections\">"
        "<a href=\"#issues\">Issues</a> "
     << (Rep.M->any() ? "<a href=\"#caches\">Caches</a> " : "")
     << "<a href=\"#streams\">Data</a> <a href=\"#source\">Source</a> "
        "<a href=\"#loops\">Loops</a></nav>\n";
  addIssues(To, Rep, Data);
  if (Rep.M->any())
    addDrawn(To, "Simulated caches", "caches",
             {"By virtual addresses. Compulsory: the line was never there; "
              "capacity: a fully associative cache would miss, too; conflict: "
              "it would not."});
  addDrawn(To, "Data: histograms of strides", "streams",
           {"For each reference: the distance in bytes to the last, the one "
            "before, and so on. Percentages are of all references of the "
            "stream. In variant filtered a reference goes on to the next "
            "histogram only if its distance is above the threshold."});
  addDrawn(To, "Source", "source",
           {"Of each line's references: unit: to the neighboring element; "
            "same: to the same address again; constant: another stride that "
            "repeats itself; irregular: anywhere."});
  addDrawn(To, "Loops", "loops",
           {"Executions and iterations are counted where a loop's references "
            "are summarized."});
  std::string Figures;
  llvm::raw_string_ostream Text(Figures);
  Data.write(Text);
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

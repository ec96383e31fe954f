//===- test/unit/HotColdReportTest.cpp - Figures of hot-cold optimization -===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures, tables and JSON of hot-cold reports that were made by hand, and
// explanations of single procedures.
//
//===----------------------------------------------------------------------===//

#include "HotCold/Explanation.h"
#include "HotCold/ReportTables.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace graupel;
using Mark = ExplainedLine::Mark;

namespace {

ProcedureRecord procedure(const char *Name, HotColdCategory Category,
                          double Executed, uint64_t Instructions, bool Calls) {
  ProcedureRecord P;
  P.Name = Name;
  P.Category = Category;
  P.Original = {Executed, Instructions, 4 * Instructions, Calls};
  P.Hot = P.Original;
  P.Hot.Bytes = 0;
  return P;
}

/// 1000 instructions: 600 in a procedure whose hot part is a leaf, 300 in one
/// that was not optimized, 100 in a rare leaf.
HotColdReport threeProcedures() {
  HotColdReport R;
  R.Program = "program";
  R.ImageBytes = 1000;
  ProcedureRecord P =
      procedure("good", HotColdCategory::Optimized, 600, 50, true);
  P.Hot = {480, 20, 90, false};
  P.Cold = {6, 40, 150, true};
  P.Stub = {2, 5, 20, false};
  P.Stubs = 2;
  P.Steps = {180, 100, 90, 80};
  P.Gain.Saves = 80;
  P.Gain.Sunk = 40;
  R.Procedures.push_back(P);
  R.Procedures.push_back(
      procedure("calls", HotColdCategory::NoAdvantage, 300, 8, true));
  R.Procedures.back().Reason = "calls";
  R.Procedures.push_back(
      procedure("rare", HotColdCategory::Infrequent, 100, 3, false));
  return R;
}

TEST(HotColdFigures, ShareOfCategories) {
  const HotColdReport R = threeProcedures();
  const HotColdFigures F(R);
  EXPECT_EQ(F.Executed, 1000);
  EXPECT_EQ(F.ExecutedAfter, 888);
  EXPECT_EQ(F.coverage(HotColdCategory::Optimized).Executed, 600);
  EXPECT_EQ(F.coverage(HotColdCategory::Infrequent).Procedures, 1u);
  EXPECT_EQ(F.coverage(HotColdCategory::Loop).Procedures, 0u);
  ASSERT_EQ(F.Reasons.size(), 1u);
  EXPECT_EQ(F.Reasons[0].Reason, "calls");
  EXPECT_EQ(F.Reasons[0].Executed, 300);
}

TEST(HotColdFigures, GainIsTheSumOfItsKinds) {
  const HotColdReport R = threeProcedures();
  const HotColdFigures F(R);
  EXPECT_EQ(F.Gain.total(), 120);
  EXPECT_EQ(F.Gain.Saves, 80);
  std::set<llvm::StringRef> Keys;
  for (const GainKind &Kind : gainKinds())
    Keys.insert(Kind.Key);
  EXPECT_EQ(Keys.size(), gainKinds().size());
}

// The cold part calls, so only its hot part became a leaf.
TEST(HotColdFigures, HotAndColdAreProceduresOfTheirOwn) {
  const HotColdReport R = threeProcedures();
  const HotColdFigures F(R);
  EXPECT_EQ(F.LeafBefore, 100);
  EXPECT_EQ(F.LeafAfter, 580);
  // Before: 3, 8 and 50 instructions; after: 3, 8, 20 and 45.
  ASSERT_EQ(F.SizesBefore.size(), 7u);
  EXPECT_EQ(F.SizesBefore[2].Items, 1u); // 3-4
  EXPECT_EQ(F.SizesBefore[3].CumulativePercent, 40);
  EXPECT_EQ(F.SizesBefore[6].CumulativePercent, 100);
  ASSERT_EQ(F.SizesAfter.size(), 7u);
  EXPECT_EQ(F.SizesAfter[5].Items, 1u); // 17-32
  EXPECT_EQ(F.SizesAfter[5].Weight, 480u);
  EXPECT_EQ(F.SizesAfter[6].Weight, 8u);
}

TEST(HotColdFigures, SizesAreThoseOfOptimizedProcedures) {
  const HotColdReport R = threeProcedures();
  const HotColdFigures F(R);
  EXPECT_EQ(F.Original.Bytes, 200u);
  ASSERT_EQ(F.Grown.size(), 1u);
  EXPECT_EQ(F.Grown[0]->bytesAfter(), 260u);
  const std::vector<SizeRow> Rows = sizeRows(F);
  EXPECT_EQ(Rows.front().Bytes, 100u);
  EXPECT_EQ(Rows.front().Original, 180u);
  EXPECT_EQ(Rows.back().Bytes, 260u);
  EXPECT_EQ(Rows.back().Original, 200u);
}

TEST(HotColdFigures, ProceduresThatGrewMostComeFirst) {
  HotColdReport R = threeProcedures();
  R.Procedures.push_back(R.Procedures[0]);
  R.Procedures.back().Name = "worse";
  R.Procedures.back().Cold.Bytes = 300;
  const HotColdFigures F(R);
  ASSERT_EQ(F.Grown.size(), 2u);
  EXPECT_EQ(F.Grown[0]->Name, "worse");
  EXPECT_EQ(F.Hottest.back()->Name, "rare");
}

TEST(HotColdFigures, NothingExecuted) {
  const HotColdReport R;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeText(R, OS);
  writeHTML(R, OS);
  EXPECT_EQ(Text.find("nan"), std::string::npos);
  EXPECT_EQ(Text.find("inf "), std::string::npos);
}

TEST(HotColdTables, RowsHaveAsManyCellsAsColumns) {
  const HotColdReport R = threeProcedures();
  const HotColdFigures F(R);
  const std::vector<HotColdTable> Tables = tablesOf(R, F);
  EXPECT_EQ(Tables.size(), 9u);
  for (const HotColdTable &T : Tables)
    for (const std::vector<std::string> &Row : T.Rows)
      EXPECT_EQ(Row.size(), T.Columns.size()) << T.Title;
}

TEST(HotColdTables, LongNamesLoseTheirMiddle) {
  EXPECT_EQ(shortened("short", 8), "short");
  EXPECT_EQ(shortened("12345678", 8), "12345678");
  EXPECT_EQ(shortened("123456789", 8), "123...89");
}

TEST(HotColdJSON, TakesAnyName) {
  HotColdReport R = threeProcedures();
  R.Procedures[0].Name = "a\"b\xff\n";
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJSON(R, OS);
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(Parsed)) << Text;
  EXPECT_EQ(Parsed->getAsObject()->getNumber("executed_before"), 1000);
  EXPECT_EQ(Parsed->getAsObject()->getArray("procedures")->size(), 3u);
}

/// Instruction 2 was sunk, 3 got another register, 4 went away, and something
/// was put in front of 5.
Explanation smallExplanation() {
  Explanation E;
  E.Record = threeProcedures().Procedures[0];
  E.AllExecuted = 1000;
  E.Blocks = {{"A", 10, true, {{"one", 1}, {"two", 2}, {"three", 3}}},
              {"B", 10, true, {{"four", 4}, {"five", 5}}},
              {"C", 0, false, {{"six", 6}}}};
  E.Hot = {{0, 10, {{"one", 1}, {"three'", 3}}, {{true, 0}, {false, 1}}},
           {1, 10, {{"new", 0}, {"five", 5}}, {}}};
  E.Stubs = {{"A", "C", false, 0, {{"replayed", 0}}, {{"two", 2}}}};
  return E;
}

TEST(Explanation, LinesSayWhatBecameOfInstructions) {
  const Explanation E = smallExplanation();
  const std::vector<ExplainedLine> A = explainBlock(E, 0);
  ASSERT_EQ(A.size(), 3u);
  EXPECT_EQ(A[0].Kind, Mark::Kept);
  EXPECT_EQ(A[1].Kind, Mark::Sunk);
  EXPECT_EQ(A[1].Note, "to stub 1");
  EXPECT_EQ(A[1].Right, nullptr);
  EXPECT_EQ(A[2].Kind, Mark::Changed);
  EXPECT_EQ(A[2].Right->Text, "three'");
  const std::vector<ExplainedLine> B = explainBlock(E, 1);
  ASSERT_EQ(B.size(), 3u);
  EXPECT_EQ(B[0].Kind, Mark::New);
  EXPECT_EQ(B[1].Kind, Mark::Removed);
  EXPECT_EQ(B[2].Kind, Mark::Kept);
}

TEST(Explanation, InstructionsMayCrossBlocksAndEachOther) {
  Explanation E = smallExplanation();
  // 3 before 1, and 2 in the second block.
  E.Hot[0].Code = {{"three", 3}, {"one", 1}};
  E.Hot[1].Code = {{"two", 2}, {"four", 4}, {"five", 5}};
  E.Stubs[0].Code.clear();
  const std::vector<ExplainedLine> A = explainBlock(E, 0);
  ASSERT_EQ(A.size(), 4u);
  EXPECT_EQ(A[0].Kind, Mark::Moved); // 1, below.
  EXPECT_EQ(A[1].Kind, Mark::Moved);
  EXPECT_EQ(A[1].Note, "to hot B");
  EXPECT_EQ(A[2].Kind, Mark::Kept);
  EXPECT_EQ(A[3].Kind, Mark::Moved);
  EXPECT_EQ(A[3].Note, "from 1");
  EXPECT_EQ(explainBlock(E, 1)[0].Note, "from 2");
}

TEST(Explanation, NearNames) {
  const std::vector<std::string> Names = {"compress", "decompress", "main",
                                          "compres", "unrelated"};
  EXPECT_EQ(nearNames("compresss", Names, 5),
            (std::vector<std::string>{"compress", "compres", "decompress"}));
  EXPECT_EQ(nearNames("comp", Names, 2),
            (std::vector<std::string>{"compres", "compress"}));
  EXPECT_TRUE(nearNames("xyz", Names, 5).empty());
}

} // namespace

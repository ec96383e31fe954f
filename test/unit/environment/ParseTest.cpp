//===- ParseTest.cpp - Reading arguments by descriptions ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Parse.h"
#include "gtest/gtest.h"
#include <set>

using namespace graupel;

/// What is said of arguments that are wrong; empty if nothing is.
static std::string wrongWith(const char *Name, const Arguments &A) {
  int Status = -1;
  testing::internal::CaptureStderr();
  const bool IsRead = parse(description(Name), A, Status).has_value();
  const std::string Said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(IsRead, Said.empty()) << Said;
  EXPECT_EQ(Status, IsRead ? -1 : description(Name).Failure);
  return Said;
}

/// A value that fits.
static std::string valueFor(const OptionDescription &O) {
  if (O.Number.Most)
    return std::to_string(unsigned(O.Number.Least));
  return O.choices().empty() ? "value" : O.choices().back();
}

static bool isGroup(const CommandDescription &C) {
  return !commandsOf(C.Name).empty();
}

/// Adds as many words as the command needs.
static Arguments withWords(const CommandDescription &C, Arguments A) {
  const size_t Count = C.runsAnother() ? 1 : C.Words.Least;
  A.insert(A.end(), Count, "word");
  return A;
}

static void expectRead(const CommandDescription &C, const Arguments &Given,
                       const OptionDescription &O, const std::string &Value) {
  const Arguments A = withWords(C, Given);
  int Status = -1;
  auto P = parse(C, A, Status);
  ASSERT_TRUE(P) << C.Name << ' ' << Given[0];
  ASSERT_EQ(P->Options.size(), 1u);
  EXPECT_TRUE(P->has(O.key()));
  EXPECT_EQ(P->Options[0].Value, Value) << C.Name << ' ' << Given[0];
  EXPECT_EQ((C.runsAnother() ? P->Rest : P->Words).size(),
            A.size() - Given.size());
}

TEST(Parse, EveryOptionInEachOfItsForms) {
  for (const CommandDescription &C : descriptions())
    for (const OptionDescription &O : C.Options) {
      const std::string Name = O.Name, Value = valueFor(O);
      if (!O.takesNextWord())
        expectRead(C, {Name}, O, "");
      if (!O.Value)
        continue;
      expectRead(C, {Name + (O.isShort() ? "" : "=") + Value}, O, Value);
      if (O.takesNextWord())
        expectRead(C, {Name, Value}, O, Value);
    }
}

TEST(Parse, EveryOptionWithoutOrWithAWrongValue) {
  for (const CommandDescription &C : descriptions())
    for (const OptionDescription &O : C.Options) {
      const std::string Name = O.Name;
      if (O.takesNextWord()) {
        EXPECT_NE(wrongWith(C.Name, {Name}).find(" has no value; give "),
                  std::string::npos);
        EXPECT_NE(wrongWith(C.Name, {Name, "--", "word"}), "");
        EXPECT_NE(wrongWith(C.Name, {Name, ""}), "");
      }
      if (!O.Value)
        EXPECT_NE(wrongWith(C.Name, {Name + "=x"}).find("leave it out"),
                  std::string::npos);
      for (const char *Wrong : {"-1", "x", "1x", "0", "1e99", "nan"})
        if (O.Number.Most || !O.choices().empty())
          EXPECT_NE(wrongWith(C.Name, {Name, Wrong}).find(Wrong),
                    std::string::npos);
    }
}

TEST(Parse, NoCommandKnowsOthersOptions) {
  for (const CommandDescription &C : descriptions())
    for (const char *Wrong : {"--qqqqqqqq", "--qqqqqqqq=1", "-q", "---", "-="})
      EXPECT_NE(wrongWith(C.Name, withWords(C, {Wrong}))
                    .find(std::string("there is no option `") + Wrong + "`"),
                std::string::npos);
}

TEST(Parse, NearestOptionIsNamed) {
  EXPECT_NE(wrongWith("dsm run", {"--blok=4"}).find("did you mean --block?"),
            std::string::npos);
  EXPECT_NE(wrongWith("status", {"-json"}).find("did you mean --json?"),
            std::string::npos);
  EXPECT_EQ(wrongWith("dsm run", {"-x"}).find("did you mean"),
            std::string::npos);
}

TEST(Parse, ProgramsKeepTheirArguments) {
  for (const CommandDescription &C : descriptions()) {
    if (!C.runsAnother())
      continue;
    const Arguments Program = {"program", "--json", "--", "-n", ""};
    for (bool HasDashes : {false, true}) {
      Arguments A = Program;
      if (HasDashes)
        A.insert(A.begin(), "--");
      int Status = -1;
      auto P = parse(C, A, Status);
      ASSERT_TRUE(P) << C.Name;
      EXPECT_EQ(P->Rest, Program);
      EXPECT_TRUE(P->Options.empty());
    }
  }
}

TEST(Parse, OptionsKeepTheirOrder) {
  int Status = -1;
  auto P = parse(description("stride record"),
                 {"--function=f", "--maxel", "3", "--function", "g", "--cache",
                  "--maxel=4", "program"},
                 Status);
  ASSERT_TRUE(P);
  std::string All;
  for (const Parsed::Option &O : P->Options)
    All += O.Name + "=" + O.Value + ",";
  EXPECT_EQ(All, "function=f,maxel=3,function=g,cache=,maxel=4,");
  EXPECT_EQ(P->number("maxel", 0), 4);
  EXPECT_EQ(P->value("function"), "g");
}

TEST(Parse, WordsAreCounted) {
  for (const CommandDescription &C : descriptions()) {
    if (C.runsAnother() || isGroup(C))
      continue;
    EXPECT_EQ(wrongWith(C.Name, withWords(C, {})), "") << C.Name;
    if (C.Words.Least)
      EXPECT_NE(wrongWith(C.Name, Arguments(C.Words.Least - 1, "word")), "");
    if (C.Words.Most != WordCount::Any)
      EXPECT_NE(wrongWith(C.Name, Arguments(C.Words.Most + 1, "word"))
                    .find("one argument too many"),
                std::string::npos);
  }
}

TEST(Descriptions, AreWhole) {
  std::set<std::string> Names;
  for (const CommandDescription &C : descriptions()) {
    EXPECT_TRUE(Names.insert(C.Name).second) << C.Name;
    EXPECT_FALSE(C.Text.empty()) << C.Name;
    EXPECT_EQ(findDescription(C.pageName()), &C);
    std::set<std::string> Options;
    for (const OptionDescription &O : C.Options)
      EXPECT_TRUE(Options.insert(O.Name).second) << C.Name << ' ' << O.Name;
    const std::string Name = C.Name;
    if (const size_t Blank = Name.find(' '); Blank != Name.npos)
      EXPECT_TRUE(Names.count(Name.substr(0, Blank))) << Name;
  }
  EXPECT_EQ(findDescription("dsm nothing"), nullptr);
}

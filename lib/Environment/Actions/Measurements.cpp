//===- Actions/Measurements.cpp - Times before and after ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares times before and after, and keeps measurements in the database.
//
// 1. compare takes the logarithms of two ratios in each round: optimized over
//    the mean of both originals, and the second original over the first.
// 2. ratioOf sorts the logarithms. It takes the median, and as bounds the
//    values at the ranks that `outside` finds from the binomial distribution.
// 3. verdictOf says better or worse if the bounds of the change are beyond 1
//    and beyond those of the control. If wall and processor time contradict
//    each other, the larger change decides. sentence says it in words.
// 4. addMeasurement writes a row, with six numbers a round as text.
//    measurements reads rows back and leaves out those with too few rounds.
// 5. toJSON writes both comparisons for programs.
//
//===----------------------------------------------------------------------===//

#include "Measurements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "JSON/Parse.h"
#include <cmath>

using namespace llvm;
using namespace graupel::environment;

// --- Statistics --------------------------------------------------------------

static double median(std::vector<double> Values) {
  llvm::sort(Values);
  const size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

/// Number of values at either end that are outside of the interval that holds
/// the median of all in 95 % of the cases: the largest number for which a fair
/// coin falls so often on one side, or less often, in at most 2.5 % of series
/// of Count throws.
static size_t outside(size_t Count) {
  double Share = std::exp2(-double(Count)), Sum = Share;
  size_t Result = 0;
  while (Sum <= 0.025) {
    ++Result;
    Share *= double(Count - Result + 1) / double(Result);
    Sum += Share;
  }
  return Result - 1;
}

/// The median and its bounds, from logarithms of ratios.
static Ratio ratioOf(std::vector<double> Logarithms) {
  llvm::sort(Logarithms);
  const size_t Cut = outside(Logarithms.size());
  return {std::exp(median(Logarithms)), std::exp(Logarithms[Cut]),
          std::exp(Logarithms[Logarithms.size() - 1 - Cut])};
}

Comparison Measurement::compare(double RunTime::*Field) const {
  assert(Rounds.size() >= LeastRounds);
  std::vector<double> Originals, Optimized, Changes, Controls;
  // Times below the clock's resolution count as one unit of it.
  constexpr double Least = 1e-6;
  for (const Round &R : Rounds) {
    const double Before = std::max(R.Original.*Field, Least),
                 After = std::max(R.Optimized.*Field, Least),
                 Again = std::max(R.Again.*Field, Least);
    Originals.insert(Originals.end(), {Before, Again});
    Optimized.push_back(After);
    Changes.push_back(std::log(After) -
                      (std::log(Before) + std::log(Again)) / 2);
    Controls.push_back(std::log(Again / Before));
  }
  return {median(Originals), median(Optimized), ratioOf(Changes),
          ratioOf(Controls)};
}

static Verdict verdictOf(const Comparison &C) {
  if (C.Change.Low > std::max(1.0, C.Control.High))
    return Verdict::Worse;
  if (C.Change.High < std::min(1.0, C.Control.Low))
    return Verdict::Better;
  return Verdict::Unclear;
}

static double size(const Ratio &R) { return std::abs(std::log(R.Middle)); }

Verdict graupel::environment::verdictOf(const Measurement &M) {
  const Comparison ByWall = M.compare(&RunTime::Wall),
                   ByProcessor = M.compare(&RunTime::Processor);
  const Verdict Wall = ::verdictOf(ByWall),
                Processor = ::verdictOf(ByProcessor);
  if (Wall == Processor || Processor == Verdict::Unclear)
    return Wall;
  if (Wall == Verdict::Unclear)
    return Processor;
  // A program that waits takes little of the processor, which then tells
  // little.
  return size(ByWall.Change) > size(ByProcessor.Change) ? Wall : Processor;
}

static double percentLess(double Ratio) { return 100 * (1 - Ratio); }

std::string graupel::environment::sentence(const Comparison &C) {
  std::string Text;
  if (C.Change.isOne())
    Text = formatv("no difference that can be seen ({0:f1} % less to {1:f1} % "
                   "more)",
                   percentLess(C.Change.Low), -percentLess(C.Change.High));
  else if (C.Change.Middle < 1)
    Text = formatv("{0:f1} % less ({1:f1} to {2:f1})",
                   percentLess(C.Change.Middle), percentLess(C.Change.High),
                   percentLess(C.Change.Low));
  else
    Text = formatv("{0:f1} % more ({1:f1} to {2:f1})",
                   -percentLess(C.Change.Middle), -percentLess(C.Change.Low),
                   -percentLess(C.Change.High));
  // A difference that is small compared to the change does not matter.
  constexpr double Times = 10;
  if (!C.Control.isOne() && Times * size(C.Control) > size(C.Change))
    Text += formatv("; do not trust it: the original differs from itself by "
                    "{0:f1} %",
                    std::abs(percentLess(C.Control.Middle)))
                .str();
  return Text;
}

// --- Rows --------------------------------------------------------------------

std::string graupel::environment::versionsOf(std::vector<std::string> Stores) {
  llvm::sort(Stores);
  return sha256(join(Stores, " "));
}

/// Six numbers a line, as there are members.
static std::string toText(ArrayRef<Round> Rounds) {
  std::string Text;
  for (const Round &R : Rounds)
    Text += formatv("{0:f9} {1:f9} {2:f9} {3:f9} {4:f9} {5:f9}\n",
                    R.Original.Wall, R.Original.Processor, R.Optimized.Wall,
                    R.Optimized.Processor, R.Again.Wall, R.Again.Processor);
  return Text;
}

static std::vector<Round> fromText(StringRef Text) {
  std::vector<Round> Rounds;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Round R;
    double *const Members[] = {&R.Original.Wall,  &R.Original.Processor,
                               &R.Optimized.Wall, &R.Optimized.Processor,
                               &R.Again.Wall,     &R.Again.Processor};
    for (double *Member : Members) {
      StringRef Word;
      std::tie(Word, Line) = Line.split(' ');
      to_float(Word, *Member);
    }
    Rounds.push_back(R);
  }
  return Rounds;
}

/// A JSON array; empty for arguments that JSON cannot say.
static std::string argumentsText(const std::vector<std::string> &Arguments) {
  if (!all_of(Arguments, [](StringRef A) { return json::isUTF8(A); }))
    return "";
  return formatv("{0}", json::Value(json::Array(Arguments)));
}

static std::vector<std::string> argumentsFrom(StringRef Text) {
  std::vector<std::string> Result;
  Expected<json::Value> Value = graupel::parseJSON(Text);
  if (!Value) {
    consumeError(Value.takeError());
    return Result;
  }
  if (const json::Array *All = Value->getAsArray())
    for (const json::Value &Argument : *All)
      Result.push_back(Argument.getAsString().value_or("").str());
  return Result;
}

Error graupel::environment::addMeasurement(Environment &E, const Application &A,
                                           const Measurement &M) {
  Transaction T(E.database());
  Statement S(E.database(),
              "INSERT INTO measurements(application, command, at, versions, "
              "rounds, arguments, folder) SELECT id,?,?,?,?,?,? "
              "FROM applications WHERE id=?");
  (S << M.Command << M.At << M.Versions << toText(M.Rounds)
     << argumentsText(M.Arguments) << M.Folder << A.Id)
      .run();
  if (Error Err = E.database().check())
    return Err;
  if (!E.database().changes())
    return createStringError(A.Name + " was unregistered while it was measured;"
                                      " register it, and measure again");
  return T.commit();
}

std::vector<Measurement> graupel::environment::measurements(Connection &DB,
                                                            int64_t Application,
                                                            int64_t Limit) {
  Statement S(DB,
              "SELECT command, at, versions, rounds, arguments, folder FROM "
              "measurements WHERE application=? ORDER BY id DESC LIMIT ?");
  S << Application << Limit;
  std::vector<Measurement> Result;
  while (S.next()) {
    Measurement M{S.text(0), S.integer(1),
                  S.text(2), fromText(S.text(3)),
                  0,         argumentsFrom(S.text(4)),
                  S.text(5)};
    if (M.Rounds.size() >= LeastRounds)
      Result.push_back(std::move(M));
  }
  return Result;
}

// --- JSON --------------------------------------------------------------------

static json::Object toJSON(const Comparison &C) {
  return json::Object{{"original_seconds", C.OriginalSeconds},
                      {"optimized_seconds", C.OptimizedSeconds},
                      {"ratio", C.Change.Middle},
                      {"low", C.Change.Low},
                      {"high", C.Change.High},
                      {"control", C.Control.Middle},
                      {"control_low", C.Control.Low},
                      {"control_high", C.Control.High}};
}

json::Object graupel::environment::toJSON(const Measurement &M) {
  return json::Object{{"command", json::fixUTF8(M.Command)},
                      {"at", M.At},
                      {"rounds", int64_t(M.Rounds.size())},
                      {"wall", ::toJSON(M.compare(&RunTime::Wall))},
                      {"processor", ::toJSON(M.compare(&RunTime::Processor))}};
}

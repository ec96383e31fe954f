//===- Show.cpp - The environment as text ---------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what actions return. Part by part:
//
// 1. Values: printJSON(), age(), and sizes and percentages.
// 2. An application in short (printTotals): totals() adds its images up. Then
//    come lines on choices, starters, changed files, lost versions, counts, the
//    prediction and the last measurement, with the commands that help.
// 3. Measurements, and the list of all applications (printStatus).
// 4. An image (printImageBody): its file, what was chosen, its versions and its
//    counts. printApplication() and printImage() share that.
// 5. Versions just made (printMade, madeToJSON, anyFailed).
// 6. ProgressLine, which is shown on terminals only and removes itself.
//
// Names, paths and reasons pass shown() or shownLines() before they are
// printed.
//
//===----------------------------------------------------------------------===//

#include "Show.h"
#include "Environment/Actions/Choose.h"
#include "Environment/Actions/Profiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;

int graupel::printJSON(llvm::json::Value V) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << llvm::formatv("{0:2}", V) << "\n";
  return fputs(Text.c_str(), stdout) < 0 || fflush(stdout) != 0;
}

std::string graupel::age(int64_t Time) {
  const int64_t Seconds = std::max<int64_t>(0, now() - Time);
  struct {
    int64_t Length;
    const char *Name;
  } static const Units[] = {
      {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
  for (const auto &U : Units)
    if (Seconds >= U.Length)
      return std::to_string(Seconds / U.Length) + " " + U.Name +
             (Seconds / U.Length == 1 ? "" : "s") + " ago";
  return "just now";
}

std::string graupel::sizeText(int64_t Bytes) {
  return llvm::formatv(Bytes < 1000000 ? "{0:F1} kB" : "{0:F1} MB",
                       double(Bytes) / (Bytes < 1000000 ? 1e3 : 1e6))
      .str();
}

static std::string percent(uint64_t Part, uint64_t All) {
  return std::to_string(All ? 100 * Part / All : 0) + " %";
}

namespace {

/// Images that became known in one way.
struct Known {
  int64_t Images = 0, Times = 0, Last = 0;
  void add(const ProfileRow &Row) {
    ++Images;
    Times = std::max(Times, Row.Files);
    Last = std::max(Last, Row.Last);
  }
};

/// All images together.
struct Totals {
  int64_t Images = 0, Optimized = 0, Instrumented = 0, Alone = 0, Changed = 0;
  int64_t Lost = 0, Chosen = 0;
  Known Counted, Sampled, Imported;
  bool IsNewer = false;
  int64_t Older = 0;    ///< Optimized by counts of older builds alone.
  double Matched = 100; ///< The least of them.
  int64_t OlderLast =
      0; ///< Counts of builds that nothing was counted of since.
  Coverage Share;
};

} // namespace

static Totals totals(const ApplicationState &A) {
  Totals T;
  for (const ImageState &I : A.Images) {
    ++T.Images;
    T.Alone += !I.Row.Unfit.empty();
    T.Changed += I.OnDisk != ImageState::Condition::Same;
    T.Lost += llvm::any_of(I.Lost, [&](Kind K) {
      return (K == Kind::Instrumented) == (A.App.Runs == Mode::Instrumented);
    });
    T.Chosen += I.Chosen.has_value();
    T.Optimized += I.version(Kind::Optimized) != nullptr;
    T.Instrumented += I.version(Kind::Instrumented) != nullptr;
    if (I.Used.Builds && !I.Used.HasOwn) {
      ++T.Older;
      T.Matched = std::min(T.Matched, I.Used.Matched.value_or(100));
    }
    if (I.Older && !I.Counts)
      T.OlderLast = std::max(T.OlderLast, I.Older->Last);
    if (!I.Counts)
      continue;
    (I.Counts->Row.ProfileMethod == Method::Counters   ? T.Counted
     : I.Counts->Row.ProfileMethod == Method::Imported ? T.Imported
                                                       : T.Sampled)
        .add(I.Counts->Row);
    T.IsNewer |= I.Counts->IsNewer;
    T.Share.Functions += I.Counts->Share.Functions;
    T.Share.ExecutedFunctions += I.Counts->Share.ExecutedFunctions;
  }
  return T;
}

static void printPrediction(double Percent) {
  if (std::abs(Percent) < 0.05)
    printf("  predicted: as many taken branches\n");
  else
    printf("  predicted: %.1f %% %s taken branches\n", std::abs(Percent),
           Percent > 0 ? "fewer" : "more");
}

/// Prints the state of the images, and suggestions.
static void printKnown(const Totals &T) {
  const bool IsKnown =
      T.Counted.Images || T.Sampled.Images || T.Imported.Images;
  if (!IsKnown && T.OlderLast)
    printf("  nothing of this build has been counted; an older one was, %s\n",
           age(T.OlderLast).c_str());
  else if (!IsKnown)
    printf("  nothing has been counted; run `graupel learn -- COMMAND`\n");
  if (T.Counted.Images)
    printf("  counted %s in up to %lld runs: %s of %llu functions were "
           "executed\n",
           age(T.Counted.Last).c_str(), (long long)T.Counted.Times,
           percent(T.Share.ExecutedFunctions, T.Share.Functions).c_str(),
           (unsigned long long)T.Share.Functions);
  if (T.Sampled.Images)
    printf("  sampled %s in up to %lld runs: %lld image%s\n",
           age(T.Sampled.Last).c_str(), (long long)T.Sampled.Times,
           (long long)T.Sampled.Images, T.Sampled.Images == 1 ? "" : "s");
  if (T.Imported.Images)
    printf("  imported %s: %lld image%s\n", age(T.Imported.Last).c_str(),
           (long long)T.Imported.Images, T.Imported.Images == 1 ? "" : "s");
}

static void printTotals(const ApplicationState &A) {
  const Totals T = totals(A);
  printf(
      "  %lld image%s: %lld optimized of %lld instrumented, %lld left alone\n",
      (long long)T.Images, T.Images == 1 ? "" : "s", (long long)T.Optimized,
      (long long)T.Instrumented, (long long)T.Alone);
  if (T.Chosen)
    printf("  %lld image%s what was chosen for %s: `graupel show %s`\n",
           (long long)T.Chosen, T.Chosen == 1 ? " runs" : "s run",
           T.Chosen == 1 ? "it" : "them", shown(A.App.Name).c_str());
  for (const auto &[File, Wrong] : A.Starters)
    printf("  started by %s%s%s\n", shown(File.File).c_str(),
           Wrong.empty() ? "" : ": ", shown(Wrong).c_str());
  if (T.Changed)
    printf("  %lld changed since: `graupel optimize %s` uses what was counted "
           "before, `graupel learn` counts again\n",
           (long long)T.Changed, shown(A.App.Name).c_str());
  if (T.Lost)
    printf("  %lld without the version in the store: `graupel %s %s` makes it "
           "again\n",
           (long long)T.Lost,
           A.App.Runs == Mode::Instrumented ? "instrument" : "optimize",
           shown(A.App.Name).c_str());
  if (T.Older)
    printf("  profile of an older build, %.1f %% matched or more: %lld "
           "image%s\n",
           T.Matched, (long long)T.Older, T.Older == 1 ? "" : "s");
  printKnown(T);
  if (T.IsNewer)
    printf("  there are newer counts: `graupel optimize %s` uses them\n",
           shown(A.App.Name).c_str());
  if (auto Percent = predictedBranches(A))
    printPrediction(*Percent);
  if (const Measurement *M = A.lastMeasurement())
    printf("  measured %s: wall time %s\n    processor time %s\n",
           age(M->At).c_str(), sentence(M->compare(&RunTime::Wall)).c_str(),
           sentence(M->compare(&RunTime::Processor)).c_str());
}

void graupel::printMeasurement(const Measurement &M) {
  printf("%s, %zu rounds %s\n", shown(M.Command).c_str(), M.Rounds.size(),
         age(M.At).c_str());
  for (const auto &[Name, Field] :
       {std::pair{"wall time", &RunTime::Wall},
        std::pair{"processor time", &RunTime::Processor}}) {
    const Comparison C = M.compare(Field);
    printf("    %-14s %.4g s, optimized %.4g s: %s\n", Name, C.OriginalSeconds,
           C.OptimizedSeconds, sentence(C).c_str());
    printf("    %-14s the original against itself: %.3f (%.3f to %.3f)\n", "",
           C.Control.Middle, C.Control.Low, C.Control.High);
  }
}

void graupel::printStatus(const std::vector<ApplicationState> &All) {
  if (All.empty())
    printf("no application is registered; `graupel learn -- COMMAND` does it, "
           "and runs it\n");
  for (const ApplicationState &A : All) {
    printf("%s: %s\n  runs %s\n", shown(A.App.Name).c_str(),
           shown(A.App.Main).c_str(), name(A.App.Runs).data());
    printTotals(A);
  }
}

static void printVersions(const ImageState &I, const char *Indent) {
  for (const Version &V : I.Versions)
    if (V.Store.empty())
      printf("%s%s failed %s: %s\n", Indent, name(V.VersionKind).data(),
             age(V.Made).c_str(), output::shownLines(V.Failure).c_str());
    else
      printf("%s%s %s, %s, version %s\n", Indent, name(V.VersionKind).data(),
             age(V.Made).c_str(), sizeText(V.Size).c_str(),
             shortName(V.Store).str().c_str());
}

static std::string chosenText(const ImageState &I) {
  if (I.Chosen->Store.empty())
    return name(I.Chosen->Runs).str();
  const bool IsThere = llvm::any_of(
      I.Versions, [&](const Version &V) { return V.Store == I.Chosen->Store; });
  return "version " + shortName(I.Chosen->Store).str() +
         (IsThere ? "" : ", which is of an older build: the original runs");
}

static const char *verb(Method M) {
  return M == Method::Imported   ? "imported"
         : M == Method::Counters ? "counted"
                                 : "sampled";
}

static void printImageBody(const ImageState &I, const char *Indent) {
  if (I.OnDisk != ImageState::Condition::Same)
    printf("%s%s\n", Indent,
           I.OnDisk == ImageState::Condition::Gone
               ? "the file is gone"
               : "the file has changed since; nothing made before is used");
  if (!I.Row.Unfit.empty())
    printf("%sleft alone: %s\n", Indent, shown(I.Row.Unfit).c_str());
  if (I.Chosen)
    printf("%schosen: %s\n", Indent, chosenText(I).c_str());
  for (Kind K : I.Lost)
    printf("%sthe %s version is not in the store any more\n", Indent,
           name(K).data());
  printVersions(I, Indent);
  if (const std::string Text = sentence(I.Used); !Text.empty())
    printf("%soptimized by: %s\n", Indent, Text.c_str());
  if (!I.Counts)
    return;
  if (I.Counts->Row.ProfileMethod != Method::Counters) {
    printf("%s%s %s", Indent, verb(I.Counts->Row.ProfileMethod),
           age(I.Counts->Row.Last).c_str());
    if (I.Counts->Row.ProfileMethod != Method::Imported)
      printf(", %lld time%s%s", (long long)I.Counts->Row.Files,
             I.Counts->Row.Files == 1 ? "" : "s",
             I.Counts->Row.ProfileMethod == Method::BranchSamples
                 ? ", with branch records"
                 : "; branches are guessed");
    printf("\n");
    return;
  }
  const Coverage &C = I.Counts->Share;
  printf("%scounted %s, %lld file%s: %s of %llu functions, %s of %llu blocks\n",
         Indent, age(I.Counts->Row.Last).c_str(),
         (long long)I.Counts->Row.Files, I.Counts->Row.Files == 1 ? "" : "s",
         percent(C.ExecutedFunctions, C.Functions).c_str(),
         (unsigned long long)C.Functions,
         percent(C.ExecutedBlocks, C.Blocks).c_str(),
         (unsigned long long)C.Blocks);
}

void graupel::printApplication(const ApplicationState &A) {
  printStatus({A});
  printf("images:\n");
  for (const ImageState &I : A.Images) {
    printf("  %s (%s)\n", shown(I.Row.Path).c_str(), shown(I.Row.Role).c_str());
    printImageBody(I, "    ");
  }
  if (!A.Measured.empty())
    printf("measured:\n");
  for (const Measurement &M : A.Measured) {
    printf("  ");
    printMeasurement(M);
  }
  if (!A.Runs.empty())
    printf("last runs:\n");
  for (const Run &R : A.Runs) {
    printf("  %s, %s: %s", age(R.Began).c_str(), name(R.ProfileMethod).data(),
           shown(R.Command).c_str());
    if (!R.Ended) {
      printf(" (no end was seen)\n");
      continue;
    }
    printf(" (status %lld, %.2f s)", (long long)R.Status, R.WallSeconds);
    if (R.Counted != 0)
      printf(" %.3g%s", R.Counted,
             R.ProfileMethod == Method::Counters ? " counts" : " samples");
    if (auto Weight = weightOf(R); Weight && *Weight < 1)
      printf(", each weighs %.2f by its age", *Weight);
    printf("\n");
  }
}

void graupel::printImage(const ImageState &I,
                         const std::vector<Application> &Applications) {
  printf("%s\n", shown(I.Row.Path).c_str());
  for (const Application &A : Applications)
    printf("  of %s\n", shown(A.Name).c_str());
  printf("  content %s\n", I.Row.Content.c_str());
  if (!I.Row.BuildID.empty())
    printf("  build-id %s\n", I.Row.BuildID.c_str());
  printImageBody(I, "  ");
}

std::string graupel::olderCounts(const MadeImage &M) {
  std::vector<Result> Figures = M.Figures;
  return sentence(takeResults(Figures));
}

void graupel::printMade(const std::vector<MadeImage> &All) {
  for (const MadeImage &M : All) {
    printf("%-11s %s", name(M.Status).data(), shown(M.Input.Path).c_str());
    if (!M.Why.empty() && !M.Result)
      printf(": %s", shown(M.Why).c_str());
    if (const std::string Text = olderCounts(M); !Text.empty())
      printf(": %s", Text.c_str());
    printf("\n");
  }
}

llvm::json::Value graupel::madeToJSON(const MadeImage &M) {
  llvm::json::Object O{{"path", llvm::json::fixUTF8(M.Input.Path)},
                       {"state", name(M.Status)}};
  if (!M.Why.empty() && !M.Result)
    O["why"] = llvm::json::fixUTF8(M.Why);
  if (M.Result)
    O["store"] = M.Result->Store;
  if (std::string Text = olderCounts(M); !Text.empty())
    O["older_counts"] = std::move(Text);
  return O;
}

llvm::json::Value graupel::madeToJSON(const std::vector<MadeImage> &All) {
  llvm::json::Array Images;
  for (const MadeImage &M : All)
    Images.push_back(madeToJSON(M));
  return llvm::json::Object{{"images", std::move(Images)}};
}

bool graupel::anyFailed(const std::vector<MadeImage> &All) {
  return std::any_of(All.begin(), All.end(), [](const MadeImage &M) {
    return M.Status == MadeImage::State::Failed;
  });
}

ProgressLine::ProgressLine(const char *Verb)
    : Verb(Verb), Shown(isatty(STDERR_FILENO)) {}

void ProgressLine::operator()(const Progress &P) {
  clear();
  if (Shown && P.Done < P.Total)
    fprintf(stderr, "[%zu/%zu] %s %s ...", P.Done + 1, P.Total, Verb,
            shown(P.Image).c_str());
}

void ProgressLine::clear() {
  if (Shown)
    fputs("\r\033[K", stderr);
}

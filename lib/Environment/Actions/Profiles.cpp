//===- Actions/Profiles.cpp - Runs and what they counted ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps runs and profiles in the database, and adds what was counted or
// sampled, each file once.
//
// 1. mergeProfile reads a file of counters. It stops if the file is unfinished,
//    if its id is known, or if its build-id is not that of the content.
// 2. If processes counted into the file when it was merged before, partOf has
//    that part, and subtract leaves the rest.
// 3. addToProfile finds the row of the content and the plan, or makes it. The
//    counts that are there lose weight by the weeks since they were weighed
//    last; then the new ones are added.
// 4. The same transaction notes the file's id or, while processes still count
//    into it, the part that is known. It adds the sum to the run.
// 5. mergeSamples does the same for samples.
// 6. beginRun and endRun write the row of a run.
//
//===----------------------------------------------------------------------===//

#include "Profiles.h"
#include "Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel::environment;

static constexpr int64_t SecondsPerWeek = 7 * 24 * 3600;

int64_t graupel::environment::weeksBetween(int64_t Earlier, int64_t Later) {
  return Later > Earlier ? (Later - Earlier) / SecondsPerWeek : 0;
}

double graupel::environment::weightAfter(int64_t Weeks) {
  constexpr double HalfLife = 30.0 / 7; // Weeks.
  return std::exp2(-double(Weeks) / HalfLife);
}

std::optional<double> graupel::environment::weightOf(const Run &R) {
  if (!R.Age)
    return std::nullopt;
  // The sum has been reweighted once per week that has begun since.
  return weightAfter((std::max<int64_t>(0, *R.Age) + SecondsPerWeek - 1) /
                     SecondsPerWeek);
}

std::string graupel::environment::spoolName(StringRef Content) {
  return (Content + ".gprofile").str();
}

std::string graupel::environment::spoolFolder(const Environment &E) {
  return E.locations().Spool;
}

/// Whether a file of counters was never begun: its process makes it, then
/// writes the first page last.
static bool isUnfinished(StringRef Bytes) {
  return Bytes.take_front(GRAUPEL_PROFILE_PAGE).find_first_not_of('\0') ==
         StringRef::npos;
}

/// Refuses counts of another file than \p Content is, as far as that is known.
static Error checkOrigin(Connection &DB, StringRef Content,
                         const graupel::Profile &P) {
  Statement S(DB, "SELECT build_id FROM images WHERE content=?");
  S << Content;
  const std::string Counted = toHex(P.buildID(), /*LowerCase=*/true);
  if (S.next() && S.text(0) != Counted)
    return createStringError("the file of counters is of build-id " + Counted +
                             ", not of " + S.text(0) + "; remove it");
  return Error::success();
}

/// Whether what \p File brings is known already.
static bool wasMerged(Connection &DB, StringRef File) {
  Statement Before(DB, "SELECT 1 FROM merged WHERE file=?");
  Before << File;
  return Before.next();
}

static void noteCounted(Connection &DB, int64_t Run, double Counted) {
  Statement Add(DB, "UPDATE runs SET counted=counted+? WHERE id=?");
  (Add << Counted << Run).run();
}

/// Notes that the row \p Profile has what \p File brought, and how much that
/// was. The caller's transaction.
static void noteMerged(Connection &DB, StringRef File, int64_t Profile,
                       int64_t Run, double Counted) {
  Statement Note(DB, "INSERT INTO merged(file, profile, run, at) "
                     "VALUES(?,?,?,max(?, ifnull((SELECT aged FROM profiles "
                     "WHERE id=?), 0)))");
  (Note << File << Profile << Run << now() << Profile).run();
  noteCounted(DB, Run, Counted);
}

namespace {

/// The existing profile and its current weight.
struct Earlier {
  StringRef Bytes;
  double Weight;
};
using Adder = function_ref<Expected<std::string>(std::optional<Earlier>)>;

/// A file of counters is added in parts while processes count into it.
enum class Part { First, Later };

} // namespace

/// Adds to the row of a content and a plan, or makes it: \p Add returns its new
/// bytes. The existing profile loses weight with the weeks since it was last
/// reweighted. Runs in the caller's transaction.
static Expected<int64_t> addToProfile(Connection &DB, StringRef Content,
                                      StringRef Plan, Method ProfileMethod,
                                      Adder Add, Part Which = Part::First) {
  Statement Find(DB, "SELECT id, bytes, aged FROM profiles WHERE content=? AND "
                     "plan=?");
  Find << Content << Plan;
  if (!Find.next()) {
    Expected<std::string> Bytes = Add(std::nullopt);
    if (!Bytes)
      return Bytes.takeError();
    Statement Insert(DB, "INSERT INTO profiles(content, plan, method, bytes, "
                         "files, first, last, aged) VALUES(?,?,?,?,1,?,?,?)");
    (Insert << Content << Plan << name(ProfileMethod)).bytes(*Bytes);
    (Insert << now() << now() << now()).run();
    return DB.lastId();
  }
  const int64_t Id = Find.integer(0), Aged = Find.integer(2);
  const int64_t Weeks = weeksBetween(Aged, now());
  const std::string Known = Find.text(1);
  Expected<std::string> Bytes = Add(Earlier{Known, weightAfter(Weeks)});
  if (!Bytes)
    return Bytes.takeError();
  // A clock may have been set back; what is added last is the newest.
  Statement Update(DB, "UPDATE profiles SET bytes=?, files=files+?, "
                       "last=max(last, ?), "
                       "aged=? WHERE id=?");
  (Update.bytes(*Bytes) << int64_t(Which == Part::First) << now()
                        << Aged + Weeks * SecondsPerWeek << Id)
      .run();
  return Id;
}

/// Adds \p P to the row of its content and plan. The caller's transaction.
static Expected<int64_t> addCounts(Connection &DB, StringRef Content,
                                   const graupel::Profile &P, Part Which) {
  auto Add = [&](std::optional<Earlier> Known) -> Expected<std::string> {
    if (!Known)
      return P.seal();
    Expected<graupel::Profile> Sum = graupel::readProfile(Known->Bytes);
    if (!Sum)
      return Sum.takeError();
    if (Sum->MetadataBytes != P.MetadataBytes)
      return createStringError(
          "the file of counters is of another build with the "
          "same plan; remove it");
    Sum->scale(Known->Weight);
    Sum->add(P);
    return Sum->seal();
  };
  return addToProfile(DB, Content, formatv("{0:x-16}", P.Header.plan).str(),
                      Method::Counters, Add, Which);
}

/// Counts only grow.
static uint64_t less(uint64_t Count, uint64_t Before) {
  return Count > Before ? Count - Before : 0;
}

/// Leaves in \p P the counts since \p Before, an earlier state of the file.
static void subtract(graupel::Profile &P, const graupel::Profile &Before) {
  if (P.Counters.size() != Before.Counters.size())
    return;
  for (auto [Count, Known] : zip_equal(P.Counters, Before.Counters))
    Count = less(Count, Known);
  for (const auto &[Key, Known] : Before.Targets)
    if (auto It = P.Targets.find(Key); It != P.Targets.end())
      It->second = less(It->second, Known);
  P.Dropped = less(P.Dropped, Before.Dropped);
}

static bool isEmpty(const graupel::Profile &P) {
  return all_of(P.Counters, [](uint64_t Count) { return Count == 0; });
}

/// The part of \p File that has been added before, if any.
static std::optional<std::string> partOf(Connection &DB, StringRef File) {
  Statement S(DB, "SELECT bytes FROM counting WHERE file=?");
  S << File;
  return S.next() ? std::optional(S.text(0)) : std::nullopt;
}

static void notePart(Connection &DB, StringRef File, StringRef Bytes) {
  Statement S(DB, "INSERT OR REPLACE INTO counting(file, bytes, at) "
                  "VALUES(?,?,?)");
  ((S << File).bytes(Bytes) << now()).run();
}

static void forgetPart(Connection &DB, StringRef File) {
  Statement S(DB, "DELETE FROM counting WHERE file=?");
  (S << File).run();
}

Expected<Merged> graupel::environment::mergeSamples(Environment &E,
                                                    StringRef Content,
                                                    StringRef File,
                                                    const Samples &S,
                                                    int64_t Run) {
  if (S.empty())
    return Merged::Empty;
  Connection &DB = E.database();
  Transaction T(DB);
  if (wasMerged(DB, File))
    return Merged::Before;
  const Method ProfileMethod =
      S.hasBranches() ? Method::BranchSamples : Method::Samples;
  auto Add = [&](std::optional<Earlier> Known) -> Expected<std::string> {
    Samples Sum(Known ? Known->Bytes : "");
    Sum.scale(Known ? Known->Weight : 1);
    Sum.add(S);
    return Sum.fdata();
  };
  // There is one plan: the places are those of the image itself.
  Expected<int64_t> Profile =
      addToProfile(DB, Content, name(ProfileMethod), ProfileMethod, Add);
  if (!Profile)
    return Profile.takeError();
  noteMerged(DB, File, *Profile, Run, S.total());
  if (Error Err = T.commit())
    return Err;
  return Merged::Added;
}

Expected<Merged>
graupel::environment::mergeProfile(Environment &E, StringRef Content,
                                   StringRef File, StringRef Bytes, int64_t Run,
                                   Counting Progress) {
  if (isUnfinished(Bytes))
    return Merged::Empty;
  Expected<graupel::Profile> P = graupel::readProfile(Bytes);
  if (!P)
    return P.takeError();
  Connection &DB = E.database();
  Transaction T(DB);
  if (wasMerged(DB, File))
    return Merged::Before;
  if (Error Err = checkOrigin(DB, Content, *P))
    return Err;
  const std::optional<std::string> Known = partOf(DB, File);
  const std::string Whole = Progress == Counting::GoesOn ? P->seal() : "";
  if (Known) {
    Expected<graupel::Profile> Before = graupel::readProfile(*Known);
    if (!Before)
      return Before.takeError();
    subtract(*P, *Before);
  }
  if (Progress == Counting::GoesOn && isEmpty(*P))
    return Merged::Before;
  Expected<int64_t> Profile =
      addCounts(DB, Content, *P, Known ? Part::Later : Part::First);
  if (!Profile)
    return Profile.takeError();
  if (Progress == Counting::GoesOn) {
    notePart(DB, File, Whole);
    noteCounted(DB, Run, P->total());
  } else {
    forgetPart(DB, File);
    noteMerged(DB, File, *Profile, Run, P->total());
  }
  if (Error Err = T.commit())
    return Err;
  return Merged::Added;
}

Expected<int64_t> graupel::environment::beginRun(Environment &E,
                                                 int64_t Application,
                                                 ArrayRef<std::string> Command,
                                                 Mode M, Method ProfileMethod) {
  Connection &DB = E.database();
  Transaction T(DB);
  Statement S(DB, "INSERT INTO runs(application, command, mode, method, began) "
                  "VALUES(nullif(?,0),?,?,?,?)");
  (S << Application << join(Command, " ") << name(M) << name(ProfileMethod)
     << now())
      .run();
  const int64_t Id = DB.lastId();
  if (Error Err = T.commit())
    return Err;
  return Id;
}

Error graupel::environment::endRun(Environment &E, int64_t Run, int Status,
                                   double UserSeconds, double WallSeconds) {
  Connection &DB = E.database();
  Transaction T(DB);
  Statement S(DB, "UPDATE runs SET ended=?, status=?, user_seconds=?, "
                  "wall_seconds=? WHERE id=?");
  (S << now() << int64_t(Status) << UserSeconds << WallSeconds << Run).run();
  return T.commit();
}

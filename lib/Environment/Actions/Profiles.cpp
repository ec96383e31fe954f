//===- Actions/Profiles.cpp - Runs and what they counted ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profiles.h"
#include "Profile/ProfileFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace graupel::environment;

static constexpr size_t ContentDigits = 64;

std::string graupel::environment::spoolName(StringRef Content) {
  return (Content + ".gprofile").str();
}

std::optional<std::string>
graupel::environment::contentOfSpoolName(StringRef FileName) {
  const StringRef Content = FileName.take_front(ContentDigits);
  if (Content.size() != ContentDigits || !all_of(Content, isHexDigit) ||
      !FileName.drop_front(ContentDigits).starts_with(".gprofile"))
    return std::nullopt;
  return Content.str();
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

/// Adds \p P to the row of its content and plan. The caller's transaction.
static Expected<int64_t> addCounts(Connection &DB, StringRef Content,
                                   graupel::Profile P) {
  const std::string Plan = formatv("{0:x-16}", P.Header.plan);
  Statement Find(DB, "SELECT id, bytes FROM profiles WHERE content=? AND "
                     "plan=?");
  Find << Content << Plan;
  if (!Find.next()) {
    Statement Insert(DB, "INSERT INTO profiles(content, plan, bytes, files, "
                         "first, last) VALUES(?,?,?,1,?,?)");
    (Insert << Content << Plan).bytes(P.seal());
    (Insert << now() << now()).run();
    return DB.lastId();
  }
  const int64_t Id = Find.integer(0);
  Expected<graupel::Profile> Sum = graupel::readProfile(Find.text(1));
  if (!Sum)
    return Sum.takeError();
  if (Sum->MetadataBytes != P.MetadataBytes)
    return createStringError(
        "the file of counters is of another build with the "
        "same plan; remove it");
  Sum->add(P);
  Statement Update(DB, "UPDATE profiles SET bytes=?, files=files+1, last=? "
                       "WHERE id=?");
  (Update.bytes(Sum->seal()) << now() << Id).run();
  return Id;
}

Expected<Merged> graupel::environment::mergeProfile(Environment &E,
                                                    StringRef Content,
                                                    StringRef File,
                                                    StringRef Bytes,
                                                    int64_t Run) {
  if (isUnfinished(Bytes))
    return Merged::Empty;
  Expected<graupel::Profile> P = graupel::readProfile(Bytes);
  if (!P)
    return P.takeError();
  Connection &DB = E.database();
  Transaction T(DB);
  {
    Statement Before(DB, "SELECT 1 FROM merged WHERE file=?");
    Before << File;
    if (Before.next())
      return Merged::Before;
  }
  if (Error Err = checkOrigin(DB, Content, *P))
    return Err;
  Expected<int64_t> Profile = addCounts(DB, Content, std::move(*P));
  if (!Profile)
    return Profile.takeError();
  Statement Note(DB, "INSERT INTO merged(file, profile, run, at) "
                     "VALUES(?,?,?,?)");
  (Note << File << *Profile << Run << now()).run();
  if (Error Err = T.commit())
    return Err;
  return Merged::Added;
}

Expected<int64_t> graupel::environment::beginRun(Environment &E,
                                                 int64_t Application,
                                                 ArrayRef<std::string> Command,
                                                 Mode M) {
  Connection &DB = E.database();
  Transaction T(DB);
  Statement S(DB, "INSERT INTO runs(application, command, mode, began) "
                  "VALUES(nullif(?,0),?,?,?)");
  (S << Application << join(Command, " ") << name(M) << now()).run();
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

//===- Database/Tables.h - The rows of all tables ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_DATABASE_TABLES_H
#define GRAUPEL_ENVIRONMENT_DATABASE_TABLES_H

#include "Connection.h"
#include "Store/FileIdentity.h"
#include <optional>
#include <vector>

namespace graupel::environment {

enum class Mode { Original, Instrumented, Optimized };
enum class Kind { Instrumented, Optimized };
llvm::StringRef name(Mode M);
llvm::StringRef name(Kind K);
std::optional<Mode> modeFromName(llvm::StringRef Name);
/// The mode in which versions of that kind run.
Mode modeOf(Kind K);

/// Seconds since 1970.
int64_t now();

// Rows, as in docs/design/environment.md. Functions that read return nothing if
// there is nothing, and after an error; the caller looks at DB.check(). Those
// that change something are to be called in a transaction.

struct Application {
  int64_t Id = 0;
  std::string Name, Main;
  Mode Runs = Mode::Original;
  int64_t Registered = 0;
};
std::vector<Application> applications(Connection &DB);
/// By name, or by the path of the main image.
std::optional<Application> findApplication(Connection &DB,
                                           llvm::StringRef Text);
int64_t addApplication(Connection &DB, const Application &A);
void removeApplication(Connection &DB, int64_t Id);
void setMode(Connection &DB, int64_t Application, Mode M);

struct Image {
  int64_t Id = 0;
  std::string Path, Content, BuildID;
  FileIdentity Identity;
  std::string Unfit; ///< Why it is left alone, or empty.
  int64_t Registered = 0;
  std::string Role; ///< In the application that was asked for.
};
std::vector<Image> images(Connection &DB, int64_t Application);
/// Images of all applications.
std::vector<Image> allImages(Connection &DB);
std::optional<Image> findImage(Connection &DB, llvm::StringRef Path);
/// Adds it or, if its path is known, replaces everything but its id.
int64_t putImage(Connection &DB, const Image &I);
/// Earlier contents at the path of \p I, by its id, the last one first.
std::vector<std::string> formerContents(Connection &DB, const Image &I);
void setIdentity(Connection &DB, int64_t Image, const FileIdentity &Identity);
/// Whether several images have the same content, and with it one version.
bool hasTwins(Connection &DB, llvm::StringRef Content);
/// Whether nobody named the image, and no image that somebody named needs it.
bool isOnlySeen(Connection &DB, int64_t Image);
/// Keeps the role it has, if it has one.
void addToApplication(Connection &DB, int64_t Application, int64_t Image,
                      llvm::StringRef Role);
std::vector<Application> applicationsOf(Connection &DB, int64_t Image);
/// Images of no application any more, unless something was counted of what was
/// at their paths: an application may come back.
void removeLonelyImages(Connection &DB);

struct Version {
  int64_t Id = 0;
  std::string Content;
  Kind VersionKind = Kind::Instrumented;
  std::string Store; ///< Name in the store; empty if it could not be made.
  std::string BuildID;
  int64_t Size = 0;
  std::string Tool, Options;
  std::string Profile; ///< SHA-256 of the profile it was made with.
  int64_t Made = 0;
  double Seconds = 0;
  std::string Failure;
};
/// Newest first.
std::vector<Version> versions(Connection &DB, llvm::StringRef Content);
/// The newest one that could be made.
std::optional<Version> newestVersion(Connection &DB, llvm::StringRef Content,
                                     Kind K);
/// The content that the file \p Store of the store was made of, or nothing.
std::string originalOf(Connection &DB, llvm::StringRef Store);
int64_t addVersion(Connection &DB, const Version &V);
/// The counts of its own build that it was made by, or nothing.
std::string usedProfile(Connection &DB, int64_t Version);
void setUsedProfile(Connection &DB, int64_t Version, llvm::StringRef Bytes);

struct Checked {
  FileIdentity Identity;
  std::string Boot;
};
std::optional<Checked> checked(Connection &DB, llvm::StringRef Store);
void setChecked(Connection &DB, llvm::StringRef Store, const Checked &C);

/// The method by which counts were collected.
enum class Method {
  Counters,      ///< Counters of instrumented images: exact.
  BranchSamples, ///< With the processor's branch records.
  Samples,       ///< Where the processor was.
  Imported,      ///< Others have made it, in whatever way.
};
llvm::StringRef name(Method M);

struct Run {
  int64_t Id = 0, Application = 0;
  std::string Command, Mode;
  Method ProfileMethod = Method::Counters;
  int64_t Began = 0;
  std::optional<int64_t> Ended;
  int64_t Status = 0;
  double UserSeconds = 0, WallSeconds = 0;
  double Counted = 0; ///< The sum of all counts, or how many samples.
  /// Seconds from when it was added to ProfileRow::Aged; nothing if nothing was
  /// added to what is known of a build that is there now.
  std::optional<int64_t> Age;
};
/// Newest first; of all applications if it is 0.
std::vector<Run> runs(Connection &DB, int64_t Application, int64_t Limit);

struct ProfileRow {
  int64_t Id = 0;
  std::string Content, Plan;
  Method ProfileMethod = Method::Counters;
  int64_t Files = 0, First = 0, Last = 0;
  int64_t Aged = 0; ///< The time up to which counts have been reweighted.
};
/// The plan of a profile that others made: fdata or YAML, for one content. It
/// cannot be added to others, nor matched to other builds.
constexpr llvm::StringLiteral ForeignPlan = "foreign";
/// The one that was added to last comes first.
std::vector<ProfileRow> profiles(Connection &DB, llvm::StringRef Content);
std::string profileBytes(Connection &DB, int64_t Id);

struct Result {
  std::string Name;
  double Value;
};
std::vector<Result> results(Connection &DB, int64_t Version);
void setResult(Connection &DB, int64_t Version, llvm::StringRef Name,
               double Value);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_DATABASE_TABLES_H

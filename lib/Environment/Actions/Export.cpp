//===- Actions/Export.cpp - Images and profiles for elsewhere -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The folder that a user names may be where the originals are, or lead there
// by a link, a mount, a file system that ignores case. So:
//
//   1. The places of all registered images are taken from the disk: the files
//      themselves, and their folders with their names.
//   2. All new files are written beside their targets (Output/ReplacedFile).
//   3. Each target is judged: it is no registered image, by file, place or
//      content; and if there is something, it is a version that was made here.
//   4. Only if all may be replaced the first one is.
//
//===----------------------------------------------------------------------===//

#include "Export.h"
#include "Actions/Active.h"
#include "Actions/Sources.h"
#include "Environment/Output/ReplacedFile.h"
#include "Profile/ProfileFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <set>

using namespace llvm;
using namespace graupel::environment;
using graupel::output::ErrorText;
using graupel::output::FileOnDisk;
using graupel::output::ReplacedFile;
using graupel::output::Target;

namespace {

/// Files that must never be replaced.
class RegisteredImages {
public:
  explicit RegisteredImages(Connection &DB);

  bool hasPlace(const ReplacedFile &File) const;
  bool hasFile(const FileOnDisk &File) const { return Files.count(File); }
  bool hasContent(const std::string &C) const { return Contents.count(C); }

private:
  std::set<FileOnDisk> Files;
  std::set<std::pair<FileOnDisk, std::string>> Places;
  std::set<std::string> Contents;
};

class Exporter {
public:
  Exporter(Environment &E, const std::string &Folder)
      : E(E), Registered(E.database()), Name(Folder) {}

  Error addImage(const Image &I, const Substitution &S);
  Error addProfile(const Image &I);
  Expected<std::vector<Exported>> keepAll();

  std::vector<Exported> All;

private:
  Error begin();
  Error stage(const std::string &Path,
              function_ref<ErrorText(ReplacedFile &)> Write,
              const graupel::output::Judge &May);
  ErrorText judgeImage(const Target &T);

  Environment &E;
  const RegisteredImages Registered;
  const std::string Name;
  std::optional<graupel::output::ExportFolder> Folder;
  std::vector<ReplacedFile> Files;
};

} // namespace

static Error errorOf(const ErrorText &W) {
  return W ? createStringError(*W) : Error::success();
}

RegisteredImages::RegisteredImages(Connection &DB) {
  for (const Image &I : allImages(DB)) {
    Contents.insert(I.Content);
    // In `graupel shell` a version covers it.
    Files.insert({uint64_t(I.Identity.Device), uint64_t(I.Identity.Inode)});
    struct stat Status;
    if (stat(I.Path.c_str(), &Status) == 0)
      Files.insert(FileOnDisk::of(Status));
    const std::string Folder = sys::path::parent_path(I.Path).str();
    if (stat(Folder.c_str(), &Status) == 0)
      Places.insert(
          {FileOnDisk::of(Status), sys::path::filename(I.Path).str()});
  }
}

bool RegisteredImages::hasPlace(const ReplacedFile &File) const {
  struct stat Status;
  return fstat(File.folder(), &Status) == 0 &&
         Places.count({FileOnDisk::of(Status), File.name()});
}

static const char *const IsOriginal =
    "it is a registered image, and these are never overwritten; name another "
    "folder";

static const char *const NotExported = "it has not been exported by Graupel, "
                                       "and is not overwritten; remove it, or "
                                       "name another folder";

/// A version of the database, or what another one has made.
ErrorText Exporter::judgeImage(const Target &T) {
  const std::string Path = "/proc/self/fd/" + std::to_string(T.File);
  Expected<HashedFile> Hashed = hashFile(Path);
  if (!Hashed)
    return toString(Hashed.takeError());
  if (Registered.hasContent(Hashed->Content))
    return IsOriginal;
  if (!originalOf(E.database(), Hashed->Content).empty())
    return std::nullopt;
  auto Bytes = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/true,
                                     /*IsVolatile=*/true);
  if (Bytes && (*Bytes)->getBuffer().starts_with("\177ELF") &&
      (*Bytes)->getBuffer().contains(StringRef(".note.bolt_info\0", 16)))
    return std::nullopt;
  return NotExported;
}

Error Exporter::begin() {
  if (Folder)
    return Error::success();
  Folder.emplace();
  return errorOf(Folder->open(Name));
}

/// Written and judged, but not yet in its place.
Error Exporter::stage(const std::string &Path,
                      function_ref<ErrorText(ReplacedFile &)> Write,
                      const graupel::output::Judge &May) {
  if (Error Err = begin())
    return Err;
  std::optional<ReplacedFile> File;
  if (ErrorText W = Folder->file(Path, File))
    return errorOf(W);
  if (Registered.hasPlace(*File))
    return createStringError(Name + Path + ": " + IsOriginal);
  ErrorText W = File->judge([&](const Target &T) -> ErrorText {
    if (Registered.hasFile(FileOnDisk::of(T.Status)))
      return IsOriginal;
    return May(T);
  });
  if (!W)
    W = Write(*File);
  if (W)
    return errorOf(W);
  Files.push_back(std::move(*File));
  return Error::success();
}

Error Exporter::addImage(const Image &I, const Substitution &S) {
  graupel::substitution::Descriptor From(
      open(S.StoreFile.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat Original;
  if (!From || stat(I.Path.c_str(), &Original))
    return createStringError(
        (From ? I.Path : S.StoreFile) +
        ": cannot be read; check your rights, and `graupel status`");
  All.push_back({I.Path, Name + I.Path});
  return stage(
      I.Path,
      [&](ReplacedFile &To) { return To.copy(From.number(), Original); },
      [this](const Target &T) { return judgeImage(T); });
}

/// Counts, in any of the forms that are exported. An fdata file begins with a
/// branch, or with a word of BOLT's.
static ErrorText judgeProfile(const Target &T) {
  if (ErrorText W = graupel::output::keepPrograms(T))
    return W;
  const std::string Path = "/proc/self/fd/" + std::to_string(T.File);
  auto Read = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/true,
                                    /*IsVolatile=*/true);
  if (!Read)
    return Read.getError().message();
  const StringRef Bytes = (*Read)->getBuffer();
  if (Bytes.empty() || graupel::isProfile(Bytes.str()))
    return std::nullopt;
  for (StringRef Begin : {"---", "0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "no_lbr",
                          "boltedcollection"})
    if (Bytes.starts_with(Begin))
      return std::nullopt;
  return NotExported;
}

static const char *suffixOf(const ProfileSource &S) {
  if (graupel::isProfile(S.Bytes))
    return ".gprofile";
  return StringRef(S.Bytes).starts_with("---") ? ".yaml" : ".fdata";
}

Error Exporter::addProfile(const Image &I) {
  const auto Sources = profileSources(E.database(), I);
  if (Error Err = E.database().check())
    return Err;
  const ProfileSource *Own = ownProfile(Sources);
  if (!Own)
    return Error::success();
  const std::string Path = I.Path + suffixOf(*Own);
  All.push_back({I.Path, Name + Path});
  return stage(
      Path,
      [&](ReplacedFile &To) { return To.write(Own->Bytes, To.usualMode()); },
      judgeProfile);
}

Expected<std::vector<Exported>> Exporter::keepAll() {
  for (ReplacedFile &File : Files)
    if (ErrorText W = File.keep())
      return errorOf(W);
  return std::move(All);
}

Expected<std::vector<Exported>>
graupel::environment::exportFiles(Environment &E, const Application &A,
                                  const std::string &Folder, bool Profiles) {
  Expected<ActiveImages> Active = activeImages(E, Mode::Optimized);
  if (!Active)
    return Active.takeError();
  Exporter To(E, Folder);
  for (const Image &I : images(E.database(), A.Id)) {
    const auto S = find_if(Active->Images, [&](const Substitution &Version) {
      return Version.Original == I.Path;
    });
    if (S == Active->Images.end())
      To.All.push_back({I.Path, ""});
    else if (Error Err = To.addImage(I, *S))
      return std::move(Err);
  }
  if (Profiles)
    for (const Image &I : images(E.database(), A.Id))
      if (Error Err = To.addProfile(I))
        return std::move(Err);
  if (Error Err = E.database().check())
    return Err;
  return To.keepAll();
}

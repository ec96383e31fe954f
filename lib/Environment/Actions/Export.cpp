//===- Actions/Export.cpp - Images and profiles for elsewhere -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Export.h"
#include "Actions/Active.h"
#include "Actions/Sources.h"
#include "Profile/ProfileFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel::environment;

static Error cannotWrite(const std::string &Path, std::error_code EC) {
  return createStringError(Path + ": cannot be written: " + EC.message() +
                           "; choose another folder, or free some space");
}

static Error copyAs(const std::string &From, const std::string &To,
                    const std::string &Original) {
  const StringRef Parent = sys::path::parent_path(To);
  // As mkdir makes them: they may become a package.
  if (std::error_code EC = sys::fs::create_directories(
          Parent, /*IgnoreExisting=*/true, sys::fs::all_all))
    return cannotWrite(Parent.str(), EC);
  const std::string New = To + ".new";
  if (std::error_code EC = sys::fs::copy_file(From, New)) {
    sys::fs::remove(New);
    return cannotWrite(New, EC);
  }
  if (auto Mode = sys::fs::getPermissions(Original))
    sys::fs::setPermissions(New, *Mode);
  if (std::error_code EC = sys::fs::rename(New, To)) {
    sys::fs::remove(New);
    return cannotWrite(To, EC);
  }
  return Error::success();
}

Expected<std::vector<Exported>>
graupel::environment::exportImages(Environment &E, const Application &A,
                                   const std::string &Folder) {
  Expected<ActiveImages> Active = activeImages(E, Mode::Optimized);
  if (!Active)
    return Active.takeError();
  std::vector<Exported> Result;
  for (const Image &I : images(E.database(), A.Id)) {
    Result.push_back({I.Path, ""});
    for (const Substitution &S : Active->Images)
      if (S.Original == I.Path) {
        Result.back().File = Folder + I.Path;
        if (Error Err = copyAs(S.StoreFile, Result.back().File, I.Path))
          return Err;
      }
  }
  if (Error Err = E.database().check())
    return Err;
  return Result;
}

static const char *suffixOf(const ProfileSource &S) {
  if (graupel::isProfile(S.Bytes))
    return ".gprofile";
  return StringRef(S.Bytes).starts_with("---") ? ".yaml" : ".fdata";
}

Expected<std::string>
graupel::environment::exportProfile(Environment &E, const Image &I,
                                    const std::string &Folder) {
  const auto Sources = profileSources(E.database(), I);
  if (Error Err = E.database().check())
    return Err;
  const ProfileSource *Own = ownProfile(Sources);
  if (!Own)
    return "";
  const std::string File = Folder + I.Path + suffixOf(*Own);
  const StringRef Parent = sys::path::parent_path(File);
  if (std::error_code EC = sys::fs::create_directories(Parent))
    return cannotWrite(Parent.str(), EC);
  if (Error Err = writeFile(File, Own->Bytes))
    return Err;
  return File;
}

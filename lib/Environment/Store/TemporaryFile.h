//===- Store/TemporaryFile.h - A file that goes away ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_STORE_TEMPORARYFILE_H
#define GRAUPEL_ENVIRONMENT_STORE_TEMPORARYFILE_H

#include "Store.h"
#include <unistd.h>
#include <utility>

namespace graupel::environment {

/// An empty file of the store's file system. If this process is killed,
/// `graupel gc` removes it.
class TemporaryFile {
public:
  TemporaryFile() = default;
  static llvm::Expected<TemporaryFile> in(Store &S) {
    llvm::Expected<std::string> Path = S.temporary();
    if (!Path)
      return Path.takeError();
    TemporaryFile Result;
    Result.Path = std::move(*Path);
    return Result;
  }
  TemporaryFile(TemporaryFile &&From) : Path(std::exchange(From.Path, "")) {}
  TemporaryFile &operator=(TemporaryFile &&From) {
    std::swap(Path, From.Path);
    return *this;
  }
  ~TemporaryFile() {
    if (!Path.empty())
      unlink(Path.c_str());
  }

  std::string Path;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_STORE_TEMPORARYFILE_H

//===- Actions/Make.h - Instrumented and optimized versions --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_MAKE_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_MAKE_H

#include "Environment/Environment.h"
#include "llvm/ADT/ArrayRef.h"

namespace graupel::environment {

/// Work goes on: Done of Total images are finished, and Image is next.
struct Progress {
  size_t Done, Total;
  llvm::StringRef Image;
};
using ProgressFunction = std::function<void(const Progress &)>;

/// The outcome for one image.
struct MadeImage {
  enum class State {
    Made,
    Ready, ///< There was such a version.
    Alone, ///< Cannot be handled; Why has the reason.
    NoProfile,
    Failed, ///< graupel-bolt failed; Why is its message.
  };
  Image Input;
  State Status = State::Alone;
  std::string Why;
  std::optional<Version> Result;
  std::vector<environment::Result> Figures; ///< Rows of `results`.
};
llvm::StringRef name(MadeImage::State S);

/// Makes the instrumented or optimized version of each image of \p A, with more
/// options for graupel-bolt. Images that cannot be handled run as they are. An
/// error if nothing at all could be made.
llvm::Expected<std::vector<MadeImage>>
makeVersions(Environment &E, const Application &A, Kind K,
             llvm::ArrayRef<std::string> Options, const ProgressFunction &Tell);

/// From now on `graupel run` runs these versions of \p A, as far as there are
/// any.
llvm::Error chooseVersions(Environment &E, const Application &A, Mode M);

/// Makes one version of one image. Versions that failed before are tried again
/// if
/// \p Retry. Waits for others that make the same one.
llvm::Expected<MadeImage> makeVersion(Environment &E, const Image &I, Kind K,
                                      llvm::ArrayRef<std::string> Options,
                                      bool Retry);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_MAKE_H

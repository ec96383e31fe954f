//===- Images/BuildID.h - Build-ids of new images ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_IMAGES_BUILDID_H
#define GRAUPEL_ENVIRONMENT_IMAGES_BUILDID_H

#include "llvm/Support/Error.h"
#include <string>

namespace graupel::environment {

/// Gives the ELF file \p Path, if it has a build-id, one of its own: made of
/// all its bytes. Returns it in hexadecimal, or nothing.
llvm::Expected<std::string> giveOwnBuildID(const std::string &Path);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_IMAGES_BUILDID_H

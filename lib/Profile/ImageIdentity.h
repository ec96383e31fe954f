//===- Profile/ImageIdentity.h - Which file a profile is of -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_IMAGEIDENTITY_H
#define GRAUPEL_PROFILE_IMAGEIDENTITY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/ELFObjectFile.h"

namespace graupel {

/// The build-id of \p Image, cut to the 32 bytes that profiles keep, or without
/// one the XXH3-64 of its code.
llvm::SmallVector<uint8_t, 32>
imageIdentity(const llvm::object::ELFObjectFileBase &Image);

} // namespace graupel

#endif // GRAUPEL_PROFILE_IMAGEIDENTITY_H

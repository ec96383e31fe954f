//===- Process/Beside.cpp - Programs beside this one ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Beside.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

std::string graupel::environment::findProgramBeside(StringRef Name) {
  SmallString<256> Path;
  if (sys::fs::real_path("/proc/self/exe", Path))
    return "";
  sys::path::remove_filename(Path);
  sys::path::append(Path, Name);
  return sys::fs::can_execute(Path) ? std::string(Path) : "";
}

//===- Actions/Check.cpp - Whether a version is what it was ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace graupel::environment;

/// A file that was checked in another boot may have been changed by hand since.
static const std::string &currentBoot() {
  static const std::string Boot = [] {
    auto Buffer =
        MemoryBuffer::getFileAsStream("/proc/sys/kernel/random/boot_id");
    return Buffer ? (*Buffer)->getBuffer().trim().str() : std::string();
  }();
  return Boot;
}

Expected<CheckedFile> graupel::environment::checkFile(Environment &E,
                                                      StringRef Store) {
  const std::optional<Checked> Last = checked(E.database(), Store);
  const FileIdentity Known =
      Last && Last->Boot == currentBoot() ? Last->Identity : FileIdentity();
  Expected<HashedFile> Now = E.store().verify(Store, Known);
  if (!Now)
    return Now.takeError();
  return CheckedFile{Now->Identity, Now->Identity != Known && !Now->IsFresh};
}

void graupel::environment::noteChecked(Connection &DB, StringRef Store,
                                       const CheckedFile &F) {
  setChecked(DB, Store, {F.Identity, currentBoot()});
}

//===- Driver/LibraryHooks.cpp - Where a library starts and ends ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime of an instrumented library is called by the loader: in the place
// of DT_INIT and DT_FINI, or of the first function of their arrays. A library
// that was linked without the compiler's start files may have none of them.
//
// 1. GNU ld ends the dynamic section with entries to spare (DT_NULL).
// 2. The first of them become what the library lacks. The last stays, it is the
//    end.
// 3. BOLT reads the entries as if they had been there, and writes the runtime's
//    addresses.
//
// References: ELF specification, "Dynamic Section"; ld(1),
// --spare-dynamic-tags.
//
//===----------------------------------------------------------------------===//

#include "LibraryHooks.h"

using namespace llvm;
using namespace graupel;

using Dynamic = object::ELF64LE::Dyn;

/// Whether an entry is \p Tag, or \p SizeTag with room for a function.
static bool hasHook(ArrayRef<Dynamic> Entries, int64_t Tag, int64_t SizeTag) {
  return any_of(Entries, [&](const Dynamic &Entry) {
    return Entry.getTag() == Tag ||
           (Entry.getTag() == SizeTag && Entry.getVal() >= sizeof(uint64_t));
  });
}

Error graupel::addLibraryHooks(object::ELFObjectFileBase &Input) {
  auto Entries = cast<object::ELFObjectFile<object::ELF64LE>>(Input)
                     .getELFFile()
                     .dynamicEntries();
  if (!Entries)
    return Entries.takeError();
  const auto Used = Entries->take_while(
      [](const Dynamic &Entry) { return Entry.getTag() != ELF::DT_NULL; });
  SmallVector<int64_t, 2> Missing;
  if (!hasHook(Used, ELF::DT_INIT, ELF::DT_INIT_ARRAYSZ))
    Missing.push_back(ELF::DT_INIT);
  if (!hasHook(Used, ELF::DT_FINI, ELF::DT_FINI_ARRAYSZ))
    Missing.push_back(ELF::DT_FINI);
  if (Missing.empty())
    return Error::success();
  const auto Spare = Entries->drop_front(Used.size());
  if (Spare.size() <= Missing.size() ||
      any_of(Spare, [](const Dynamic &Entry) { return Entry.getTag(); }))
    return createStringError(
        "no function runs when the library is loaded or unloaded, and its "
        "dynamic section has no room to name one for counting; link it without "
        "-nostartfiles, or with GNU ld, which leaves room");
  // The buffer is a private mapping of the file.
  auto *Entry = const_cast<Dynamic *>(Spare.begin());
  for (int64_t Tag : Missing) {
    Entry->d_tag = Tag;
    Entry++->d_un.d_val = 0;
  }
  return Error::success();
}

//===- Instrument/RuntimeBlob.cpp - The runtime as bytes ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeBlob.h"
#include "profile/Embedded.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace graupel;

uint64_t RuntimeBlob::offsetOf(StringRef Name) const {
  auto At = Symbols.find(Name);
  if (At == Symbols.end())
    report_fatal_error("the profile runtime has no " + Name);
  return At->second;
}

Expected<RuntimeBlob> graupel::embeddedRuntime() {
  const StringRef File(graupel_profile_runtime_elf,
                       graupel_profile_runtime_elf_end -
                           graupel_profile_runtime_elf);
  auto ELF = object::ELFFile<object::ELF64LE>::create(File);
  if (!ELF)
    return ELF.takeError();
  auto Segments = ELF->program_headers();
  if (!Segments)
    return Segments.takeError();
  RuntimeBlob Blob;
  uint64_t Start = 0;
  for (const auto &Segment : *Segments)
    if (Segment.p_type == ELF::PT_LOAD) {
      Blob.Code = File.substr(Segment.p_offset, Segment.p_filesz).str();
      Start = Segment.p_vaddr;
    }
  auto Object = object::ELFObjectFile<object::ELF64LE>::create(
      MemoryBufferRef(File, "profile runtime"));
  if (!Object)
    return Object.takeError();
  for (const object::ELFSymbolRef Symbol : Object->symbols()) {
    Expected<StringRef> Name = Symbol.getName();
    Expected<uint64_t> Address = Symbol.getAddress();
    if (!Name || !Address) {
      consumeError(Name.takeError());
      consumeError(Address.takeError());
    } else if (Name->starts_with("graupel_rt_")) {
      Blob.Symbols[*Name] = *Address - Start;
    }
  }
  return Blob;
}

//===- Verify/RecordedCode.cpp - Files without a symbol table -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordedCode.h"
#include "Disassembler.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace graupel;

/// Whether \p Bytes at \p Address are nops, traps or zeros.
static bool isPadding(Disassembler &Decoder, StringRef Bytes,
                      uint64_t Address) {
  uint64_t Size = 0;
  for (size_t At = 0; At < Bytes.size(); At += Size) {
    Size = 1;
    if (Bytes[At] == '\xcc' || Bytes[At] == '\0')
      continue;
    Instruction I;
    Decoder.decode(Bytes.drop_front(At), Address + At, I);
    if (I.Kind != FlowKind::Nop)
      return false;
    Size = I.Size;
  }
  return true;
}

static Error checkGap(const ElfView &Input, const ElfView &Output,
                      Disassembler &Decoder, uint64_t Begin, uint64_t End) {
  if (Begin >= End)
    return Error::success();
  const StringRef Before = Input.bytesAt(Begin).take_front(End - Begin),
                  Now = Output.bytesAt(Begin).take_front(End - Begin);
  if (Before == Now || isPadding(Decoder, Before, Begin))
    return Error::success();
  uint64_t At = 0;
  while (At < Now.size() && At < Before.size() && Before[At] == Now[At])
    ++At;
  return badFile("what is between functions, at " + hex(Begin + At) +
                     ", is not that of the input",
                 "this is a defect of graupel-bolt, report it with the input");
}

Error graupel::checkGaps(const ElfView &Input, const ElfView &Output,
                         const SymbolMap &Functions) {
  Disassembler Decoder(Input.header().e_machine);
  const ArrayRef<SymbolMap::Range> All = Functions.inputs();
  for (const ElfView::Section &S : Input.sections()) {
    if (S.sh_type != ELF::SHT_PROGBITS || !(S.sh_flags & ELF::SHF_EXECINSTR) ||
        !(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    const uint64_t End = S.sh_addr + S.sh_size;
    uint64_t At = S.sh_addr;
    for (auto It = llvm::partition_point(
             All, [&](const auto &R) { return R.End <= At; });
         It != All.end() && It->Begin < End; At = std::max(At, It++->End))
      if (Error E = checkGap(Input, Output, Decoder, At, It->Begin))
        return E;
    if (Error E = checkGap(Input, Output, Decoder, At, End))
      return E;
  }
  return Error::success();
}

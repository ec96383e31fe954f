//===- Verify/CommandLine.cpp - An output's command line ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

using namespace llvm;

SmallVector<StringRef, 16> graupel::optionsOf(const ElfView &Output) {
  SmallVector<StringRef, 16> Words, Options;
  if (const ElfView::Section *Note = Output.find(".note.bolt_info"))
    Output.content(*Note).split(Words, ' ');
  for (StringRef Word : Words) {
    Word = Word.take_until([](char C) { return C == '\0' || C == '\n'; });
    if (!Word.consume_front("-"))
      continue;
    Word.consume_front("-");
    Options.push_back(Word);
  }
  return Options;
}

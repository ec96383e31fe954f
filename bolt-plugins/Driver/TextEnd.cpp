//===- Driver/TextEnd.cpp - Programs that ask for etext -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT appends new code, behind all data. A program that takes what is below
// etext for code, and what is not for data, would then be wrong about each
// function. etext itself cannot move: garbage collectors look for data behind
// it.
//
// 1. Code that is written over the old one is below etext: nothing is needed.
// 2. Otherwise functions are rewritten in their places, as without relocations,
//    and nothing is split off.
// 3. Not for -instrument, nor against the options that the user gave, nor where
//    the program registers unwind records, which cannot be replaced in place
//    (RegisteredFrames.h): then there is a warning.
//
//===----------------------------------------------------------------------===//

#include "TextEnd.h"
#include "Elf/RegisteredRecords.h"
#include "Options/BoltOptions.h"
#include "Options/LayoutPlan.h"
#include "Protect/CodeBounds.h"
#include "Summary.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace graupel;

/// Options that need relocations, or say where code goes.
static bool optionsDecide() {
  return opts::Instrument ||
         any_of(ArrayRef<StringRef>{"relocs", "use-old-text", "strict",
                                    "reorder-functions", "icf", "hugify",
                                    "hot-text", "stress-layout", "split-eh"},
                isGiven);
}

static bool registersRecords(const ElfView &File) {
  const ElfView::Section *Records = File.find(".eh_frame");
  return Records && registersOneOf(File, recordsIn(File, *Records));
}

void graupel::keepBelowTextEnd(const object::ELFObjectFileBase &Input) {
  if (boltFlag("stock-pipeline"))
    return;
  Expected<ElfView> File = ElfView::open(Input.getData());
  if (!File)
    return consumeError(File.takeError());
  if (!asksForTextEnd(*File))
    return;
  if (optionsDecide() || registersRecords(*File)) {
    WithColor::warning(errs(), "graupel-bolt")
        << Input.getFileName()
        << ": refers to etext, and functions of the output may be behind it; "
           "if the program takes what is behind etext for data, do not use the "
           "output\n";
    return;
  }
  keepFunctionsInPlace();
  setOption("icf", "none");
  setOption("relocs", "false");
  Summary::get().keepPlaces("the program refers to etext, the end of its code; "
                            "-relocs moves them behind it");
}

//===- Driver/BoltOptions.cpp - BOLT's options by name --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoltOptions.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

cl::Option &graupel::boltOption(StringRef Name) {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(Name);
  if (It == Options.end())
    report_fatal_error("BOLT has no option -" + Name);
  return *It->second;
}

void graupel::setUnlessGiven(StringRef Name, StringRef Value) {
  cl::Option &Option = boltOption(Name);
  if (Option.getNumOccurrences())
    return;
  // Counts as given from here on: BOLT derives some defaults from other options
  // unless it sees an occurrence.
  if (Option.addOccurrence(0, Name, Value))
    report_fatal_error("BOLT refuses -" + Name + "=" + Value);
}

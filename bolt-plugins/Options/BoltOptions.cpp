//===- Options/BoltOptions.cpp - BOLT's options by name
//--------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoltOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

// The options that setUnlessGiven set.
static StringSet<> &recommended() {
  static StringSet<> Names;
  return Names;
}

cl::Option &graupel::boltOption(StringRef Name) {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(Name);
  if (It == Options.end())
    report_fatal_error("BOLT has no option -" + Name);
  return *It->second;
}

bool graupel::isGiven(StringRef Name) {
  return boltOption(Name).getNumOccurrences() && !recommended().contains(Name);
}

void graupel::setUnlessGiven(StringRef Name, StringRef Value) {
  cl::Option &Option = boltOption(Name);
  if (Option.getNumOccurrences())
    return;
  recommended().insert(Name);
  // BOLT sees an occurrence from here on, without which it derives some
  // defaults from other options.
  if (Option.addOccurrence(0, Name, Value))
    report_fatal_error("BOLT refuses -" + Name + "=" + Value);
}

void graupel::setOption(StringRef Name, StringRef Value) {
  if (boltOption(Name).addOccurrence(0, Name, Value))
    report_fatal_error("BOLT refuses -" + Name + "=" + Value);
}

//===- Options/CopyPlan.cpp - Copies beside the original ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyPlan.h"
#include "BoltOptions.h"
#include "LayoutPlan.h"
#include "bolt/Utils/CommandLineOpts.h"

using namespace llvm;
using namespace graupel;

namespace {

enum class CopyMode { Never, Auto, Always };

cl::opt<CopyMode> Copies(
    "copies",
    cl::desc("put optimized copies of functions beside the original code, "
             "which stays (default: auto)"),
    cl::values(clEnumValN(CopyMode::Never, "never",
                          "without relocations, rewrite functions in place"),
               clEnumValN(CopyMode::Auto, "auto",
                          "if the input has no relocations"),
               clEnumValN(CopyMode::Always, "always",
                          "also if it has; they are ignored")),
    cl::init(CopyMode::Auto), cl::cat(opts::BoltOptCategory));

bool MakesCopies;

/// Options of llvm-bolt's that ask for one of its modes, or for another
/// program than the one that runs.
bool asksForOther() {
  return boltFlag("stock-pipeline") || isGiven("relocs") || isGiven("hco");
}

} // namespace

bool graupel::refusesCopies() { return Copies == CopyMode::Never; }

void graupel::decideCopies(bool HasRelocations) {
  if (Copies == CopyMode::Always)
    MakesCopies = !boltFlag("stock-pipeline");
  else if (Copies == CopyMode::Auto)
    MakesCopies = !HasRelocations && !asksForOther() &&
                  (opts::Instrument || layoutPlan().any());
}

bool graupel::makesCopies() { return MakesCopies; }

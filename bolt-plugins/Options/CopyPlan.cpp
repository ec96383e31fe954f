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
#include "llvm/ADT/STLExtras.h"

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
                          "also if it has, which are ignored, and of functions "
                          "that gain nothing")),
    cl::init(CopyMode::Auto), cl::cat(opts::BoltOptCategory));

bool MakesCopies;

/// These ask for one of llvm-bolt's modes, move data, put other code in the
/// place of originals, or change what an original finds in registers and frames
/// where a copy jumps into its cold part.
constexpr StringLiteral Others[] = {"relocs",       "frame-opt",
                                    "reg-reassign", "use-old-text",
                                    "reorder-data", "trap-old-code"};

} // namespace

StringRef graupel::optionAgainstCopies() {
  const auto *At = llvm::find_if(Others, [](StringRef Name) {
    return Name == "hco" ? boltFlag(Name) : isGiven(Name);
  });
  return At == std::end(Others) ? StringRef() : StringRef(*At);
}

bool graupel::refusesCopies() { return Copies == CopyMode::Never; }

void graupel::decideCopies(bool HasRelocations) {
  if (Copies == CopyMode::Always)
    MakesCopies = !boltFlag("stock-pipeline");
  else if (Copies == CopyMode::Auto)
    MakesCopies = !HasRelocations && !boltFlag("stock-pipeline") &&
                  optionAgainstCopies().empty() &&
                  (opts::Instrument || layoutPlan().any());
}

bool graupel::makesCopies() { return MakesCopies; }

bool graupel::makesGainlessCopies() { return Copies == CopyMode::Always; }

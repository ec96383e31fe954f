//===- Options.cpp --------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

using namespace llvm;

namespace graupel::fgdsm {

static cl::OptionCategory Category("Fine-grain distributed shared memory");

cl::opt<CheckMode> CheckModeOption(
    "fgdsm-checks", cl::cat(Category), cl::desc("How accesses are checked"),
    cl::init(CheckMode::Default),
    cl::values(clEnumValN(CheckMode::Default, "default", "what costs least"),
               clEnumValN(CheckMode::Table, "table", "the tag of each access"),
               clEnumValN(CheckMode::Sentinel, "sentinel",
                          "loads by their value, stores by their tag"),
               clEnumValN(CheckMode::Slow15, "slow15",
                          "through a table of routines indexed by the tag"),
               clEnumValN(CheckMode::Stores, "stores",
                          "stores only; shared memory does not work"),
               clEnumValN(CheckMode::None, "none",
                          "polls only; shared memory does not work")));

cl::opt<bool> VerifyOption("fgdsm-verify", cl::cat(Category),
                           cl::desc("Prove that no access to shared memory is "
                                    "unchecked, or fail the compilation"));

cl::opt<std::string>
    HintsOption("fgdsm-hints", cl::cat(Category), cl::value_desc("file"),
                cl::desc("What a record of the program says of its data and "
                         "loops (graupel stride export --fgdsm)"));

cl::opt<bool>
    UnalignedOption("fgdsm-unaligned", cl::cat(Category),
                    cl::desc("Any pointer may be misaligned for its type"));

cl::opt<bool> ShareGlobalsOption(
    "fgdsm-share-globals", cl::cat(Category),
    cl::desc("The file's global and static variables are shared, as if each "
             "were GDSM_GLOBAL"));

} // namespace graupel::fgdsm

//===- HotCold/Assumptions.cpp - Breakable assumptions --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"
#include "bolt/Utils/CommandLineOpts.h"

using namespace llvm;
using namespace graupel;

static cl::opt<Assumption> Broken(
    "hco-break-assumption",
    cl::desc("with -hco: let all optimizations believe something wrong, to see "
             "that -hco-verify finds it"),
    cl::init(Assumption::None), cl::Hidden,
    cl::values(clEnumValN(Assumption::None, "none", "nothing is wrong"),
               clEnumValN(Assumption::CalleePreserves, "callee-preserves", ""),
               clEnumValN(Assumption::CalleeOverwrites, "callee-overwrites",
                          ""),
               clEnumValN(Assumption::CalleeReads, "callee-reads", ""),
               clEnumValN(Assumption::CalleeReturns, "callee-returns", ""),
               clEnumValN(Assumption::UnreadCode, "unread-code", ""),
               clEnumValN(Assumption::PointerTargets, "pointer-targets", ""),
               clEnumValN(Assumption::Results, "results", ""),
               clEnumValN(Assumption::StayingCallers, "staying-callers", ""),
               clEnumValN(Assumption::CallersKeep, "callers-keep", ""),
               clEnumValN(Assumption::Flags, "flags", ""),
               clEnumValN(Assumption::RedZone, "red-zone", ""),
               clEnumValN(Assumption::Saves, "saves", ""),
               clEnumValN(Assumption::CopiesBack, "copies-back", ""),
               clEnumValN(Assumption::Slots, "slots", ""),
               clEnumValN(Assumption::StubState, "stub-state", ""),
               clEnumValN(Assumption::Order, "order", ""),
               clEnumValN(Assumption::Copies, "copies", ""),
               clEnumValN(Assumption::Conflicts, "conflicts", ""),
               clEnumValN(Assumption::UnwindSaves, "unwind-saves", "")),
    cl::cat(opts::BoltOptCategory));

bool graupel::isBroken(Assumption A) { return Broken == A; }

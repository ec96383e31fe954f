//===- Driver/ColdOrder.cpp - Cold parts as procedures --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT emits function by function: the main fragment into .text, then the cold
// one into .text.cold. A section of an object file being assembled has numbered
// subsections, which are laid out by number and not by time of emission. So
// each time the emitter switches to .text.cold, which it does once a fragment,
// it is sent to the subsection that is the fragment's rank.
//
// Should BOLT switch more or less often than expected, the order is not the one
// asked for, but the code is still right.
//
//===----------------------------------------------------------------------===//

#include "DebugAddresses.h"
#include "DynamicRelocations.h"
#include "Exceptions/Exceptions.h"
#include "Options/LayoutPlan.h"
#include "RegisteredFrames.h"
#include "Support/ColdRanks.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryEmitter.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/MC/MCStreamer.h"
#include <deque>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// The state of the emission, if cold code has an order.
struct Emission {
  const MCSection *Cold = nullptr;
  /// Subsections of the cold fragments still to come.
  std::deque<uint32_t> Subsections;
};
Emission Current;

/// The emitter skips functions without code.
bool isEmitted(const BinaryContext &BC, const BinaryFunction &BF) {
  return BC.shouldEmit(BF) && (BF.size() || BF.hasIslandsInfo()) &&
         BF.getState() != BinaryFunction::State::Empty;
}

std::deque<uint32_t> subsectionsInEmissionOrder(BinaryContext &BC) {
  const StringRef Cold = BC.getColdCodeSectionName();
  const uint32_t Last = coldRanks().size();
  std::deque<uint32_t> Subsections;
  for (BinaryFunction *BF : BC.getOutputBinaryFunctions()) {
    if (!isEmitted(BC, *BF))
      continue;
    for (FunctionFragment &Fragment : BF->getLayout().fragments()) {
      if (Fragment.isSplitFragment() &&
          (!BF->isSplit() || (Fragment.empty() && !BF->hasConstantIsland())))
        continue;
      if (BF->getCodeSectionName(Fragment.getFragmentNum()) != Cold)
        continue;
      auto It = coldRanks().find(BF);
      const bool Ranked = Fragment.isSplitFragment() && It != coldRanks().end();
      Subsections.push_back(Ranked ? It->second : Last);
    }
  }
  return Subsections;
}

} // namespace

extern "C" {

// llvm::bolt::emitBinaryContext(MCStreamer &, BinaryContext &, StringRef)
void __real__ZN4llvm4bolt17emitBinaryContextERNS_10MCStreamerERNS0_13BinaryContextENS_9StringRefE(
    MCStreamer &Streamer, BinaryContext &BC, StringRef Prefix);
void __wrap__ZN4llvm4bolt17emitBinaryContextERNS_10MCStreamerERNS0_13BinaryContextENS_9StringRefE(
    MCStreamer &Streamer, BinaryContext &BC, StringRef Prefix) {
  redirectRegisteredFrames(BC);
  takeDynamicRelocations();
  labelInstructions(BC);
  if (!coldRanks().empty()) {
    Current.Cold = BC.getCodeSection(BC.getColdCodeSectionName());
    Current.Subsections = subsectionsInEmissionOrder(BC);
  }
  __real__ZN4llvm4bolt17emitBinaryContextERNS_10MCStreamerERNS0_13BinaryContextENS_9StringRefE(
      Streamer, BC, Prefix);
  Current = Emission();
  emitExceptionTables(Streamer, BC);
  // With -layout=none the output is llvm-bolt's.
  if ((opts::UseOldText || opts::StrictMode) &&
      layoutPlan().Kind != LayoutKind::None)
    emitKeptRecords(Streamer, BC);
}

// MCStreamer::switchSection(MCSection *, uint32_t)
void __real__ZN4llvm10MCStreamer13switchSectionEPNS_9MCSectionEj(
    MCStreamer *Streamer, MCSection *Section, uint32_t Subsection);
void __wrap__ZN4llvm10MCStreamer13switchSectionEPNS_9MCSectionEj(
    MCStreamer *Streamer, MCSection *Section, uint32_t Subsection) {
  if (Section && Section == Current.Cold && !Current.Subsections.empty()) {
    Subsection = Current.Subsections.front();
    Current.Subsections.pop_front();
  }
  __real__ZN4llvm10MCStreamer13switchSectionEPNS_9MCSectionEj(Streamer, Section,
                                                              Subsection);
}
}

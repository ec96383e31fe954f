//===- Numa/Report/RunJSON.cpp - A run for programs -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFacts.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

using namespace graupel::numa;
using namespace llvm;

static void writeShare(json::OStream &J, const AutoShare &S) {
  J.attribute("bytes", uint64_t(S.Bytes));
  J.attribute("remote_bytes", uint64_t(S.Remote));
  J.attribute("pages_moved", S.Moved);
  J.attribute("pages_copied", S.Copied);
}

static AutoShare sum(AutoShare A, const AutoShare &B) {
  return {A.Bytes + B.Bytes, A.Remote + B.Remote, A.Moved + B.Moved,
          A.Copied + B.Copied};
}

/// Several of the record may be one for people. Most traffic first.
static void writeObjects(json::OStream &J, const AutoPlacer &A,
                         const NumaProfile &P) {
  std::map<size_t, AutoShare> Shares;
  for (const auto &[Recorded, Share] : A.objects())
    if (Recorded < P.ObjectOf.size()) {
      AutoShare &S = Shares[P.ObjectOf[Recorded]];
      S = sum(S, Share);
    }
  std::vector<std::pair<size_t, AutoShare>> Order(Shares.begin(), Shares.end());
  std::sort(Order.begin(), Order.end(), [](const auto &A, const auto &B) {
    return std::pair(-A.second.Bytes, A.first) <
           std::pair(-B.second.Bytes, B.first);
  });
  for (const auto &[N, Share] : Order)
    J.object([&, &N = N, &Share = Share] {
      J.attribute("object", json::fixUTF8(P.Observed.Objects[N].Name));
      J.attribute("place", json::fixUTF8(P.Observed.Objects[N].Place));
      writeShare(J, Share);
    });
}

static void writeAuto(json::OStream &J, const RunFacts &F) {
  const AutoPlacer &A = *F.Auto;
  const AutoCounts C = A.counts();
  J.attribute("looks", C.Looks);
  J.attribute("pages_moved", C.Moved);
  J.attribute("pages_not_moved", C.Failed);
  J.attribute("ranges_copied", C.CopiedRanges);
  J.attributeArray("threads", [&] {
    std::map<uint64_t, unsigned> Threads(A.threads().begin(),
                                         A.threads().end());
    for (auto [Thread, Node] : Threads)
      J.object([&, Thread = Thread, Node = Node] {
        J.attribute("thread", Thread);
        J.attribute("node", F.Machine->Nodes[Node].Id);
      });
  });
  J.attributeArray("phases", [&] {
    for (const AutoPhase &P : A.phases())
      J.object([&] {
        J.attribute("begin_ms", P.Begin);
        J.attribute("end_ms", P.End);
        J.attribute("again", P.Again);
        writeShare(J, P);
      });
  });
  J.attributeArray("objects", [&] {
    if (F.Traffic)
      writeObjects(J, A, *F.Traffic);
  });
}

static void writePlacement(json::OStream &J, const RunFacts &F) {
  J.attribute("placement", json::fixUTF8(F.Placement));
  J.attributeBegin("statements");
  const std::string Text = json::fixUTF8(F.Statements.value_or("null"));
  // Unchanged, in its order, unless the program was stopped while writing it.
  Expected<json::Value> Whole = json::parse(Text);
  J.rawValue(Whole ? StringRef(Text).trim() : "null");
  consumeError(Whole.takeError());
  J.attributeEnd();
}

std::string graupel::numa::jsonOf(const RunFacts &F) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("version", 1);
    J.attribute("program", json::fixUTF8(F.Program));
    J.attribute("mode", F.Auto ? "auto" : "placement");
    J.attribute("status", F.Status);
    if (F.Signal)
      J.attribute("signal", F.Signal);
    J.attribute("nodes", uint64_t(F.Nodes));
    if (F.Traffic) {
      J.attribute("local_bytes", F.Traffic->Was.Local);
      J.attribute("remote_bytes", F.Traffic->Was.Remote);
      J.attribute("unknown_bytes", F.Traffic->Was.Unknown);
    }
    if (F.Auto)
      writeAuto(J, F);
    else
      writePlacement(J, F);
    J.attributeArray("notes", [&] {
      if (F.Nodes == 1)
        J.value("the machine has one node: everything is near");
      if (!F.Traffic)
        J.value("the program has left no record of its traffic: it was not "
                "compiled with graupel-stride.cfg");
      if (!F.Auto && !F.Statements)
        J.value("nothing is known of where pages were: the program ended "
                "without its destructors");
    });
  });
  return Text + "\n";
}

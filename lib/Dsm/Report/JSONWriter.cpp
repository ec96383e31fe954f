//===- Dsm/Report/JSONWriter.cpp - The report for programs ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the report as one JSON object. Member by member, in this order:
//
// 1. `summary` and `warnings`.
// 2. `nodes`, and `misses`, the first Report::Top rows with their places.
// 3. `objects`, all of them: allocations, causes, and a heat map with a row of
//    columns for each node.
// 4. `poll intervals`, and `messages` by type, sender and receiver.
// 5. `advice`, with predictions if there are some, and `advice together`.
//
// Text that comes from other files is made valid UTF-8 first (text()).
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

namespace {

class Writer {
public:
  Writer(const Report &R, raw_ostream &OS) : R(R), P(R.P), J(OS, 2) {}
  void write();

private:
  void place(const SourceLine &);
  void loss(const Loss &);
  void nodes();
  void misses();
  void objects();
  void heat(const ObjectUse &);
  void polls();
  void messages();
  void advice();
  void forecast(const Forecast &);
  /// Text from files of others may be no UTF-8.
  void text(StringRef Key, StringRef Value) {
    J.attribute(Key, json::fixUTF8(Value));
  }

  const Report &R;
  const Profile &P;
  json::OStream J;
};

void Writer::loss(const Loss &L) {
  J.attribute("misses", int64_t(L.Count));
  J.attribute("nanoseconds", int64_t(L.Nanoseconds));
}

void Writer::place(const SourceLine &L) {
  J.attributeObject("place", [&] {
    text("file", L.File);
    J.attribute("line", L.Line);
    text("function", L.Function);
    J.attributeArray("inlined in", [&] {
      for (const SourceLine::Caller &C : L.Callers)
        J.value(json::fixUTF8(C.Name));
    });
    text("code", L.Code);
    text("text", L.Text);
  });
}

void Writer::nodes() {
  J.attributeArray("nodes", [&] {
    for (const NodeUse &N : P.Nodes)
      J.object([&] {
        J.attribute("node", N.Node);
        text("host", N.Host);
        J.attribute("seconds", N.Seconds);
        J.attribute("threads", N.Threads);
        loss(N.Misses);
        J.attribute("entries without a miss", int64_t(N.Other.Count));
        J.attribute("their nanoseconds", int64_t(N.Other.Nanoseconds));
        J.attribute("share lost", N.share());
        J.attribute("messages", int64_t(N.Messages));
        J.attribute("bytes", int64_t(N.Bytes));
      });
  });
}

void Writer::misses() {
  J.attributeArray("misses", [&] {
    for (const MissRow &M : ArrayRef(P.Rows).take_front(R.Top))
      J.object([&] {
        place(*M.Line);
        J.attribute("object", M.Object);
        J.attribute("access", M.Store ? "store" : "load");
        J.attribute("cause", causeName(M.Why));
        loss(M.Lost);
        J.attribute("median nanoseconds", int64_t(M.Median));
        J.attribute("99 % nanoseconds", int64_t(M.Percentile99));
      });
  });
}

/// By node, then by part of the object.
void Writer::heat(const ObjectUse &U) {
  auto Rows = [&](StringRef Key, uint64_t HeatCell::*Member) {
    J.attributeArray(Key, [&] {
      for (const auto &Row : U.Heat)
        J.array([&] {
          for (const HeatCell &C : Row)
            J.value(int64_t(C.*Member));
        });
    });
  };
  J.attributeObject("heat", [&] {
    J.attribute("bytes of a column", int64_t(U.BytesOfColumn));
    Rows("load misses", &HeatCell::Loads);
    Rows("store misses", &HeatCell::Stores);
    Rows("lost", &HeatCell::Lost);
  });
}

void Writer::objects() {
  J.attributeArray("objects", [&] {
    for (size_t I = 0; I < P.Uses.size(); ++I)
      J.object([&] {
        const Object &O = P.Data[I];
        const ObjectUse &U = P.Uses[I];
        text("name", O.Name);
        J.attribute("allocations", int64_t(O.Allocations));
        if (O.Known) {
          place(O.Site);
          J.attribute("bytes", int64_t(O.Bytes));
          J.attribute("block", int64_t(O.Block));
          J.attribute("home", homeName(O));
        }
        loss(U.Misses);
        J.attributeObject("causes", [&] {
          for (unsigned C = 0; C < Causes; ++C)
            if (U.ByCause[C].Count)
              J.attributeObject(causeName(Cause(C)),
                                [&] { loss(U.ByCause[C]); });
        });
        J.attribute("sequential", int64_t(U.Sequential));
        heat(U);
      });
  });
}

void Writer::polls() {
  J.attributeArray("poll intervals", [&] {
    for (const Bucket &B : P.Polls)
      J.object([&] {
        J.attribute("from nanoseconds", int64_t(B.Least));
        J.attribute("to nanoseconds", int64_t(B.End));
        J.attribute("samples", int64_t(B.Count));
      });
  });
}

void Writer::messages() {
  J.attributeArray("messages", [&] {
    for (const auto &[Type, ByPeers] : P.Messages)
      for (const auto &[Peers, Use] : ByPeers)
        J.object([&] {
          text("type", Type);
          J.attribute("from", Peers.first);
          J.attribute("to", Peers.second);
          J.attribute("messages", int64_t(Use.Count));
          J.attribute("bytes", int64_t(Use.Bytes));
        });
  });
}

void Writer::forecast(const Forecast &F) {
  J.attributeObject("predicted", [&] {
    J.attribute("misses", int64_t(F.Misses));
    J.attribute("least misses", int64_t(F.LeastMisses));
    J.attribute("most misses", int64_t(F.MostMisses));
    J.attribute("messages", int64_t(F.Messages));
    J.attribute("least messages", int64_t(F.LeastMessages));
    J.attribute("most messages", int64_t(F.MostMessages));
  });
}

void Writer::advice() {
  J.attributeArray("advice", [&] {
    for (const Advice &A : R.Advices.All)
      J.object([&] {
        J.attribute("object", A.Object);
        J.attribute("kind", kindName(A.Type));
        J.attribute("value", A.Value);
        text("text", A.Text);
        text("reasons", A.Reasons);
        if (A.Then)
          forecast(*A.Then);
      });
  });
  J.attributeObject("advice together", [&] {
    J.attribute("misses", int64_t(R.Advices.Misses));
    J.attribute("least misses", int64_t(R.Advices.LeastMisses));
    J.attribute("most misses", int64_t(R.Advices.MostMisses));
  });
}

void Writer::write() {
  J.object([&] {
    text("summary", summary(P));
    J.attributeArray("warnings", [&] {
      for (const std::string &W : R.Warnings)
        J.value(json::fixUTF8(W));
    });
    nodes();
    misses();
    objects();
    polls();
    messages();
    advice();
  });
}

} // namespace

void graupel::dsm::writeJSON(const Report &R, raw_ostream &OS) {
  Writer(R, OS).write();
  OS << '\n';
}

//===- Numa/Report/BenchJSON.cpp - Measurements for programs --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes measurements as one JSON object. Member by member, in this order:
//
// 1. `machine`: processor, caches, passes, disturbance, and for each node its
//    processors, and how much of its memory is elsewhere or in large pages.
// 2. `tables`: rows of numbers, words or null, and which rows are stable or why
//    they are not.
// 3. `calibration`: transfer times between pairs of processors.
// 4. `runs`: each case that has samples, with its summary, its verdict and the
//    best sample of each pass.
// 5. `notes`.
//
// number() keeps whole values whole, rounds others to four decimals (to one
// from 1000 on), and writes null for what is not finite.
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <unistd.h>

namespace graupel::numa {

using namespace bench;
using llvm::json::OStream;

/// Node numbers and counts stay whole; figures have four digits or more.
static void number(double Value, OStream &J) {
  if (Value == std::floor(Value) && std::abs(Value) < 1e15)
    J.value(int64_t(Value));
  else if (std::isfinite(Value))
    J.value(std::abs(Value) < 1000 ? std::round(Value * 1e4) / 1e4
                                   : std::round(Value * 10) / 10);
  else
    J.value(nullptr);
}

static void writeTable(const FilledTable &T, OStream &J) {
  J.attribute("name", T.Name);
  J.attribute("unit", T.Unit);
  J.attribute("kind", T.Published ? "published" : "measured");
  J.attribute("about", T.About);
  J.attributeArray("columns", [&] {
    for (const std::string &Column : T.Columns)
      J.value(Column);
  });
  J.attributeArray("rows", [&] {
    for (const auto &Row : T.Rows)
      J.array([&] {
        for (const Entry &E : Row)
          if (E.Value)
            number(*E.Value, J);
          else if (E.Words.empty())
            J.value(nullptr);
          else
            J.value(E.Words);
      });
  });
  J.attribute("stable", T.stable());
  J.attributeArray("row_stable", [&] {
    for (const std::string &Why : T.Unstable)
      J.value(Why.empty());
  });
  J.attributeArray("unstable", [&] {
    for (size_t N = 0; N < T.Unstable.size(); ++N)
      if (!T.Unstable[N].empty())
        J.object([&] {
          J.attribute("row", int64_t(N));
          J.attribute("why", T.Unstable[N]);
        });
  });
}

static void writeMachine(const BenchReport &R, OStream &J) {
  J.attribute("host", R.M.Host);
  J.attribute("system", R.M.Kernel);
  J.attribute("processor", R.M.Model);
  J.attribute("virtual", R.M.Guest);
  J.attribute("page_bytes", int64_t(sysconf(_SC_PAGESIZE)));
  J.attribute("private_cache_bytes", int64_t(R.M.PrivateBytes));
  J.attribute("last_cache_bytes", int64_t(R.M.SharedBytes));
  J.attribute("passes", int64_t(R.Session.passes()));
  J.attribute("seconds", R.Session.seconds());
  J.attribute("stolen_percent", R.Session.stolenPercent());
  J.attribute("others_percent", R.Session.othersPercent());
  J.attributeArray("nodes", [&] {
    for (unsigned N = 0; N < R.M.Nodes.size(); ++N)
      J.object([&] {
        const Memory &Here = R.Meter.memory(N);
        J.attribute("node", int64_t(R.M.Nodes[N].Id));
        J.attributeArray("processors", [&] {
          for (unsigned Processor : R.M.Nodes[N].Processors)
            J.value(int64_t(Processor));
        });
        J.attribute("pages", int64_t(Here.Pages));
        J.attribute("pages_elsewhere", int64_t(Here.Elsewhere));
        J.attribute("large_page_bytes", int64_t(Here.LargeBytes));
      });
  });
}

static void writeCalibration(const BenchReport &R, OStream &J) {
  for (const auto &[Pair, Seen] : R.Session.calibration().pairs())
    J.object([&, &Pair = Pair, &Seen = Seen] {
      J.attribute("reader", int64_t(Pair.first));
      J.attribute("owner", int64_t(Pair.second));
      J.attribute("first_ns", Seen.First);
      J.attribute("last_ns", Seen.Last);
      J.attribute("least_ns", Seen.Least);
      J.attribute("most_ns", Seen.Most);
      J.attribute("times", int64_t(Seen.Times));
      J.attribute("changes", int64_t(Seen.Changes));
    });
}

static void writeRun(const BenchReport &R, size_t N, OStream &J) {
  const Case &C = R.Plan.Cases[N];
  const Samples &Seen = R.Session.records()[N].Seen;
  Summary S = summarize(Seen.All);
  Verdict V = R.Session.verdict(N);
  auto List = [&](const char *Name, const std::vector<unsigned> &Processors) {
    J.attributeArray(Name, [&] {
      for (unsigned Processor : Processors)
        J.value(int64_t(Processor));
    });
  };
  J.attribute("experiment", nameOf(C.TimedKernel));
  J.attribute("state", nameOf(C.From));
  J.attribute("home", int64_t(R.M.Nodes[C.Home].Id));
  List("local", C.Local);
  List("remote", C.Remote);
  J.attribute("unit", isLatency(C.TimedKernel) ? "ns" : "MB/s");
  J.attribute("value", V.Value);
  J.attribute("stable", V.Stable);
  J.attribute("min", S.Least);
  J.attribute("max", S.Most);
  J.attribute("median", S.Median);
  J.attribute("average", S.Average);
  J.attribute("deviation", S.Deviation);
  J.attribute("samples", int64_t(Seen.All.size()));
  J.attributeArray("passes", [&] {
    for (double Best : Seen.Bests)
      number(Best, J);
  });
  J.attribute("dearest_seconds", R.Session.records()[N].Seconds);
}

void writeBenchJSON(const BenchReport &R, llvm::raw_ostream &OS) {
  OStream J(OS, 1);
  J.object([&] {
    J.attributeObject("machine", [&] { writeMachine(R, J); });
    J.attributeArray("tables", [&] {
      for (const FilledTable &T : R.Tables)
        J.object([&] { writeTable(T, J); });
    });
    J.attributeArray("calibration", [&] { writeCalibration(R, J); });
    J.attributeArray("runs", [&] {
      for (size_t N = 0; N < R.Plan.Cases.size(); ++N)
        if (!R.Session.records()[N].Seen.All.empty())
          J.object([&] { writeRun(R, N, J); });
    });
    J.attributeArray("notes", [&] {
      for (const std::string &Note : R.Notes)
        J.value(Note);
    });
  });
  OS << '\n';
}

} // namespace graupel::numa

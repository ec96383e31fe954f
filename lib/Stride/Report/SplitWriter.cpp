//===- Stride/Report/SplitWriter.cpp --------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what is used together, and what is used at all, for tools that split
// structures and functions:
//
// 1. structure() writes each array of structures that findStructures() has
//    found: fields, places, affinity, groups, and the bytes passed now and if
//    split.
// 2. functions() adds references and misses of the first cache up by file and
//    function, and sorts them by references. Functions are hot until those
//    before have made 99 % of all references.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Stride/Analysis/Structures.h"
#include "llvm/Support/JSON.h"

namespace graupel::stride {

namespace {

/// Functions that make all but so much of the references are hot.
constexpr double ColdShare = 0.01;

class Writer {
public:
  Writer(const Report &Rep, llvm::raw_ostream &OS)
      : Rep(Rep), J(OS, /*IndentSize=*/1) {}
  void write();

private:
  void text(llvm::StringRef Name, llvm::StringRef Value) {
    J.attribute(Name, llvm::json::fixUTF8(Value));
  }
  void count(llvm::StringRef Name, uint64_t N) { J.attribute(Name, N); }
  void structure(const Structure &S);
  void field(const Field &F);
  void group(const FieldGroup &G);
  void functions();

  const Report &Rep;
  llvm::json::OStream J;
};

void Writer::field(const Field &F) {
  J.object([&] {
    J.attribute("offset", F.Offset);
    J.attribute("bytes", F.Bytes);
    count("loads", F.Loads);
    count("stores", F.Stores);
    J.attributeArray("places", [&] {
      for (auto [Place, Count] : F.InLoop)
        J.array([&] {
          J.value(Place);
          J.value(Count);
        });
    });
  });
}

void Writer::group(const FieldGroup &G) {
  J.object([&] {
    J.attributeArray("fields", [&] {
      for (uint32_t N : G.Fields)
        J.value(N);
    });
    J.attribute("bytes", G.Bytes);
    count("references", G.References);
    J.attribute("hot", G.Hot);
  });
}

void Writer::structure(const Structure &S) {
  const NamedObject &Data = (*Rep.O)[S.Object];
  J.object([&] {
    text("object", Data.Name);
    J.attribute("structure_bytes", S.Bytes);
    count("elements", Data.Bytes / S.Bytes);
    count("references", S.References);
    J.attributeArray("fields", [&] {
      for (const Field &F : S.Fields)
        field(F);
    });
    J.attributeArray("places", [&] {
      for (const auto &[Where, Function] : S.Places)
        J.object([&] {
          text("file", Where.File);
          J.attribute("line", Where.Number);
          text("function", Function);
        });
    });
    J.attributeArray("affinity", [&] {
      for (const std::vector<uint64_t> &Row : S.Affinity)
        J.array([&] {
          for (uint64_t N : Row)
            J.value(N);
        });
    });
    J.attributeArray("split", [&] {
      for (const FieldGroup &G : S.Groups)
        group(G);
    });
    J.attribute("unused_bytes", S.Unused);
    count("bytes_now", static_cast<uint64_t>(S.BytesNow));
    count("bytes_split", static_cast<uint64_t>(S.BytesSplit));
  });
}

void Writer::functions() {
  struct Sum {
    uint64_t References = 0, Misses = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> Sums;
  for (const Use &U : Rep.P->Uses) {
    Sum &S = Sums[{U.Where.File, U.Function}];
    S.References += U.P.References;
    if (const MissCounts *M = Rep.M->of(U))
      S.Misses += M->Levels[0].Misses;
  }
  std::vector<std::pair<uint64_t, const std::pair<std::string, std::string> *>>
      Order;
  for (const auto &[Key, S] : Sums)
    Order.push_back({S.References, &Key});
  std::stable_sort(Order.begin(), Order.end(),
                   [](auto &A, auto &B) { return A.first > B.first; });
  const double All = double(Rep.P->All.References);
  double Before = 0;
  for (auto &[References, Key] : Order)
    J.object([&, References = References, Key = Key] {
      text("file", Key->first);
      text("function", Key->second);
      count("references", References);
      if (Rep.M->any())
        count("misses", Sums[*Key].Misses);
      J.attribute("hot", Before < (1 - ColdShare) * All);
      Before += double(References);
    });
}

void Writer::write() {
  J.object([&] {
    J.attribute("version", 1);
    text("program", Rep.R.Program);
    J.attributeArray("structures", [&] {
      for (const Structure &S : findStructures(Rep.R, *Rep.O, *Rep.P))
        structure(S);
    });
    J.attributeArray("functions", [&] { functions(); });
  });
}

} // namespace

void writeSplit(const Report &Rep, llvm::raw_ostream &OS) {
  Writer(Rep, OS).write();
  OS << '\n';
}

} // namespace graupel::stride

//===- Stride/Report/NumaWriter.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes which threads refer to which pages of which data, for tools that place
// pages:
//
// 1. addSpan() adds a span of pages to its object: the bytes of each thread on
//    each page, the thread of the earliest reference, and the page's number in
//    its block.
// 2. write() sorts the objects by traffic and writes the threads with theirs.
// 3. object() writes what identifies data (symbol, module, build-id, offset),
//    their traffic and their pages. page() writes a page as [thread, loaded,
//    stored].
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace graupel::stride {

namespace {

struct Traffic {
  uint64_t LoadBytes = 0, StoreBytes = 0;
  void add(const PageCounts &C) {
    LoadBytes += C.LoadBytes;
    StoreBytes += C.StoreBytes;
  }
  uint64_t all() const { return LoadBytes + StoreBytes; }
};

struct Page {
  std::map<uint32_t, Traffic> ByThread;
  uint64_t First = ~uint64_t(0);
  uint32_t FirstThread = 0;
  /// The number of the page in its block, if that is known.
  uint64_t InBlock = 0;
  bool InBlockIsKnown = false;
};

struct Placed {
  uint32_t Recorded = 0; ///< One of the record's objects.
  Traffic All;
  std::map<uint64_t, Page> Pages; ///< By address.
};

void addSpan(Placed &To, const PagesRecord &R, std::vector<Traffic> &Threads) {
  To.Recorded = R.Object;
  for (unsigned N = 0; N < SpanPages; ++N) {
    const PageCounts &C = R.Pages[N];
    const uint64_t Address = R.Address + N * PageBytes;
    if (!C.First)
      continue;
    Page &P = To.Pages[Address];
    P.ByThread[R.Thread].add(C);
    To.All.add(C);
    Threads[R.Thread].add(C);
    if (C.First < P.First) {
      P.First = C.First;
      P.FirstThread = R.Thread;
    }
    const uint64_t Begin = R.Block & -PageBytes;
    if (Address + PageBytes > R.Block && Address - Begin < R.BlockBytes) {
      P.InBlock = (Address - Begin) / PageBytes;
      P.InBlockIsKnown = true;
    }
  }
}

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
  void traffic(const Traffic &T) {
    count("load_bytes", T.LoadBytes);
    count("store_bytes", T.StoreBytes);
  }
  void object(uint32_t Number, const Placed &P);
  void page(uint64_t Address, const Page &P);

  const Report &Rep;
  llvm::json::OStream J;
};

void Writer::page(uint64_t Address, const Page &P) {
  J.object([&] {
    count("address", Address);
    if (P.InBlockIsKnown)
      count("block_page", P.InBlock);
    J.attribute("first", P.FirstThread);
    J.attributeArray("by", [&] {
      for (const auto &[Thread, T] : P.ByThread)
        J.array([&] {
          J.value(Thread);
          J.value(T.LoadBytes);
          J.value(T.StoreBytes);
        });
    });
  });
}

void Writer::object(uint32_t Number, const Placed &P) {
  static const char *const Kinds[] = {"global", "heap", "stack", "thread-local",
                                      "pages"};
  const NamedObject &Named = (*Rep.O)[Number];
  const ObjectRecord &Facts = Rep.R.Objects[P.Recorded].Facts;
  J.object([&] {
    text("object", Named.Name);
    text("kind", Kinds[static_cast<unsigned>(Named.Kind)]);
    if (!Named.Symbol.empty())
      text("symbol", Named.Symbol);
    if (Facts.Module != NoNumber) {
      const Module &M = Rep.R.Modules[Facts.Module];
      text("module", M.Path);
      text("build_id",
           llvm::toHex(llvm::StringRef(M.BuildId), /*LowerCase=*/true));
      count("offset",
            Named.Kind == ObjectKind::Heap ? Facts.Offset : Named.Address);
    }
    count("bytes", Named.Bytes);
    if (Named.Kind == ObjectKind::Heap)
      count("blocks", Named.Blocks);
    traffic(P.All);
    J.attributeArray("pages", [&] {
      for (const auto &[Address, Each] : P.Pages)
        page(Address, Each);
    });
  });
}

void Writer::write() {
  std::map<uint32_t, Placed> Objects;
  std::vector<Traffic> Threads(Rep.R.Threads.size());
  for (const PagesRecord &R : Rep.R.Pages)
    addSpan(Objects[Rep.O->numberOf(R.Object)], R, Threads);
  std::vector<uint32_t> Order;
  for (const auto &[Number, Placed] : Objects)
    Order.push_back(Number);
  std::stable_sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return Objects[A].All.all() > Objects[B].All.all();
  });
  J.object([&] {
    J.attribute("version", 1);
    text("program", Rep.R.Program);
    text("selection", Rep.R.Selection);
    count("page_bytes", PageBytes);
    J.attributeArray("threads", [&] {
      for (size_t N = 0; N < Threads.size(); ++N)
        J.object([&] {
          count("thread", N);
          count("system", Rep.R.Threads[N].System);
          traffic(Threads[N]);
        });
    });
    J.attributeArray("objects", [&] {
      for (uint32_t Number : Order)
        object(Number, Objects[Number]);
    });
  });
}

} // namespace

void writeNuma(const Report &Rep, llvm::raw_ostream &OS) {
  Writer(Rep, OS).write();
  OS << '\n';
}

} // namespace graupel::stride

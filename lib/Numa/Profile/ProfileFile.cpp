//===- Numa/Profile/ProfileFile.cpp - Profiles as JSON --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles of traffic as JSON, and back. Part by part:
//
// 1. Writer writes the program and how it was recorded, the bytes of each
//    thread, the objects with the uses of each page, and the phases with those
//    pages that they refer to.
// 2. Reader reads the same members. A missing number is 0 and a missing list is
//    empty, but `objects` and `threads` have to be there.
// 3. It refuses numbers of the wrong type, and threads and objects that are not
//    there. So the indices in a profile that was read are in range.
// 4. readProfile() reads the file and parses it. Each error names the command
//    that writes profiles.
//
//===----------------------------------------------------------------------===//

#include "Numa/Topology/Text.h"
#include "Recorded.h"
#include "llvm/Support/JSON.h"

using namespace graupel::numa;
using namespace llvm;

static const char *const Kinds[] = {"global", "heap", "stack", "thread-local",
                                    "pages"};
static const char *const FirstTouches[] = {"faults", "references", "guessed"};

const char *graupel::numa::nameOf(FirstTouch F) {
  return FirstTouches[unsigned(F)];
}

namespace {

class Writer {
public:
  explicit Writer(raw_ostream &OS) : J(OS) {}
  void write(const NumaProfile &P);

private:
  void page(const PageUse &P);
  void object(const DataTraffic &O);
  void phase(const PhaseTraffic &P);

  json::OStream J;
};

} // namespace

void Writer::page(const PageUse &P) {
  J.object([&] {
    J.attribute("address", P.Address);
    if (P.InBlock)
      J.attribute("block_page", *P.InBlock);
    J.attribute("first", P.First);
    J.attributeArray("by", [&] {
      for (const Use &U : P.By)
        J.array([&] {
          J.value(U.Thread);
          J.value(U.Loads);
          J.value(U.Stores);
        });
    });
  });
}

void Writer::object(const DataTraffic &O) {
  J.object([&] {
    J.attribute("object", json::fixUTF8(O.Name));
    J.attribute("kind", Kinds[O.Storage]);
    if (!O.Place.empty())
      J.attribute("place", json::fixUTF8(O.Place));
    J.attribute("bytes", O.Bytes);
    J.attribute("blocks", O.Blocks);
    J.attributeArray("pages", [&] {
      for (const PageUse &P : O.Pages)
        page(P);
    });
  });
}

void Writer::phase(const PhaseTraffic &P) {
  J.object([&] {
    J.attribute("begin_ms", P.Begin);
    J.attribute("end_ms", P.End);
    if (!P.Function.empty())
      J.attribute("function", json::fixUTF8(P.Function));
    J.attributeArray("objects", [&] {
      for (size_t N = 0; N < P.Pages.size(); ++N)
        if (!P.Pages[N].empty())
          J.object([&] {
            J.attribute("object", uint64_t(N));
            J.attributeArray("pages", [&] {
              for (const PageUse &Each : P.Pages[N])
                page(Each);
            });
          });
    });
  });
}

void Writer::write(const NumaProfile &P) {
  J.object([&] {
    J.attribute("version", 1);
    J.attribute("program", json::fixUTF8(P.Observed.Program));
    J.attribute("selection", json::fixUTF8(P.Selection));
    J.attribute("page_bytes", PlanPageBytes);
    J.attribute("reads_copies", P.Observed.ReadsCopies);
    J.attribute("first_touch", nameOf(P.Observed.First));
    J.attribute("local_bytes", P.Was.Local);
    J.attribute("remote_bytes", P.Was.Remote);
    J.attribute("unknown_bytes", P.Was.Unknown);
    J.attributeArray("threads", [&] {
      for (size_t N = 0; N < P.ThreadBytes.size(); ++N)
        J.object([&] {
          J.attribute("thread", uint64_t(N));
          J.attribute("bytes", P.ThreadBytes[N]);
        });
    });
    J.attributeArray("objects", [&] {
      for (const DataTraffic &O : P.Observed.Objects)
        object(O);
    });
    J.attributeArray("phases", [&] {
      for (const PhaseTraffic &Each : P.Observed.Phases)
        phase(Each);
    });
  });
}

std::string graupel::numa::profileText(const NumaProfile &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  Writer(OS).write(P);
  return Text + "\n";
}

//===--- Reading ----------------------------------------------------------===//

namespace {

/// Anything that is not as it should be sets `Good` to false.
class Reader {
public:
  bool read(const json::Object &Top, NumaProfile &To);

private:
  uint64_t number(const json::Object &In, StringRef Name);
  std::string text(const json::Object &In, StringRef Name);
  template <class Function>
  void each(const json::Object &In, StringRef Name, Function F);
  PageUse page(const json::Object &In, unsigned Threads);
  DataTraffic object(const json::Object &In, unsigned Threads);
  PhaseTraffic phase(const json::Object &In, const Traffic &Observed);

  bool Good = true;
};

} // namespace

/// 0 if it is not there.
uint64_t Reader::number(const json::Object &In, StringRef Name) {
  const json::Value *V = In.get(Name);
  if (!V)
    return 0;
  if (auto N = V->getAsUINT64())
    return *N;
  Good = false;
  return 0;
}

std::string Reader::text(const json::Object &In, StringRef Name) {
  return In.getString(Name).value_or("").str();
}

template <class Function>
void Reader::each(const json::Object &In, StringRef Name, Function F) {
  const json::Array *List = In.getArray(Name);
  for (size_t N = 0; List && N < List->size(); ++N)
    if (const json::Object *O = (*List)[N].getAsObject())
      F(*O);
    else
      Good = false;
}

PageUse Reader::page(const json::Object &In, unsigned Threads) {
  PageUse P;
  P.Address = number(In, "address");
  if (In.get("block_page"))
    P.InBlock = number(In, "block_page");
  P.First = unsigned(number(In, "first"));
  Good &= P.First < Threads && P.InBlock.value_or(0) < uint64_t(1) << 36;
  const json::Array *By = In.getArray("by");
  for (size_t N = 0; By && N < By->size(); ++N) {
    const json::Array *Triple = (*By)[N].getAsArray();
    if (!Triple || Triple->size() != 3) {
      Good = false;
      continue;
    }
    auto Get = [&](size_t At) {
      auto Value = (*Triple)[At].getAsUINT64();
      Good &= Value.has_value();
      return Value.value_or(0);
    };
    P.By.push_back({unsigned(Get(0)), Get(1), Get(2)});
    Good &= P.By.back().Thread < Threads;
  }
  return P;
}

DataTraffic Reader::object(const json::Object &In, unsigned Threads) {
  DataTraffic D;
  D.Name = text(In, "object");
  D.Place = text(In, "place");
  std::string Kind = text(In, "kind");
  for (unsigned N = 0; N < std::size(Kinds); ++N)
    if (Kind == Kinds[N])
      D.Storage = DataTraffic::Kind(N);
  D.Bytes = number(In, "bytes");
  D.Blocks = number(In, "blocks");
  each(In, "pages",
       [&](const json::Object &P) { D.Pages.push_back(page(P, Threads)); });
  return D;
}

PhaseTraffic Reader::phase(const json::Object &In, const Traffic &Observed) {
  PhaseTraffic P;
  P.Begin = number(In, "begin_ms");
  P.End = number(In, "end_ms");
  P.Function = text(In, "function");
  P.Pages.resize(Observed.Objects.size());
  each(In, "objects", [&](const json::Object &O) {
    uint64_t Number = number(O, "object");
    if (Number >= P.Pages.size()) {
      Good = false;
      return;
    }
    each(O, "pages", [&](const json::Object &Page) {
      P.Pages[Number].push_back(page(Page, Observed.Threads));
    });
  });
  return P;
}

bool Reader::read(const json::Object &Top, NumaProfile &To) {
  To.Observed.Program = text(Top, "program");
  To.Selection = text(Top, "selection");
  To.Observed.ReadsCopies = Top.getBoolean("reads_copies").value_or(false);
  std::string First = text(Top, "first_touch");
  for (unsigned N = 0; N < std::size(FirstTouches); ++N)
    if (First == FirstTouches[N])
      To.Observed.First = FirstTouch(N);
  To.Was = {number(Top, "local_bytes"), number(Top, "remote_bytes"),
            number(Top, "unknown_bytes")};
  each(Top, "threads", [&](const json::Object &T) {
    To.ThreadBytes.push_back(number(T, "bytes"));
  });
  To.Observed.Threads = unsigned(To.ThreadBytes.size());
  each(Top, "objects", [&](const json::Object &O) {
    To.Observed.Objects.push_back(object(O, To.Observed.Threads));
  });
  each(Top, "phases", [&](const json::Object &P) {
    To.Observed.Phases.push_back(phase(P, To.Observed));
  });
  return Good && Top.getArray("objects") && Top.getArray("threads") &&
         number(Top, "version") == 1 &&
         number(Top, "page_bytes") == PlanPageBytes;
}

std::optional<std::string> graupel::numa::readProfile(const std::string &File,
                                                      NumaProfile &To) {
  static const char Advice[] = "; name what `graupel numa profile` wrote";
  auto Text = readFile(File);
  if (!Text)
    return File + ": cannot be read" + Advice;
  Expected<json::Value> V = json::parse(*Text);
  if (!V)
    return File + ": is no JSON (" + toString(V.takeError()) + ")" + Advice;
  const json::Object *Top = V->getAsObject();
  if (!Top || !Reader().read(*Top, To))
    return File + ": is no profile of traffic" + Advice;
  return std::nullopt;
}

//===- Dsm/Job/NodeFile.cpp - A node's file for the report ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NodeFile::parse turns the JSON text of one node into a NodeFile, or says what
// is wrong with it:
//
// 1. Replace bytes that are no UTF-8. Refuse brackets nested more than 32 deep,
//    since LLVM's parser is recursive. Then parse the text.
// 2. Refuse another format, and any version but 2 (Parser::parse).
// 3. Read single values (head), arrays row by row (lists) and the numbers of
//    entries left out (leftOut). A Row takes its values in order and is good
//    only if each is there, has the right type and fits, and none is left over.
// 4. If all was there, check numbers that are used as indices or sizes: node,
//    module, place, allocation, event and receiver (check).
// 5. Only the first problem is kept, and becomes the error.
//
//===----------------------------------------------------------------------===//

#include "NodeFile.h"
#include "Environment/Output/Shown.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "JSON/Parse.h"
#include <limits>
#include <optional>

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

static constexpr StringLiteral CauseNames[] = {
    "cold",         "true sharing", "false sharing", "unchanged",
    "not compared", "upgrade",      "false match",   "already valid"};
static_assert(std::size(CauseNames) == Causes);

/// Ten years.
static constexpr double MostSeconds = 3.2e8;
/// The block sizes that gdsm_alloc allows.
static constexpr uint64_t LeastBlock = 32, MostBlock = 4096;

StringRef graupel::dsm::causeName(Cause C) { return CauseNames[size_t(C)]; }

namespace {

/// Takes values from an array in order, and remembers if one was not there.
class Row {
public:
  explicit Row(const json::Array *A) : Values(A), Good(A != nullptr) {}

  template <class T> void number(T &To) {
    std::optional<int64_t> V;
    if (const json::Value *Next = take())
      V = Next->getAsInteger();
    if (!V || (std::is_unsigned_v<T> && *V < 0) || !fits<T>(*V))
      return fail();
    To = static_cast<T>(*V);
  }
  void string(std::string &To) {
    std::optional<StringRef> V;
    if (const json::Value *Next = take())
      V = Next->getAsString();
    if (!V)
      return fail();
    To = V->str();
  }
  void access(bool &Store) {
    std::string Name;
    string(Name);
    if (Name != "load" && Name != "store")
      return fail();
    Store = Name == "store";
  }
  void cause(Cause &To) {
    std::string Name;
    string(Name);
    for (unsigned I = 0; I < Causes; ++I)
      if (Name == CauseNames[I]) {
        To = Cause(I);
        return;
      }
    fail();
  }
  const json::Array *array() {
    const json::Value *Next = take();
    const json::Array *A = Next ? Next->getAsArray() : nullptr;
    if (!A)
      fail();
    return A;
  }
  void flag(bool &To) {
    unsigned Value = 0;
    number(Value);
    if (Value > 1)
      return fail();
    To = Value;
  }
  template <class T> void numbers(std::vector<T> &To) {
    Row Inner(array());
    while (Inner.Good && Inner.At != Inner.Values->size())
      Inner.number(To.emplace_back());
    if (!Inner.Good)
      fail();
  }
  void buckets(std::vector<Bucket> &To);
  /// All has been taken, and was right.
  bool good() const { return Good && At == Values->size(); }

private:
  template <class T> static bool fits(int64_t V) {
    return sizeof(T) == 8 || (V >= int64_t(std::numeric_limits<T>::min()) &&
                              V <= int64_t(std::numeric_limits<T>::max()));
  }
  const json::Value *take() {
    return Good && At < Values->size() ? &(*Values)[At++] : nullptr;
  }
  void fail() { Good = false; }

  const json::Array *Values;
  size_t At = 0;
  bool Good;
};

void Row::buckets(std::vector<Bucket> &To) {
  const json::Array *All = array();
  for (size_t I = 0; All && I < All->size(); ++I) {
    Row R((*All)[I].getAsArray());
    Bucket B{};
    R.number(B.Least);
    R.number(B.End);
    R.number(B.Count);
    if (!R.good() || B.End < B.Least)
      return fail();
    To.push_back(B);
  }
}

class Parser {
public:
  Parser(const json::Object &O, StringRef Name) : O(O), Name(Name) {}

  Expected<NodeFile> parse();

private:
  void head(NodeFile &);
  void lists(NodeFile &);
  void leftOut(NodeFile &);
  void check(const NodeFile &);

  Error wrong(const Twine &Reason) const {
    return createStringError(Name + ": " + Reason +
                             "; it is no file of this version of Graupel, or "
                             "it was changed");
  }
  void problem(const Twine &Message) {
    if (Problem.empty())
      Problem = Message.str();
  }
  template <class T> void integer(StringRef Key, T &To) {
    if (std::optional<int64_t> V = O.getInteger(Key))
      To = static_cast<T>(*V);
    else
      problem("`" + Key + "` is missing");
  }
  void text(StringRef Key, std::string &To) {
    if (std::optional<StringRef> V = O.getString(Key))
      To = V->str();
    else
      problem("`" + Key + "` is missing");
  }
  /// Calls Fill(Row &, Item &) for each element of the array \p Key.
  template <class Item, class F>
  void list(StringRef Key, std::vector<Item> &To, F Fill) {
    const json::Array *A = O.getArray(Key);
    if (!A)
      return problem("`" + Key + "` is missing");
    for (size_t I = 0; I < A->size(); ++I) {
      Row R((*A)[I].getAsArray());
      Item New{};
      Fill(R, New);
      if (!R.good())
        return problem("element " + Twine(I) + " of `" + Key +
                       "` makes no sense");
      To.push_back(std::move(New));
    }
  }

  const json::Object &O;
  StringRef Name;
  std::string Problem;
};

void Parser::head(NodeFile &N) {
  integer("node", N.Node);
  integer("nodes", N.Nodes);
  integer("threads", N.Threads);
  integer("first parallel", N.FirstParallel);
  integer("halvings", N.Halvings);
  text("host", N.Host);
  text("error", N.Error);
  N.Host = output::shown(N.Host);
  N.Error = output::shown(N.Error);
  if (std::optional<double> Seconds = O.getNumber("seconds"))
    N.Seconds = *Seconds;
  else
    problem("`seconds` is missing");
  if (!(N.Seconds >= 0 && N.Seconds <= MostSeconds))
    problem("a run of so many seconds cannot be");
}

void Parser::lists(NodeFile &N) {
  list("modules", N.Modules, [](Row &R, CodeModule &M) {
    R.string(M.Path);
    R.string(M.BuildId);
  });
  list("places", N.Places, [](Row &R, CodePlace &P) {
    R.number(P.Module);
    R.number(P.Offset);
  });
  list("allocations", N.Allocations, [](Row &R, NodeFile::Allocation &A) {
    R.number(A.Address);
    R.number(A.Bytes);
    R.number(A.Block);
    R.number(A.Home);
    R.number(A.Place);
    R.numbers(A.Callers);
  });
  list("misses", N.Misses, [](Row &R, NodeFile::Miss &M) {
    R.number(M.Place);
    R.access(M.Store);
    R.cause(M.Why);
    R.number(M.Address);
    R.number(M.Bytes);
    R.number(M.Count);
    R.number(M.Nanoseconds);
    R.number(M.Home);
  });
  list("times", N.TimesOfMisses, [](Row &R, NodeFile::Times &T) {
    R.number(T.Place);
    R.access(T.Store);
    R.cause(T.Why);
    R.buckets(T.Buckets);
  });
  list("blocks", N.Blocks, [](Row &R, NodeFile::Block &B) {
    R.number(B.Address);
    R.number(B.Bytes);
    R.number(B.Lost);
    R.number(B.Sequential);
    Row Sizes(R.array());
    for (uint64_t &Count : B.ApartAt)
      Sizes.number(Count);
    if (!Sizes.good())
      R = Row(nullptr);
  });
  list("events", N.Events, [](Row &R, NodeFile::Event &E) {
    R.number(E.Time);
    R.number(E.Epoch);
    R.number(E.Place);
    R.number(E.Address);
    R.number(E.Bytes);
    R.number(E.Home);
    R.flag(E.Store);
    R.flag(E.Alone);
  });
  list("polls", N.Polls, [](Row &R, Bucket &B) {
    R.number(B.Least);
    R.number(B.End);
    R.number(B.Count);
    if (B.End < B.Least)
      R = Row(nullptr);
  });
  list("messages", N.Sent, [](Row &R, NodeFile::Messages &M) {
    R.string(M.Type);
    M.Type = output::shown(M.Type);
    R.number(M.To);
    R.number(M.Count);
    R.number(M.Bytes);
  });
}

void Parser::leftOut(NodeFile &N) {
  const json::Object *L = O.getObject("left out");
  if (!L)
    return problem("`left out` is missing");
  N.MissesLeftOut = L->getInteger("misses").value_or(0);
  N.BlocksLeftOut = L->getInteger("blocks").value_or(0);
  N.AllocationsLeftOut = L->getInteger("allocations").value_or(0);
  N.PlacesLeftOut = L->getInteger("places").value_or(0);
}

/// Numbers that are used as such.
void Parser::check(const NodeFile &N) {
  if (N.Nodes < 1 || N.Nodes > 64 || N.Node < 0 || N.Node >= N.Nodes ||
      N.Threads < 1)
    problem(formatv("node {0} of {1} with {2} threads cannot be", N.Node,
                    N.Nodes, N.Threads));
  for (const CodePlace &P : N.Places)
    if (P.Module < -1 || P.Module >= int(N.Modules.size()))
      problem(formatv("a place is in module {0} of {1}", P.Module,
                      N.Modules.size()));
  auto Place = [&](unsigned Number) {
    if (Number >= N.Places.size())
      problem(formatv("place {0} of {1} is named", Number, N.Places.size()));
  };
  for (const NodeFile::Allocation &A : N.Allocations) {
    Place(A.Place);
    for (unsigned Caller : A.Callers)
      Place(Caller);
    if (!A.Bytes || A.Address + A.Bytes < A.Address ||
        !has_single_bit(A.Block) || A.Block < LeastBlock || A.Block > MostBlock)
      problem("an allocation makes no sense");
  }
  for (const NodeFile::Miss &M : N.Misses)
    Place(M.Place);
  for (const NodeFile::Times &T : N.TimesOfMisses)
    Place(T.Place);
  for (const NodeFile::Event &E : N.Events) {
    Place(E.Place);
    if (!E.Bytes || E.Bytes > 4096 || E.Home < -1 || E.Home >= N.Nodes)
      problem("an event makes no sense");
  }
  if (N.Halvings > 24)
    problem("the log was halved too often");
  for (const NodeFile::Messages &M : N.Sent)
    if (M.To < 0 || M.To >= N.Nodes)
      problem(formatv("node {0} of {1} got messages", M.To, N.Nodes));
}

Expected<NodeFile> Parser::parse() {
  if (O.getString("format") != StringRef("graupel dsm report"))
    return createStringError(Name + ": this is no file of a node's report");
  std::optional<int64_t> Version = O.getInteger("version");
  if (Version != 2)
    return createStringError(
        Name + ": the format is version " +
        (Version ? std::to_string(*Version) : std::string("unknown")) +
        ", and this program reads version 2; use the one that the program "
        "was run with");
  NodeFile N;
  head(N);
  lists(N);
  leftOut(N);
  if (Problem.empty())
    check(N);
  if (!Problem.empty())
    return wrong(Problem);
  return N;
}

} // namespace

Expected<NodeFile> NodeFile::parse(StringRef Text, StringRef Name) {
  // Paths may be no UTF-8.
  std::string Fixed;
  if (!json::isUTF8(Text)) {
    Fixed = json::fixUTF8(Text);
    Text = Fixed;
  }
  Expected<json::Value> V = parseJSON(Text);
  if (!V)
    return createStringError(Name + ": damaged or cut off (" +
                             toString(V.takeError()) + ")");
  const json::Object *O = V->getAsObject();
  if (!O)
    return createStringError(Name + ": this is no file of a node's report");
  return Parser(*O, Name).parse();
}

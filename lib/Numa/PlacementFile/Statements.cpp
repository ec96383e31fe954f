//===- Numa/PlacementFile/Statements.cpp - Reads placement files ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads placement files; the grammar of each statement stands at its function.
//
// 1. readStatements joins lines that end in a backslash, and cuts comments off.
//    A comment with OriginalMark is kept as the statement's text.
// 2. expand replaces variables.
// 3. Reader::statement splits the line into words, and calls the function for
//    the first one. Words that are left over are an error.
// 4. memories, run and place each add a statement. distribute adds one for each
//    thread. at reads a function, then as place.
// 5. how reads a policy, home and homes read nodes or memories, readPlace a
//    name or resolved addresses. textOf writes the latter.
//
//===----------------------------------------------------------------------===//

#include "Statements.h"
#include "Numa/Topology/Text.h"
#include <algorithm>
#include <charconv>

using namespace graupel::numa;

namespace {
using ErrorText = std::optional<std::string>;
using Variables = std::optional<std::string> (*)(const std::string &);

std::string quoted(std::string_view Text) {
  return "`" + std::string(Text) + "`";
}

/// The words of one statement, taken from the front.
class Words {
public:
  explicit Words(std::string_view Line) : All(wordsOf(Line)) {}
  bool done() const { return At == All.size(); }
  std::string_view peek() const { return done() ? "" : All[At]; }
  std::string_view next() { return done() ? "" : All[At++]; }
  bool take(std::string_view Word) {
    bool Matches = !done() && All[At] == Word;
    At += Matches;
    return Matches;
  }
  ErrorText expect(std::string_view Word) {
    if (take(Word))
      return std::nullopt;
    return "there should be " + quoted(Word) +
           (done() ? " at the end" : " instead of " + quoted(peek()));
  }
  ErrorText number(const char *Subject, unsigned &To) {
    auto Value = parseNumber(peek());
    if (!Value || *Value > 1000000)
      return std::string(Subject) + " is missing" +
             (done() ? "" : "; there is " + quoted(peek()));
    To = unsigned(*Value);
    ++At;
    return std::nullopt;
  }
  ErrorText list(const char *Subject, std::vector<unsigned> &To) {
    auto Numbers = done() ? std::nullopt : parseList(peek());
    if (!Numbers || Numbers->empty())
      return std::string(Subject) + " are missing; write as 0-3,6";
    To = *Numbers;
    ++At;
    return std::nullopt;
  }
  ErrorText bytes(const char *Subject, uint64_t &To) {
    auto Value = parseBytes(peek());
    if (!Value || !*Value)
      return std::string(Subject) + " is missing; write as 64K or 2M";
    To = *Value;
    ++At;
    return std::nullopt;
  }

private:
  std::vector<std::string_view> All;
  size_t At = 0;
};

class Reader {
public:
  explicit Reader(std::vector<Statement> &To) : To(To) {}
  ErrorText statement(std::string_view Text, unsigned Line,
                      const std::string &Original);

private:
  ErrorText memories(Words &W, Statement &S);
  ErrorText run(Words &W, Statement &S);
  ErrorText distribute(Words &W, Statement &S);
  ErrorText place(Words &W, Statement &S);
  ErrorText at(Words &W, Statement &S);
  ErrorText readRule(Words &W, PlacementRule &Rule);
  ErrorText home(Words &W, Home &To);
  ErrorText homes(Words &W, std::vector<Home> &To);

  std::vector<Statement> &To;
};
} // namespace

/// "@MODULE:1a0-1b4,200-208"
static ErrorText readPlace(std::string_view Text, Place &To) {
  if (Text.empty())
    return "the name is missing";
  if (Text[0] != '@') {
    To.Name = Text;
    return std::nullopt;
  }
  size_t Colon = Text.rfind(':');
  To.Module = Text.substr(1, Colon == Text.npos ? Colon : Colon - 1);
  std::string_view Rest = Colon == Text.npos ? "" : Text.substr(Colon + 1);
  while (!Rest.empty()) {
    size_t Comma = std::min(Rest.find(','), Rest.size());
    std::pair<uint64_t, uint64_t> Range;
    const char *End = Rest.data() + Comma;
    auto First = std::from_chars(Rest.data(), End, Range.first, 16);
    if (First.ec != std::errc() || First.ptr == End || *First.ptr != '-')
      break;
    auto Second = std::from_chars(First.ptr + 1, End, Range.second, 16);
    if (Second.ec != std::errc() || Second.ptr != End ||
        Range.second <= Range.first)
      break;
    To.Ranges.push_back(Range);
    Rest.remove_prefix(std::min(Comma + 1, Rest.size()));
  }
  if (To.Ranges.empty() || !Rest.empty())
    return quoted(Text) + " is no place; write as @MODULE:1a0-1b4";
  return std::nullopt;
}

std::string graupel::numa::textOf(const Place &P) {
  std::string Text = "@" + P.Module;
  char Separator = ':';
  for (auto [From, To] : P.Ranges) {
    char Buffer[40];
    char *End = std::to_chars(Buffer, Buffer + 16, From, 16).ptr;
    *End++ = '-';
    End = std::to_chars(End, End + 16, To, 16).ptr;
    Text += Separator;
    Text.append(Buffer, size_t(End - Buffer));
    Separator = ',';
  }
  return Text;
}

ErrorText Reader::home(Words &W, Home &To) {
  To.IsMemory = W.take("memory");
  if (!To.IsMemory)
    if (ErrorText Error = W.expect("node"))
      return *Error + "; say node N or memory N";
  return W.number("its number", To.Number);
}

/// "nodes 0-3" or "memories 0-3"
ErrorText Reader::homes(Words &W, std::vector<Home> &To) {
  bool IsMemory = W.take("memories");
  if (!IsMemory)
    if (ErrorText Error = W.expect("nodes"))
      return *Error + "; say nodes LIST or memories LIST";
  std::vector<unsigned> Numbers;
  if (ErrorText Error = W.list("numbers", Numbers))
    return Error;
  for (unsigned N : Numbers)
    To.push_back({IsMemory, N});
  return std::nullopt;
}

/// memories N [size BYTES] [radius R] [in topology free|cube|physical LIST]
/// [near DEVICE]... [mandatory]
ErrorText Reader::memories(Words &W, Statement &S) {
  S.Kind = Statement::Memories;
  for (const Statement &Other : To)
    if (Other.Kind == Statement::Memories)
      return "memories have been made in line " + std::to_string(Other.Line);
  if (ErrorText Error = W.number("how many", S.Count))
    return Error;
  if (S.Count < 1 || S.Count > 64)
    return "there can be 1 to 64";
  while (!W.done()) {
    ErrorText Error;
    if (W.take("size")) {
      Error = W.bytes("a size", S.Bytes);
    } else if (W.take("radius")) {
      Error = W.number("the radius", S.Radius);
    } else if (W.take("in")) {
      Error = W.expect("topology");
      if (!Error && W.take("physical"))
        Error = W.list("the nodes", S.Nodes);
      else if (!Error && !(S.Cube = W.take("cube")) && !W.take("free"))
        Error = quoted(W.peek()) + " is no topology; there are free, cube, "
                                   "physical LIST";
      if (!Error && !S.Nodes.empty() && S.Nodes.size() != S.Count)
        Error = "there are " + std::to_string(S.Nodes.size()) + " nodes for " +
                std::to_string(S.Count) + " memories";
    } else if (W.take("near")) {
      S.Near.emplace_back(W.next());
    } else if (W.take("mandatory")) {
      S.Mandatory = true;
    } else {
      Error = quoted(W.peek()) + " is not understood; memories have size, "
                                 "radius, in topology, near, mandatory";
    }
    if (Error)
      return Error;
  }
  To.push_back(S);
  return std::nullopt;
}

/// run thread I on HOME [pinned]
ErrorText Reader::run(Words &W, Statement &S) {
  S.Kind = Statement::Run;
  if (ErrorText Error = W.expect("thread"))
    return Error;
  if (ErrorText Error = W.number("the thread's number", S.Thread))
    return Error;
  if (ErrorText Error = W.expect("on"))
    return Error;
  if (ErrorText Error = home(W, S.Where))
    return Error;
  S.Pinned = W.take("pinned");
  To.push_back(S);
  return std::nullopt;
}

/// distribute threads LIST across HOMES [block|cyclic] [pinned]
ErrorText Reader::distribute(Words &W, Statement &S) {
  S.Kind = Statement::Run;
  std::vector<unsigned> Threads;
  std::vector<Home> Over;
  if (ErrorText Error = W.expect("threads"))
    return Error;
  if (ErrorText Error = W.list("the threads' numbers", Threads))
    return Error;
  if (ErrorText Error = W.expect("across"))
    return Error;
  if (ErrorText Error = homes(W, Over))
    return Error;
  bool Cyclic = W.take("cyclic");
  if (!Cyclic)
    W.take("block");
  S.Pinned = W.take("pinned");
  for (size_t N = 0; N < Threads.size(); ++N) {
    S.Thread = Threads[N];
    S.Where = Over[Cyclic ? N % Over.size() : N * Over.size() / Threads.size()];
    To.push_back(S);
  }
  return std::nullopt;
}

/// first-touch | on HOME [mandatory] | interleave [over HOMES]
/// | round-robin [over HOMES] [weights LIST] [unit BYTES] | block [over HOMES]
/// | replicate | next-touch
ErrorText Reader::readRule(Words &W, PlacementRule &Rule) {
  if (W.take("first-touch"))
    return std::nullopt;
  if (W.take("on")) {
    Rule.Kind = PlacementRule::On;
    Rule.Homes.emplace_back();
    ErrorText Error = home(W, Rule.Homes[0]);
    Rule.Mandatory = !Error && W.take("mandatory");
    return Error;
  }
  if (W.take("interleave"))
    Rule.Kind = PlacementRule::Interleave;
  else if (W.take("round-robin"))
    Rule.Kind = PlacementRule::RoundRobin;
  else if (W.take("block"))
    Rule.Kind = PlacementRule::Block;
  else if (W.take("replicate"))
    Rule.Kind = PlacementRule::Replicate;
  else if (W.take("next-touch"))
    Rule.Kind = PlacementRule::NextTouch;
  else
    return (W.done() ? "it does not say how"
                     : quoted(W.peek()) + " is no policy") +
           "; there are first-touch, on, interleave, round-robin, block, "
           "replicate, next-touch";
  if (Rule.Kind == PlacementRule::Replicate ||
      Rule.Kind == PlacementRule::NextTouch)
    return std::nullopt;
  if (W.take("over"))
    if (ErrorText Error = homes(W, Rule.Homes))
      return Error;
  if (Rule.Kind != PlacementRule::RoundRobin)
    return std::nullopt;
  if (W.take("weights")) {
    if (ErrorText Error = W.list("the weights", Rule.Weights))
      return Error;
    if (Rule.Weights.size() != Rule.Homes.size())
      return "there are " + std::to_string(Rule.Weights.size()) +
             " weights for " + std::to_string(Rule.Homes.size()) +
             " nodes; say `over nodes LIST` and as many weights";
  }
  return W.take("unit") ? W.bytes("the unit", Rule.Unit) : std::nullopt;
}

/// place heap SITE HOW | place global NAME HOW | place data HOW
/// | place default HOW
ErrorText Reader::place(Words &W, Statement &S) {
  bool Named = true;
  if (W.take("heap"))
    S.Kind = Statement::PlaceHeap;
  else if (W.take("global"))
    S.Kind = Statement::PlaceGlobal;
  else if (W.take("data"))
    S.Kind = Statement::PlaceData, Named = false;
  else if (W.take("default"))
    S.Kind = Statement::PlaceDefault, Named = false;
  else
    return quoted(W.peek()) +
           " cannot be placed; there are heap, global, data, default";
  if (Named)
    if (ErrorText Error = readPlace(W.next(), S.Target))
      return Error;
  if (ErrorText Error = readRule(W, S.Rule))
    return Error;
  if (S.Rule.Kind == PlacementRule::Replicate && (!Named || S.When))
    return "only heap and global can be replicated, from the start";
  if (S.Rule.Kind == PlacementRule::NextTouch && !S.When)
    return "it does not say when; write as `at FUNCTION place heap main.c:31 "
           "next-touch`";
  To.push_back(S);
  return std::nullopt;
}

/// at FUNCTION place heap|global NAME HOW
ErrorText Reader::at(Words &W, Statement &S) {
  S.When.emplace();
  if (ErrorText Error = readPlace(W.next(), *S.When))
    return Error;
  if (ErrorText Error = W.expect("place"))
    return Error;
  if (W.peek() != "heap" && W.peek() != "global")
    return quoted(W.peek()) + " cannot be placed later; heap and global can";
  return place(W, S);
}

ErrorText Reader::statement(std::string_view Text, unsigned Line,
                            const std::string &Original) {
  Words W(Text);
  if (W.done())
    return std::nullopt;
  Statement S = {};
  S.Line = Line;
  std::string_view Trimmed = Text.substr(0, Text.find_last_not_of(" \t\r") + 1);
  S.Text = Original.empty() ? std::string(Trimmed) : Original;
  ErrorText Error;
  if (W.take("memories"))
    Error = memories(W, S);
  else if (W.take("run"))
    Error = run(W, S);
  else if (W.take("distribute"))
    Error = distribute(W, S);
  else if (W.take("place"))
    Error = place(W, S);
  else if (W.take("at"))
    Error = at(W, S);
  else
    return quoted(W.peek()) + " is no statement; there are memories, run, "
                              "distribute, place, at";
  if (!Error && !W.done())
    Error = quoted(W.peek()) + " is too much";
  return Error;
}

/// $NAME and ${NAME}
static ErrorText expand(std::string_view Text, Variables Variable,
                        std::string &To) {
  auto IsName = [](char C) {
    return C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
           (C >= 'A' && C <= 'Z');
  };
  for (size_t At = 0; At < Text.size(); ++At) {
    if (Text[At] != '$') {
      To += Text[At];
      continue;
    }
    bool Braces = At + 1 < Text.size() && Text[At + 1] == '{';
    size_t Start = At + 1 + Braces, End = Start;
    while (End < Text.size() && IsName(Text[End]))
      ++End;
    std::string Name(Text.substr(Start, End - Start));
    auto Value = Name.empty() ? std::nullopt : Variable(Name);
    if (!Value)
      return "there is no variable " + quoted("$" + Name);
    if (Braces && (End == Text.size() || Text[End] != '}'))
      return quoted("${" + Name) + " has no }";
    To += *Value;
    At = End - 1 + Braces;
  }
  return std::nullopt;
}

ErrorText graupel::numa::readStatements(std::string_view Text,
                                        Variables Variable,
                                        std::vector<Statement> &To) {
  Reader R(To);
  for (unsigned Line = 1; !Text.empty();) {
    unsigned First = Line;
    std::string Whole, Original;
    for (bool More = true; More && !Text.empty(); ++Line) {
      size_t End = std::min(Text.find('\n'), Text.size());
      std::string_view Part = Text.substr(0, End);
      Text.remove_prefix(std::min(End + 1, Text.size()));
      size_t Comment = std::min(Part.find('#'), Part.size());
      if (Part.substr(Comment).starts_with(OriginalMark))
        Original = Part.substr(Comment + OriginalMark.size());
      Part = Part.substr(0, Comment);
      More = Part.ends_with('\\');
      if (More)
        Part.remove_suffix(1);
      Whole += Part;
    }
    std::string Expanded;
    ErrorText Error = expand(Whole, Variable, Expanded);
    if (!Error)
      Error = R.statement(Expanded, First, Original);
    if (Error)
      return "line " + std::to_string(First) + ": " + *Error;
  }
  return std::nullopt;
}

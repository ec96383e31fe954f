// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// driver FILE ROUNDS: reads the documents of FILE, which lines of `%%` separate. Each is parsed
// into nodes, its numbers are added up, a copy is changed and written, and the events of a second
// parse are counted. Prints checksums, and what exceptions said.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

uint64_t hashOf(const std::string &Text) {
  uint64_t Value = 1469598103934665603u;
  for (unsigned char C : Text)
    Value = (Value ^ C) * 1099511628211u;
  return Value;
}

// Counts what a parser reports.
class Counter : public YAML::EventHandler {
public:
  using Style = YAML::EmitterStyle::value;
  void OnDocumentStart(const YAML::Mark &) override { ++Documents; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override { ++Nulls; }
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override { ++Aliases; }
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t,
                const std::string &Value) override {
    ++Scalars;
    Length += Value.size();
  }
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, Style) override {
    ++Collections;
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, Style) override {
    ++Collections;
  }
  void OnMapEnd() override {}

  size_t Documents = 0, Nulls = 0, Aliases = 0, Scalars = 0, Collections = 0, Length = 0;
};

struct Totals {
  double Numbers = 0;
  size_t Failed = 0, Nodes = 0, Broken = 0;
  uint64_t Written = 0;
  std::string Message;
};

// Sums the numbers of a document; what is no number is an exception.
void add(const YAML::Node &Node, Totals &Sum) {
  ++Sum.Nodes;
  switch (Node.Type()) {
  case YAML::NodeType::Sequence:
    for (const YAML::Node &Child : Node)
      add(Child, Sum);
    break;
  case YAML::NodeType::Map:
    for (const auto &Pair : Node) {
      add(Pair.first, Sum);
      add(Pair.second, Sum);
    }
    break;
  case YAML::NodeType::Scalar:
    // Only some are tried: the rest of the run should not drown in unwinding.
    if (Sum.Nodes % 8 != 0)
      break;
    try {
      Sum.Numbers += Node.as<double>();
    } catch (const YAML::BadConversion &) {
      ++Sum.Failed;
    }
    break;
  default:
    break;
  }
}

void process(const std::string &Text, Totals &Sum, Counter &Events) {
  try {
    YAML::Node Document = YAML::Load(Text);
    add(Document, Sum);
    YAML::Node Copy = YAML::Clone(Document);
    Copy["checked"] = Sum.Nodes;
    if (Copy["spec"])
      Copy["spec"]["timeout"] = 7;
    YAML::Emitter Out;
    Out << Copy;
    Sum.Written = Sum.Written * 31 + hashOf(Out.c_str());
    std::istringstream Again(Text);
    YAML::Parser Parser(Again);
    while (Parser.HandleNextDocument(Events)) {
    }
  } catch (const YAML::Exception &Error) {
    ++Sum.Broken;
    Sum.Message = Error.what();
  }
}

std::vector<std::string> read(const char *Path) {
  std::vector<std::string> Documents(1);
  std::ifstream File(Path);
  for (std::string Line; std::getline(File, Line);) {
    if (Line == "%%")
      Documents.emplace_back();
    else
      Documents.back() += Line + '\n';
  }
  return Documents;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
  std::vector<std::string> Documents = read(Argv[1]);
  for (int Round = std::atoi(Argv[2]); Round > 0; --Round) {
    Totals Sum;
    Counter Events;
    for (const std::string &Text : Documents)
      process(Text, Sum, Events);
    std::printf("%.4f %zu %zu %zu %016llx %s\n", Sum.Numbers, Sum.Nodes, Sum.Failed, Sum.Broken,
                static_cast<unsigned long long>(Sum.Written), Sum.Message.c_str());
    std::printf("%zu %zu %zu %zu %zu %zu\n", Events.Documents, Events.Nulls, Events.Aliases,
                Events.Scalars, Events.Collections, Events.Length);
  }
  return 0;
}

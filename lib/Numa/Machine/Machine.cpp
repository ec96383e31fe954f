//===- Numa/Machine/Machine.cpp - The machine a command is about ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Numa/Topology/Text.h"
#include "llvm/Support/JSON.h"
#include <sys/stat.h>

using namespace graupel::numa;

static ErrorText readSpec(const std::string &Spec, Topology &T) {
  if (Spec.empty())
    return readHwloc(T);
  if (Spec == "sysfs")
    return readSysfs("/sys", T);
  if (Spec.starts_with("sysfs:"))
    return readSysfs(Spec.substr(6), T);
  struct stat Status;
  if (stat(Spec.c_str(), &Status) != 0)
    return readHwlocSynthetic(Spec, T);
  auto Text = readFile(Spec);
  if (!Text)
    return Spec + ": cannot be read";
  size_t Start = Text->find_first_not_of(" \t\r\n");
  if (Start != Text->npos && (*Text)[Start] == '<')
    return readHwlocXML(Spec, T);
  if (ErrorText Error = readDescription(*Text, T))
    return Spec + ": " + *Error;
  T.Source = "description " + Spec;
  return std::nullopt;
}

/// Rows are [node, value to the first, ...], columns ["node", number, ...].
static ErrorText readTable(const llvm::json::Object &Table, const Topology &T,
                           std::optional<Matrix> &Into) {
  auto *Columns = Table.getArray("columns");
  auto *Rows = Table.getArray("rows");
  if (!Columns || !Rows)
    return "a table has no columns or rows";
  Matrix M(unsigned(T.Nodes.size()));
  size_t Values = 0;
  for (const llvm::json::Value &V : *Rows) {
    auto *Row = V.getAsArray();
    if (!Row || Row->size() != Columns->size() || Row->empty())
      return "a row is not as long as the columns";
    auto FromId = (*Row)[0].getAsInteger();
    auto From =
        FromId ? T.indexOfNode(unsigned(*FromId)) : std::optional<unsigned>();
    for (size_t C = 1; From && C < Row->size(); ++C) {
      auto ToId = parseNumber((*Columns)[C].getAsString().value_or("").str());
      auto To =
          ToId ? T.indexOfNode(unsigned(*ToId)) : std::optional<unsigned>();
      auto Value = (*Row)[C].getAsNumber();
      if (!To || !Value || *Value <= 0)
        return "a row has a value that is none";
      M.set(*From, *To, *Value);
      ++Values;
    }
  }
  // Nobody can measure from a node without processors.
  size_t Measuring = 0;
  for (unsigned N = 0; N < T.Nodes.size(); ++N)
    Measuring += !T.processorsOf(N).empty();
  if (Values != Measuring * T.Nodes.size())
    return "it was measured on a machine with other nodes";
  Into = std::move(M);
  return std::nullopt;
}

static ErrorText readMeasured(const std::string &File, Topology &T) {
  auto Text = readFile(File);
  if (!Text)
    return File + ": cannot be read; docs/numa.md says what is in it";
  llvm::Expected<llvm::json::Value> V = llvm::json::parse(*Text);
  if (!V)
    return File + ": is no JSON (" + llvm::toString(V.takeError()) +
           "); docs/numa.md says what is in it";
  auto *Top = V->getAsObject();
  auto *Tables = Top ? Top->getArray("tables") : nullptr;
  for (size_t N = 0; Tables && N < Tables->size(); ++N) {
    auto *Table = (*Tables)[N].getAsObject();
    if (!Table || Table->getString("kind") != llvm::StringRef("measured"))
      continue;
    auto Name = Table->getString("name");
    ErrorText Error;
    if (Name == llvm::StringRef("latency by node"))
      Error = readTable(*Table, T, T.Latency);
    else if (Name == llvm::StringRef("bandwidth by node"))
      Error = readTable(*Table, T, T.Bandwidth);
    if (Error)
      return File + ": " + *Error + "; measure this machine again";
  }
  if (!T.Latency && !T.Bandwidth)
    return File + ": has no table `latency by node` or `bandwidth by node`; "
                  "docs/numa.md "
                  "says what is in it";
  return std::nullopt;
}

ErrorText graupel::numa::readMachine(const std::string &Spec,
                                     const std::string &Measurements,
                                     Topology &T) {
  if (ErrorText Error = readSpec(Spec, T))
    return Error;
  return Measurements.empty() ? std::nullopt : readMeasured(Measurements, T);
}

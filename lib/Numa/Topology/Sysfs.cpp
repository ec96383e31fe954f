//===- Numa/Topology/Sysfs.cpp - The kernel's own description -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a topology from the files of the kernel.
//
// 1. Reader::read lists the nodes that are online. A kernel without NUMA has
//    one node, with all processors.
// 2. node reads a node's memory, its performance as firmware tells it, and its
//    processors with their package and last cache.
// 3. distances reads a row for each node. It takes none if a row is missing or
//    wrong.
// 4. devices lists devices of several classes by name, if firmware gives them a
//    node that is online.
// 5. Topology::complete checks and derives the rest.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"
#include <algorithm>
#include <charconv>
#include <dirent.h>

using namespace graupel::numa;

namespace {
class Reader {
public:
  Reader(const std::string &Root, Topology &T)
      : System(Root + "/devices/system/"), Class(Root + "/class/"), T(T) {}
  ErrorText read();

private:
  std::optional<std::vector<unsigned>> list(const std::string &Path) const;
  std::optional<double> number(const std::string &Path) const;
  ErrorText node(unsigned Id);
  ErrorText processors(unsigned Node, const std::string &Path);
  void distances();
  void memory(Node &N, const std::string &Path) const;
  void devices(const char *Folder, const char *Kind);

  std::string System, Class;
  Topology &T;
};
} // namespace

std::optional<std::vector<unsigned>>
Reader::list(const std::string &Path) const {
  auto Text = readFile(System + Path);
  return Text ? parseList(*Text) : std::nullopt;
}

std::optional<double> Reader::number(const std::string &Path) const {
  auto Text = readFile(System + Path);
  if (!Text)
    return std::nullopt;
  long Value = 0;
  auto [Rest, Error] =
      std::from_chars(Text->data(), Text->data() + Text->size(), Value);
  if (Error != std::errc())
    return std::nullopt;
  return double(Value);
}

/// "Node 0 MemTotal:  1024 kB" of a node, "MemTotal: 1024 kB" of the machine.
void Reader::memory(Node &N, const std::string &Path) const {
  std::string Text = readFile(Path).value_or("");
  auto Value = [&](std::string_view Name) -> std::optional<uint64_t> {
    size_t At = Text.find(Name);
    if (At == Text.npos)
      return std::nullopt;
    auto W = wordsOf(std::string_view(Text).substr(At));
    auto KiB = W.size() > 1 ? parseNumber(W[1]) : std::nullopt;
    if (!KiB)
      return std::nullopt;
    return *KiB << 10;
  };
  N.Bytes = Value("MemTotal:").value_or(0);
  // The kernel gives up its cache of files for whoever needs memory.
  if (auto Free = Value("MemFree:"))
    N.FreeBytes = *Free + Value("Active(file):").value_or(0) +
                  Value("Inactive(file):").value_or(0);
}

ErrorText Reader::processors(unsigned Node, const std::string &Path) {
  auto Ids = list(Path);
  if (!Ids)
    return System + Path + " cannot be read; is /sys mounted?";
  for (unsigned Id : *Ids) {
    std::string Prefix = "cpu/cpu" + std::to_string(Id) + "/";
    Processor P{Id, Node};
    if (auto Package = number(Prefix + "topology/physical_package_id");
        Package && *Package >= 0)
      P.Package = unsigned(*Package);
    if (auto Shared = list(Prefix + "cache/index3/shared_cpu_list");
        Shared && !Shared->empty())
      P.Cache = Shared->front();
    T.Processors.push_back(P);
  }
  return std::nullopt;
}

ErrorText Reader::node(unsigned Id) {
  std::string Prefix = "node/node" + std::to_string(Id) + "/";
  Node N;
  N.Id = Id;
  memory(N, System + Prefix + "meminfo");
  std::string Access = Prefix + "access0/initiators/";
  N.Local = {number(Access + "read_latency"), number(Access + "write_latency"),
             number(Access + "read_bandwidth"),
             number(Access + "write_bandwidth")};
  T.Nodes.push_back(std::move(N));
  return processors(unsigned(T.Nodes.size() - 1), Prefix + "cpulist");
}

/// Each node's file has a row: a value for each node that is online.
void Reader::distances() {
  unsigned Count = unsigned(T.Nodes.size());
  Matrix Distances(Count);
  for (unsigned From = 0; From < Count; ++From) {
    std::string Path =
        System + "node/node" + std::to_string(T.Nodes[From].Id) + "/distance";
    std::string Text = readFile(Path).value_or("");
    auto Row = wordsOf(Text);
    if (Row.size() != Count)
      return;
    for (unsigned To = 0; To < Count; ++To) {
      auto Value = parseNumber(Row[To]);
      if (!Value)
        return;
      Distances.set(From, To, double(*Value));
    }
  }
  T.Firmware = std::move(Distances);
}

/// Devices that firmware assigns to no node are left out.
void Reader::devices(const char *Folder, const char *Kind) {
  std::vector<Device> Found;
  DIR *D = opendir((Class + Folder).c_str());
  if (!D)
    return;
  while (dirent *E = readdir(D)) {
    std::string Path = Class + Folder + "/" + E->d_name + "/device/numa_node";
    auto Text = readFile(Path);
    auto W = Text ? wordsOf(*Text) : std::vector<std::string_view>();
    auto Id = W.empty() ? std::nullopt : parseNumber(W[0]);
    if (auto Node = Id ? T.indexOfNode(unsigned(*Id)) : std::nullopt)
      Found.push_back({E->d_name, Kind, *Node});
  }
  closedir(D);
  std::sort(Found.begin(), Found.end(),
            [](const Device &A, const Device &B) { return A.Name < B.Name; });
  T.Devices.insert(T.Devices.end(), Found.begin(), Found.end());
}

ErrorText Reader::read() {
  if (auto Ids = list("node/online"); Ids && !Ids->empty()) {
    for (unsigned Id : *Ids)
      if (ErrorText Error = node(Id))
        return Error;
    distances();
  } else {
    Node N;
    memory(N, "/proc/meminfo");
    T.Nodes.push_back(std::move(N));
    if (ErrorText Error = processors(0, "cpu/online"))
      return Error;
  }
  devices("net", "network");
  devices("block", "block");
  devices("nvme", "block");
  devices("drm", "gpu");
  return T.complete();
}

ErrorText graupel::numa::readSysfs(const std::string &Root, Topology &T) {
  T.Source = Root == "/sys" ? "this machine (sysfs)" : "sysfs of " + Root;
  return Reader(Root, T).read();
}

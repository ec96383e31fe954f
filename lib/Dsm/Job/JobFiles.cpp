//===- Dsm/Job/JobFiles.cpp - The files of all nodes of a job -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace graupel::dsm;

/// Paths of node-K.json by K.
static Expected<std::map<unsigned, std::string>> findFiles(StringRef Folder) {
  std::map<unsigned, std::string> Files;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; !EC && I != End;
       I.increment(EC)) {
    StringRef Name = sys::path::filename(I->path());
    unsigned Node;
    if (Name.consume_front("node-") && Name.consume_back(".json") &&
        !Name.getAsInteger(10, Node))
      Files[Node] = I->path();
  }
  if (EC)
    return createStringError(Folder +
                             ": cannot read the folder: " + EC.message());
  if (Files.empty())
    return createStringError(
        Folder +
        ": there is no report (node-0.json, ...) in it; run the "
        "program with `graupel dsm run --report=" +
        Folder + "`, and let it end by itself");
  return Files;
}

static Expected<NodeFile> readFile(StringRef Path) {
  // Opening a pipe would wait for a writer.
  if (sys::fs::exists(Path) && !sys::fs::is_regular_file(Path))
    return createStringError(Path + ": this is no file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError(
        Path + ": cannot read it: " + Buffer.getError().message());
  return NodeFile::parse((*Buffer)->getBuffer(), Path);
}

static std::string list(ArrayRef<int> Numbers) {
  std::string Text;
  for (int N : Numbers)
    Text += (Text.empty() ? "" : ", ") + std::to_string(N);
  return Text;
}

static void warnOfMissing(JobFiles &Job, int Nodes) {
  std::vector<int> Missing;
  for (int I = 0; I < Nodes; ++I)
    if (none_of(Job.Nodes, [&](const NodeFile &N) { return N.Node == I; }))
      Missing.push_back(I);
  if (!Missing.empty())
    Job.Warnings.push_back(
        (Missing.size() == 1 ? "node " : "nodes ") + list(Missing) + " of " +
        std::to_string(Nodes) +
        " left no usable file; misses and allocations of theirs are not shown");
}

static void warnOfContents(JobFiles &Job) {
  uint64_t Misses = 0, Blocks = 0, Allocations = 0, Places = 0;
  for (const NodeFile &N : Job.Nodes) {
    if (!N.Error.empty())
      Job.Warnings.push_back("node " + std::to_string(N.Node) +
                             " ended early: " + N.Error);
    Misses += N.MissesLeftOut;
    Blocks += N.BlocksLeftOut;
    Allocations += N.AllocationsLeftOut;
    Places += N.PlacesLeftOut;
  }
  auto Say = [&](uint64_t Count, const char *Items) {
    if (Count)
      Job.Warnings.push_back(std::to_string(Count) + " " + Items +
                             " did not fit into the nodes' tables");
  };
  Say(Misses, "misses");
  Say(Blocks, "events of blocks");
  Say(Allocations, "allocations");
  Say(Places, "events of further places in the code");
}

Expected<JobFiles> JobFiles::read(StringRef Folder) {
  Expected<std::map<unsigned, std::string>> Files = findFiles(Folder);
  if (!Files)
    return Files.takeError();
  JobFiles Job;
  int Nodes = 0;
  for (const auto &[Number, Path] : *Files) {
    Expected<NodeFile> N = readFile(Path);
    if (!N) {
      Job.Warnings.push_back(toString(N.takeError()));
      continue;
    }
    if (N->Node != int(Number)) {
      Job.Warnings.push_back(Path + ": it is of node " +
                             std::to_string(N->Node) + "; it is left out");
      continue;
    }
    if (Nodes && N->Nodes != Nodes) {
      Job.Warnings.push_back(Path + ": it is of a job of " +
                             std::to_string(N->Nodes) +
                             " nodes, the others are of one of " +
                             std::to_string(Nodes) + "; it is left out");
      continue;
    }
    Nodes = N->Nodes;
    Job.Nodes.push_back(std::move(*N));
  }
  if (Job.Nodes.empty())
    return createStringError(join(Job.Warnings, "\n"));
  warnOfMissing(Job, Nodes);
  warnOfContents(Job);
  return Job;
}

//===- DsmRun.cpp - graupel dsm run: its options -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmRun/Job.h"
#include "Support/Command.h"
#include <charconv>
#include <cstdio>
#include <optional>

using namespace graupel;

static const char Help[] =
    R"(usage: graupel dsm run -n N [OPTIONS] PROGRAM [ARGUMENTS]

Runs PROGRAM as N processes on this host, the nodes of one job. The exit status
is the program's: 0, the first other one of a node, or 128 + the signal that
ended one. Nodes' output appears in whole lines; node 0 gets the input.

options:
  -n N                     nodes, 1 to 64
  --threads-per-node=T     threads of each node, 1 to 256 (default: 1)
  --block=BYTES            unit of coherence of allocations that name none: a power
                           of two from 32 to 4096 (default: 128)
  --check-missed           finds what code without checks accesses: tells of each place
                           once, fetches the memory and goes on
  --report=FOLDER          each node leaves there what `graupel dsm report` shows
  --help                   this text

Several hosts: start PROGRAM with mpirun or `srun --mpi=pmix`.
)";

namespace {
/// Takes options from the front of the arguments.
class OptionReader {
public:
  explicit OptionReader(const Arguments &A) : Args(A) {}

  /// What is wrong, if anything is; with what to do about it.
  std::optional<std::string> read(JobOptions &O);
  bool WantsHelp = false;

private:
  std::optional<std::string> number(const std::string &Name, unsigned Least,
                                    unsigned Most, unsigned &Value);
  bool is(const std::string &Name);

  const Arguments &Args;
  size_t At = 0;
  std::optional<std::string> Text; // the value of the option at hand
};

/// NAME VALUE, NAME=VALUE, and for short options NAMEVALUE.
bool OptionReader::is(const std::string &Name) {
  const std::string &Arg = Args[At];
  Text.reset();
  if (Arg == Name) {
    if (++At < Args.size())
      Text = Args[At++];
    return true;
  }
  bool Short = Name[1] != '-';
  if (Arg.compare(0, Name.size(), Name) != 0 ||
      (!Short && Arg[Name.size()] != '='))
    return false;
  Text = Arg.substr(Name.size() + !Short);
  ++At;
  return true;
}

std::optional<std::string> OptionReader::number(const std::string &Name,
                                                unsigned Least, unsigned Most,
                                                unsigned &Value) {
  std::string Range = std::to_string(Least) + " to " + std::to_string(Most);
  if (!Text)
    return Name + " has no value; give a number from " + Range;
  const char *End = Text->data() + Text->size();
  auto [Rest, Error] = std::from_chars(Text->data(), End, Value);
  if (Error != std::errc() || Rest != End || Value < Least || Value > Most)
    return Name + " is `" + *Text + "`; give a number from " + Range;
  return std::nullopt;
}

std::optional<std::string> OptionReader::read(JobOptions &O) {
  std::optional<std::string> Wrong;
  while (!Wrong && At < Args.size() && Args[At][0] == '-') {
    if (Args[At] == "--") {
      ++At;
      break;
    }
    if (Args[At] == "--help" || Args[At] == "-h") {
      WantsHelp = true;
      return std::nullopt;
    }
    if (is("-n")) {
      Wrong = number("-n", 1, MaxNodes, O.Nodes);
    } else if (is("--threads-per-node")) {
      Wrong =
          number("--threads-per-node", 1, MaxThreadsPerNode, O.ThreadsPerNode);
    } else if (is("--block")) {
      Wrong = number("--block", 32, 4096, O.Block);
      if (!Wrong && (O.Block & (O.Block - 1)))
        Wrong = "--block is " + *Text + "; give a power of two from 32 to 4096";
    } else if (Args[At] == "--check-missed") {
      O.CheckMissed = true;
      ++At;
    } else if (is("--report")) {
      if (!Text || Text->empty())
        Wrong = "--report has no value; give a folder";
      else
        O.Report = *Text;
    } else {
      Wrong = "there is no option `" + Args[At] +
              "`; `graupel dsm run --help` lists them, and the program's own "
              "come after its name";
    }
  }
  if (Wrong)
    return Wrong;
  if (O.Nodes == 0)
    return "the number of nodes is missing; say -n N";
  if (At == Args.size())
    return "the program is missing; it comes after the options";
  O.Program.assign(Args.begin() + long(At), Args.end());
  return std::nullopt;
}
} // namespace

int graupel::dsmRunCommand(const Arguments &A) {
  JobOptions Options;
  OptionReader Reader(A);
  if (auto Wrong = Reader.read(Options)) {
    fprintf(stderr, "graupel dsm run: error: %s\n", Wrong->c_str());
    return 1;
  }
  if (Reader.WantsHelp) {
    fputs(Help, stdout);
    return 0;
  }
  return runJob(Options);
}

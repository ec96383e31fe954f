//===- DescriptionStride.cpp - The stride commands ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include <cstdint>

using namespace graupel;

static const OptionDescription Output = {
    "-o", "FILE", "where to (default: standard output)", Completes::File};

static const char MissingRecord[] =
    "the file is missing; name what the program wrote, PROGRAM.PID.gstride";

static CommandDescription describeRecord() {
  return {
      "stride record",
      "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
      "runs a program and names the record",
      "Runs a program that was compiled with graupel-stride.cfg, and says "
      "where the record of its loads and stores is. The exit status is the "
      "program's; 128 + the signal that ended it; 127 if there is no such "
      "program, 126 if it cannot be run; 1 if it has left no record.\n\n"
      "--function, --file, --line and --object say what is recorded, and may "
      "be given several times. Of several of one sort it is any of them, of "
      "several sorts all.\n\n"
      "GRAUPEL_STRIDE says the same without this command; what it says already "
      "holds, too.",
      {{"-o", "FILE",
        "the record (default: PROGRAM.PID.gstride here). Processes that the "
        "program starts have files of their own, with their number in the name",
        Completes::File},
       numberOption("--maxel", "N", {1, 4096, Range::OneEnd},
                    "histograms a stream (default: 5)"),
       numberOption("--threshold", "BYTES", {1, 0x1p47, Range::OneEnd},
                    "of variant filtered (default: 128)"),
       {"--pass-equal", nullptr,
        "a distance that is the threshold goes on, too"},
       {"--sample", nullptr,
        "for long runs: bursts of references instead of all"},
       numberOption("--burst", "N", {1, UINT32_MAX, Range::OneEnd},
                    "the same, N references of --every on average"),
       numberOption("--every", "M", {2, 0x1p40, Range::OneEnd},
                    "how many references there is a burst in"),
       {"--cache", "[LEVELS]",
        "simulates caches: this machine's, or L1:32K:8:64/LL:8M:16:64 and so "
        "on (name:bytes:ways:line); docs/stride.md"},
       {"--pages", nullptr,
        "counts bytes by page and thread, for export --numa"},
       {"--function", "NAME", "a function, as the linker names it"},
       {"--file", "NAME", "a source file, or the end of its path",
        Completes::File},
       {"--line", "FILE:FROM-TO", "lines of one"},
       {"--object", "NAME", "data: a global, FUNCTION:VARIABLE, [stack], ..."}},
      Completes::Command,
      {1, 1}};
}

static CommandDescription describeReport() {
  return {
      "stride report",
      "[OPTIONS] FILE...",
      "shows which strides a program's loads and stores make",
      "Shows the strides of the loads and stores that a program has executed: "
      "issues, worst first, then each data object. FILE is what a program "
      "compiled with graupel-stride.cfg has written: $GRAUPEL_STRIDE_OUT, or "
      "PROGRAM.PID.gstride. The files of several processes of one program are "
      "added up.\n\n"
      "How to read histograms: Do the strides match what the source says? If "
      "not, what did the compiler do? Stride 0 is a redundant load or store. "
      "Only the first histogram is filled: contiguous, or nearly so. Later "
      "ones are filled: interleaved streams or rows of a matrix; the first "
      "that is small again tells how many. >=32768 in several: a matrix is "
      "walked across its rows. k elements: unrolled and interleaved, or a "
      "structure of k fields. Look at arrays one by one; a small data set of "
      "the same structure will do. They show order and distance, not cost.\n\n"
      "What is chosen when the program runs, in GRAUPEL_STRIDE: maxel=N "
      "(default 5), threshold=BYTES (128), pass-equal, function=NAME, "
      "file=NAME, line=FILE:FROM-TO, object=NAME.",
      {{"--text", nullptr, "for a terminal (default)"},
       {"--json", nullptr, "for programs; the schema is in docs/stride.md"},
       {"--html", nullptr, "as a page that needs no network"},
       Output,
       {"--variant", "all|filtered",
        "filtered (default): a reference goes on to the next histogram only if "
        "its stride is above the threshold; all: each reference is in all "
        "histograms"},
       numberOption(
           "--maxel", "N", {1, UINT32_MAX, Range::OneEnd},
           "histograms a stream, at most as many as recorded (default: all of "
           "them)")},
      Completes::File,
      {1, WordCount::Any},
      MissingRecord};
}

std::vector<CommandDescription> graupel::strideDescriptions() {
  return {
      {"stride", "COMMAND", "what a program's loads and stores do",
       "docs/stride.md says how programs are compiled for that."},
      describeRecord(),
      describeReport(),
      {"stride annotate",
       "[OPTIONS] FILE...",
       "shows source lines with what their references do",
       "Shows source lines with their loads and stores, and which percentage "
       "of them goes to the neighbor (unit), to the same address again "
       "(same), by another constant stride (const), or anywhere (irreg).",
       {Output},
       Completes::File,
       {1, WordCount::Any},
       MissingRecord},
      {"stride diff",
       "[OPTIONS] BEFORE AFTER",
       "shows what changed between two runs",
       "Shows what changed between two runs of differently compiled or changed "
       "code, by data object and by line.",
       {{"--json", nullptr, "for programs; the schema is in docs/stride.md"},
        Output},
       Completes::File,
       {0, WordCount::Any}},
      {"stride export",
       "--FORMAT [OPTIONS] FILE...",
       "writes a record for other tools",
       "Writes what is in records for other tools, in one of four formats.",
       {{"--callgrind", nullptr,
         "references by line and function, for KCachegrind and "
         "callgrind_annotate"},
        {"--fgdsm", nullptr,
         "hints for clang's -mllvm -fgdsm-hints=FILE: blocks of allocations, "
         "iterations of loops (docs/dsm.md)"},
        {"--numa", nullptr,
         "which threads refer to which pages of which data, as JSON "
         "(docs/stride.md); of a record made with --pages"},
        {"--split", nullptr,
         "members of structures that are used together, and how to split, as "
         "JSON (docs/stride.md)"},
        Output},
       Completes::File,
       {1, WordCount::Any},
       MissingRecord},
  };
}

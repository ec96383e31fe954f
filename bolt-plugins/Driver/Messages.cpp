//===- Driver/Messages.cpp - Messages that the user sees ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells messages that the user needs from details, line by line.
//
// 1. isQuiet() decides once whether details are dropped. They are kept with
//    -stock-pipeline, with -v=1, with an option that prints (Printing), and if
//    the output is a stream.
// 2. withoutDetails() takes the text line by line and asks isDetail().
// 3. A line is a detail if it begins with one of Details or is a dump of bytes.
//    A warning is one if it has words of Handled. An error is one if it has
//    words of Skipping and ends with "Skipping."
// 4. The lines of a list that follows a dropped line are dropped, too. All
//    other lines are returned as they are.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Options/BoltOptions.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace graupel;

namespace {

/// Options with these prefixes ask for what BOLT prints.
constexpr StringLiteral Printing[] = {"print-", "dyno-stats", "report-",
                                      "debug",  "dump-",      "stats"};

constexpr StringLiteral Details[] = {
    "BOLT: ", "BOLT-INFO:", "GRAUPEL-INFO:", "PERF2BOLT:"};

/// Warnings about a place in the program with which the optimizer copes: the
/// function is skipped, which the summary says, or nothing follows at all.
/// Those about options, the profile and debug information need an action; they
/// and any other warning are shown.
constexpr StringLiteral Handled[] = {
    // Symbols.
    "which lies outside ", // Linkers' symbols for the bounds of sections.
    "ignoring data marker",
    "lacks code marker",
    "function with 0 address seen",
    "seen in the middle of function",
    "does not have any section",
    "function symbol ",
    "zero-sized top level symbol",
    "size mismatch for duplicate",
    "sizes differ for function",
    "ignoring duplicate",
    "no symbol table found", // Users who allow it know.
    "collision detected when hashing",
    "collisions detected while hashing",
    // Sections, relocations and notes.
    "GNU_RELRO segment has partial",
    "Failed to analyze ",
    "Expected BF to be presented as IFUNC resolver",
    "compiler de-virtualization bug",
    "unclaimed data relocation",
    "non-standard function reference",
    "writable reference into the middle",
    "relocation in __rseq_cs",
    "SDT note ",
    // Passes.
    "Running parallel work of 0 estimated cost",
    // Code.
    "split function detected on input",
    "fragment maps to the same function",
    "interprocedural reference between unrelated",
    "due to cold fragments",
    "failed to post-process indirect branches",
    "failed to match indirect branch",
    "unable to disassemble instruction",
    "corrupted control flow detected",
    "ignoring entry point at address",
    "internal call detected",
    "will skip the following function(s)",
    "relaxed tail call detected",
    "jump past end detected",
    "reference in the middle of instruction",
    "no section for address",
    "bad padding at address",
    "has invalid padding",
    "has an object detected in a padding region",
    "failed to patch entries in",
    // Unwind records and exception tables.
    "unable to fill CFI",
    "non-empty CFI stack",
    "different FDEs for function",
    "FDE [0x",
    "landing pad ",
    "[internal-dwarf-warning]",
};

/// Messages that BOLT calls errors before it goes on: in static programs with
/// glibc functions without a symbol, or with a record that begins before them.
constexpr StringLiteral Skipping[] = {
    "is in conflict with FDE",
    "symbol seen in the middle of the function",
};

/// Before each function that a warning lists.
constexpr StringLiteral ListIndent = "              ";

bool asksForDetails() {
  if (opts::Verbosity > 0)
    return true;
  return any_of(cl::getRegisteredOptions(), [](const auto &Entry) {
    return any_of(Printing,
                  [&](StringRef Start) {
                    return Entry.first.starts_with(Start);
                  }) &&
           isGiven(Entry.first);
  });
}

/// An output that is no file may be a stream of ours.
bool writesToStream() {
  sys::fs::file_status Status;
  return opts::OutputFilename != "/dev/null" &&
         !sys::fs::status(opts::OutputFilename, Status) &&
         !sys::fs::is_regular_file(Status);
}

/// "66 2e 0f": what is wrong with a function's padding.
bool isDumpOfBytes(StringRef Line) {
  bool Any = false;
  for (; Line.size() >= 2 && isHexDigit(Line[0]) && isHexDigit(Line[1]);
       Any = true) {
    Line = Line.drop_front(2);
    Line.consume_front(" ");
  }
  return Any && Line.empty();
}

bool isDetail(StringRef Line) {
  if (any_of(Details, [&](StringRef Start) { return Line.starts_with(Start); }))
    return true;
  if (isDumpOfBytes(Line))
    return true;
  const auto SaysOneOf = [&](ArrayRef<StringLiteral> Words) {
    return any_of(Words, [&](StringRef Word) { return Line.contains(Word); });
  };
  if (Line.consume_front("BOLT-ERROR: "))
    return SaysOneOf(Skipping) && Line.ends_with("Skipping.");
  return Line.starts_with("BOLT-WARNING: ") && SaysOneOf(Handled);
}

} // namespace

bool graupel::isQuiet() {
  static const bool Quiet =
      !boltFlag("stock-pipeline") && !asksForDetails() && !writesToStream();
  return Quiet;
}

std::string graupel::withoutDetails(StringRef Text) {
  if (!isQuiet())
    return Text.str();
  std::string Kept;
  bool IsHidden = false;
  while (!Text.empty()) {
    const StringRef Line = Text.substr(0, Text.find('\n'));
    const StringRef WithEnd = Text.take_front(Line.size() + 1);
    // The list that follows a warning has it as its reason.
    IsHidden = isDetail(Line) || (IsHidden && Line.starts_with(ListIndent));
    if (!IsHidden)
      Kept += WithEnd;
    Text = Text.drop_front(WithEnd.size());
  }
  return Kept;
}

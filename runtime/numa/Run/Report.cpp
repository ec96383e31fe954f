//===- numa/Run/Report.cpp - Report of a placement ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>

using namespace graupel::numa;

namespace {

struct StatementReport {
  std::string Facts; ///< Members of an object, each with a comma before it.
  std::vector<std::string> Warnings;
};

/// Never destroyed: threads may still complain while the program ends.
struct Report {
  std::mutex Lock;
  std::map<const Statement *, StatementReport> Entries;
};

Report &report() {
  static auto *R = new Report;
  return *R;
}

std::string quoted(const std::string &Text) {
  std::string To = "\"";
  for (unsigned char C : Text) {
    char Code[8];
    snprintf(Code, sizeof(Code), C < ' ' ? "\\u%04x" : "%c", C);
    To += C == '"' || C == '\\' ? std::string("\\") + Code : Code;
  }
  return To + "\"";
}

std::string member(const char *Name, uint64_t Value) {
  return std::string(",\"") + Name + "\":" + std::to_string(Value);
}

void add(const Statement &S, const std::string &Facts) {
  std::lock_guard Hold(report().Lock);
  report().Entries[&S].Facts += Facts;
}

} // namespace

bool graupel::numa::isReportWanted() {
  return getenv("GRAUPEL_NUMA_REPORT") || getenv("GRAUPEL_NUMA_JSON");
}

void graupel::numa::complain(const Statement &S, const char *Message) {
  fprintf(stderr, "graupel numa: warning: line %u, `%s`: %s\n", S.Line,
          S.Text.c_str(), Message);
  if (!getenv("GRAUPEL_NUMA_JSON"))
    return;
  std::lock_guard Hold(report().Lock);
  report().Entries[&S].Warnings.push_back(Message);
}

void graupel::numa::tellPages(const Statement &S,
                              const graupel_numa_report &R) {
  if (R.wrong)
    complain(S, (std::to_string(R.wrong) + " of " + std::to_string(R.present) +
                 " pages are on another node")
                    .c_str());
  if (getenv("GRAUPEL_NUMA_REPORT"))
    fprintf(stderr,
            "graupel numa: line %u, `%s`: %zu pages, %zu right, %zu wrong\n",
            S.Line, S.Text.c_str(), R.present, R.right + R.free_choice,
            R.wrong);
  add(S, member("pages", R.present) +
             member("right_pages", R.right + R.free_choice) +
             member("wrong_pages", R.wrong));
}

void graupel::numa::tellCopies(const Statement &S,
                               const graupel_numa_replica_counts &C) {
  const int Nodes = __builtin_popcountll(C.nodes);
  if (getenv("GRAUPEL_NUMA_REPORT"))
    fprintf(stderr,
            "graupel numa: line %u, `%s`: %zu of %zu units have copies on %d "
            "nodes, %zu are written too often; %zu writes ended copies\n",
            S.Line, S.Text.c_str(), C.replicated, C.units, Nodes, C.frozen,
            C.collapses);
  add(S, member("units", C.units) + member("copied_units", C.replicated) +
             member("nodes_with_copies", unsigned(Nodes)) +
             member("units_written_too_often", C.frozen) +
             member("writes_that_ended_copies", C.collapses));
}

void graupel::numa::writeReport(const std::vector<Statement> &Statements) {
  const char *Folder = getenv("GRAUPEL_NUMA_JSON");
  if (!Folder)
    return;
  std::lock_guard Hold(report().Lock);
  std::string Text = "[";
  for (size_t N = 0; N < Statements.size();) {
    const Statement &S = Statements[N];
    // A line that distributes memory has several statements.
    StatementReport Line;
    for (; N < Statements.size() && Statements[N].Line == S.Line; ++N) {
      const StatementReport &Each = report().Entries[&Statements[N]];
      Line.Facts += Each.Facts;
      Line.Warnings.insert(Line.Warnings.end(), Each.Warnings.begin(),
                           Each.Warnings.end());
    }
    Text += std::string(Text.size() > 1 ? ",\n" : "") +
            "{\"line\":" + std::to_string(S.Line) +
            ",\"statement\":" + quoted(S.Text) + Line.Facts + ",\"warnings\":[";
    for (const std::string &W : Line.Warnings)
      Text += (&W == &Line.Warnings.front() ? "" : ",") + quoted(W);
    Text += "]}";
  }
  Text += "]\n";
  const std::string Name =
      std::string(Folder) + "/" + std::to_string(getpid()) + ".json";
  FILE *File = fopen(Name.c_str(), "we");
  if (!File || fwrite(Text.data(), 1, Text.size(), File) != Text.size())
    fprintf(stderr, "graupel numa: warning: %s cannot be written\n",
            Name.c_str());
  if (File)
    fclose(File);
}

//===- Main.cpp - The command graupel ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Substitution/Substitution.h"
#include "Support/Command.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace graupel;

/// A file that is opened later must not be taken for a standard one that is
/// closed. Whoever uses that gets an error as before: it is open for the
/// contrary.
static void openStandardFiles() {
  for (int File : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(File, F_GETFD) < 0)
      (void)open("/dev/null", File == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Writes buffered output of a command. Returns the exit status, which is an
/// error if that fails.
static int finishOutput(const Arguments &A, int Status) {
  const bool WasLost = ferror(stdout);
  errno = 0;
  if (fflush(stdout) == 0 && !WasLost)
    return Status;
  const std::string Why =
      errno ? std::string(" (") + strerror(errno) + ")" : std::string();
  fprintf(stderr,
          "graupel%s%s: error: the standard output cannot be written%s; what "
          "was printed is not complete\n",
          A.empty() ? "" : " ", A.empty() ? "" : A[0].c_str(), Why.c_str());
  return Status ? Status : 1;
}

int main(int Argc, char **Argv) {
  openStandardFiles();
  substitution::hearOfChildren();
  static const Command Commands[] = {
      {"learn", learnCommand},
      {"run", runCommand},
      {"shell", shellCommand},
      {"build", buildCommand},
      {"register", registerCommand},
      {"instrument", instrumentCommand},
      {"optimize", optimizeCommand},
      {"watch", watchCommand},
      {"measure", measureCommand},
      {"status", statusCommand},
      {"show", showCommand},
      {"use", useCommand},
      {"enable", enableCommand},
      {"disable", disableCommand},
      {"export", exportCommand},
      {"import", importCommand},
      {"unregister", unregisterCommand},
      {"gc", gcCommand},
      {"doctor", doctorCommand},
      {"ui", uiCommand},
      {"completion", completionCommand},
      {"man", manCommand},
      {"dsm run", dsmRunCommand},
      {"dsm report", dsmReportCommand},
      {"dsm check", dsmCheckCommand},
      {"dsm lines", dsmLinesCommand},
      {"numa bench", numaBenchCommand},
      {"numa plan", numaPlanCommand},
      {"numa profile", numaProfileCommand},
      {"numa run", numaRunCommand},
      {"numa topology", numaTopologyCommand},
      {"stride record", strideRecordCommand},
      {"stride report", strideReportCommand},
      {"stride annotate", strideAnnotateCommand},
      {"stride diff", strideDiffCommand},
      {"stride export", strideExportCommand},
  };
  const Arguments A(Argv + 1, Argv + Argc);
  // The environment writes to its database. Programs that it runs keep the
  // limit.
  if (!A.empty() && commandsOf(A[0]).empty())
    substitution::surviveFileSizeLimit();
  return finishOutput(A, dispatch(Commands, A));
}

//===- Driver/Commands.cpp - Work on profiles -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Profile/FdataExport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace graupel;

namespace {

cl::SubCommand Merge("merge", "Add profiles of one instrumented program");
cl::list<std::string> MergeInputs(cl::Positional, cl::OneOrMore,
                                  cl::desc("<profile>..."), cl::sub(Merge));
cl::opt<std::string> MergeOutput("o", cl::Required,
                                 cl::desc("where to write the sum"),
                                 cl::value_desc("file"), cl::sub(Merge));

cl::SubCommand Export("export", "Turn a profile into fdata or YAML");
cl::opt<std::string> ExportInput(cl::Positional, cl::Required,
                                 cl::desc("<profile>"), cl::sub(Export));
cl::opt<std::string>
    ExportOutput("o", cl::init("-"),
                 cl::desc("where to write (default: the terminal)"),
                 cl::value_desc("file"), cl::sub(Export));
cl::opt<std::string>
    ExportProgram("yaml-for",
                  cl::desc("write YAML for this program, the one that was "
                           "instrumented (default: write fdata, which needs no "
                           "program)"),
                  cl::value_desc("program"), cl::sub(Export));

/// Writes \p Bytes to \p Path as a whole or not at all.
Error writeFile(const std::string &Path, StringRef Bytes) {
  Expected<sys::fs::TempFile> Temporary =
      sys::fs::TempFile::create(Path + ".%%%%%%.tmp");
  if (!Temporary)
    return createStringError(
        Path + ": cannot write: " + toString(Temporary.takeError()) +
        "; check its folder and your rights there");
  raw_fd_ostream OS(Temporary->FD, /*shouldClose=*/false);
  OS << Bytes;
  OS.flush();
  if (OS.has_error()) {
    const std::error_code EC = OS.error();
    OS.clear_error();
    consumeError(Temporary->discard());
    return createStringError(EC, Path + ": cannot write: " + EC.message());
  }
  return Temporary->keep(Path);
}

Error merge() {
  Expected<Profile> Sum = readProfileFile(MergeInputs.front());
  if (!Sum)
    return Sum.takeError();
  for (const std::string &Input : drop_begin(MergeInputs)) {
    Expected<Profile> P = readProfileFile(Input);
    if (!P)
      return P.takeError();
    if (P->Header.plan != Sum->Header.plan)
      return createStringError(
          Input + ": was not written by the same instrumented file as " +
          MergeInputs.front() + "; export both and add them with merge-fdata");
    Sum->add(*P);
  }
  return writeFile(MergeOutput, Sum->seal());
}

Error writeOutput(StringRef Text) {
  if (ExportOutput != "-")
    return writeFile(ExportOutput, Text);
  outs() << Text;
  return Error::success();
}

/// BOLT writes YAML when it has read a profile and the program: this program
/// runs itself to do so, and lets it say what is wrong.
Error exportYAML(const char *Self) {
  SmallString<128> YAML;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("graupel", "yaml", YAML))
    return createStringError(EC, "no temporary file: " + EC.message() +
                                     "; set TMPDIR to a folder for them");
  const FileRemover Remover(YAML);
  const std::string Program = sys::fs::getMainExecutable(Self, nullptr);
  const std::string Data = "-data=" + ExportInput;
  const std::string Write = ("-w=" + YAML).str();
  const std::string Log = "-log-file=/dev/null";
  const StringRef Nothing;
  const int Status = sys::ExecuteAndWait(
      Program, {Program, ExportProgram, Data, Write, "-o", "/dev/null", Log},
      std::nullopt, {std::nullopt, Nothing, std::nullopt});
  if (Status < 0)
    return createStringError(ExportProgram +
                             ": no YAML was written, since "
                             "graupel-bolt crashed; please report it");
  if (Status != 0)
    return createStringError(""); // It has said why.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(YAML);
  if (!Text)
    return createStringError(Text.getError(),
                             ExportProgram +
                                 ": no YAML was written; run "
                                 "graupel-bolt with this profile to see why");
  return writeOutput((*Text)->getBuffer());
}

Error exportProfile(const char *Self) {
  if (ExportProgram.getNumOccurrences())
    return exportYAML(Self);
  Expected<Profile> P = readProfileFile(ExportInput);
  if (!P)
    return P.takeError();
  std::string Text;
  raw_string_ostream OS(Text);
  writeFdata(*P, OS);
  return writeOutput(Text);
}

} // namespace

bool graupel::isCommand(int Argc, char **Argv) {
  if (Argc < 2)
    return false;
  const StringRef Name = Argv[1];
  return Name == Merge.getName() || Name == Export.getName();
}

int graupel::runCommand(int Argc, char **Argv) {
  cl::ParseCommandLineOptions(Argc, Argv, "graupel-bolt - work on profiles\n");
  Error E = Merge ? merge() : exportProfile(Argv[0]);
  if (!E)
    return 0;
  const std::string Message = toString(std::move(E));
  if (!Message.empty())
    WithColor::error(errs(), "graupel-bolt") << Message << '\n';
  return 1;
}

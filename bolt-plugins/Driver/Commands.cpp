//===- Driver/Commands.cpp - Work on profiles -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the commands graupel-bolt merge and export, which work on profiles.
//
// 1. runCommand() parses the options of the command that the first argument
//    names. It runs the command and prints its error, if there is one.
// 2. merge() reads the first profile and adds the others to it in their order.
//    Counts of the same instrumented file are added one by one.
// 3. Counts of another plan of counters or of another build are matched to the
//    first profile's (ProfileMatch/). Each further build weighs less. A profile
//    of which less than half fits is an error.
// 4. The sum is sealed and written.
// 5. exportProfile() writes fdata from the profile alone. YAML needs the
//    program, too: BOLT writes it when it has read both, so exportYAML() runs
//    this program for that and has the result written to memory.
// 6. writeFile() writes an output as a whole or not at all: to a temporary
//    file, which then gets the name. Pipes and devices are written directly.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "CommandLine.h"
#include "OutputFile.h"
#include "Profile/FdataExport.h"
#include "ProfileMatch/ProfileMatch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include <sys/mman.h>

using namespace llvm;
using namespace graupel;

namespace {

cl::SubCommand Merge("merge",
                     "Add profiles of one program, the newest build's first");
cl::list<std::string> MergeInputs(cl::Positional, cl::OneOrMore,
                                  cl::desc("<profile>..."), cl::sub(Merge));
cl::opt<std::string> MergeOutput("o", cl::Required,
                                 cl::desc("where to write the sum"),
                                 cl::value_desc("file"), cl::sub(Merge));

cl::opt<double> MergeDecay(
    "decay", cl::init(0.5),
    cl::desc(
        "what counts of another build than the first profile's weigh; each "
        "further build weighs less by this (default: 0.5)"),
    cl::value_desc("0..1"), cl::sub(Merge));

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

Error cannotWrite(const std::string &Path, const Twine &Why) {
  return createStringError(Path + ": cannot write: " + Why +
                           "; check its folder and your rights there");
}

/// Writes all of \p Bytes, or says why not.
Error writeAll(raw_fd_ostream &OS, const std::string &Path, StringRef Bytes) {
  OS << Bytes;
  OS.flush();
  if (!OS.has_error())
    return Error::success();
  const std::string Why = OS.error().message();
  OS.clear_error();
  return cannotWrite(Path, Why);
}

/// Writes to what is there and is not a file: a terminal, a pipe, a device.
Error writeThrough(const std::string &Path, StringRef Bytes) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC, sys::fs::CD_OpenExisting);
  return EC ? cannotWrite(Path, EC.message()) : writeAll(OS, Path, Bytes);
}

/// Writes \p Bytes to what \p Name leads to, as a whole or not at all.
Error writeFile(const std::string &Name, StringRef Bytes) {
  if (Name == "-")
    return writeAll(outs(), "standard output", Bytes);
  sys::fs::file_status Status;
  if (!sys::fs::status(Name, Status) && !sys::fs::is_regular_file(Status))
    return writeThrough(Name, Bytes);
  const std::string Path = behindLinks(Name);
  int FD;
  Expected<std::string> Temporary = createBeside(Path, FD);
  if (!Temporary)
    return cannotWrite(Path, toString(Temporary.takeError()));
  sys::RemoveFileOnSignal(*Temporary);
  raw_fd_ostream OS(FD, /*shouldClose=*/true);
  Error E = writeAll(OS, Path, Bytes);
  if (!E)
    if (std::error_code EC = sys::fs::rename(*Temporary, Path))
      E = cannotWrite(Path, EC.message());
  if (E)
    sys::fs::remove(*Temporary);
  sys::DontRemoveFileOnSignal(*Temporary);
  return E;
}

/// Adds what \p Older, of another build, says about the build of \p Sum.
Error addOtherBuild(Profile &Sum, const std::string &Path, const Profile &Older,
                    double Weight) {
  constexpr double LeastShare = 0.5;
  const double Share = addOlder(Sum, Older, Weight);
  if (Share < LeastShare)
    return createStringError(
        Path + ": has little in common with the build of " +
        MergeInputs.front() + ": " + formatv("{0:f1}", 100 * Share).str() +
        " % of its counts fit; leave it out");
  errs() << "GRAUPEL-INFO: " << Path << ": counted otherwise; "
         << format("%.1f", 100 * Share) << " % of its counts fit, weight "
         << format("%g", Weight) << '\n';
  return Error::success();
}

Error merge() {
  if (!(MergeDecay >= 0 && MergeDecay <= 1))
    return createStringError("-decay: not a weight; give a number from 0 to 1");
  Expected<Profile> Sum = readProfileFile(MergeInputs.front());
  if (!Sum)
    return Sum.takeError();
  double Weight = 1;
  std::vector<uint8_t> LastBuild = Sum->buildID().vec();
  for (const std::string &Input : drop_begin(MergeInputs)) {
    Expected<Profile> P = readProfileFile(Input);
    if (!P)
      return P.takeError();
    if (P->Header.plan == Sum->Header.plan &&
        P->MetadataBytes == Sum->MetadataBytes) {
      Sum->add(*P);
      continue;
    }
    const bool SameBuild = P->buildID() == Sum->buildID();
    if (!SameBuild && P->buildID() != ArrayRef(LastBuild))
      Weight *= MergeDecay;
    LastBuild = P->buildID().vec();
    if (Error E = addOtherBuild(*Sum, Input, *P, SameBuild ? 1 : Weight))
      return E;
  }
  return writeFile(MergeOutput, Sum->seal());
}

/// BOLT writes YAML when it has read a profile and the program: this program
/// runs itself to do so, into memory, and nothing comes of a failure half way.
Error exportYAML(const char *Self) {
  // The same name is good in the process that inherits it.
  const int FD = memfd_create("graupel-yaml", 0);
  if (FD < 0)
    return createStringError(ExportInput + ": no memory for the profile; free "
                                           "some memory");
  const std::string Memory = "/proc/self/fd/" + std::to_string(FD);
  const std::string Program = sys::fs::getMainExecutable(Self, nullptr);
  const std::string Data = "-data=" + ExportInput, Write = "-w=" + Memory;
  std::string Message;
  const int Status = sys::ExecuteAndWait(
      Program, {Program, ExportProgram, Data, Write, "-o", "/dev/null"},
      std::nullopt, {"", "", std::nullopt}, 0, 0, &Message);
  if (Status == 1) // It said why.
    std::exit(1);
  if (Status != 0)
    return createStringError(
        ExportProgram + ": no YAML was written: " +
        (Message.empty() ? "status " + std::to_string(Status) : Message) +
        "; optimize it with the profile to see more");
  ErrorOr<std::unique_ptr<MemoryBuffer>> YAML = MemoryBuffer::getFile(Memory);
  if (!YAML)
    return cannotWrite(ExportOutput, YAML.getError().message());
  return writeFile(ExportOutput, (*YAML)->getBuffer());
}

Error exportProfile(const char *Self) {
  if (sys::fs::equivalent(ExportInput, ExportOutput))
    return createStringError(ExportOutput + ": is the profile itself; name "
                                            "another file with -o");
  if (sys::fs::equivalent(ExportProgram, ExportOutput))
    return createStringError(ExportOutput + ": is the program itself; name "
                                            "another file with -o");
  if (ExportProgram.getNumOccurrences())
    return exportYAML(Self);
  Expected<Profile> P = readProfileFile(ExportInput);
  if (!P)
    return P.takeError();
  std::string Text;
  raw_string_ostream OS(Text);
  Expected<ExportSummary> Summary = writeFdata(*P, OS);
  if (!Summary)
    return createStringError(ExportInput + ": " +
                             toString(Summary.takeError()));
  return writeFile(ExportOutput, Text);
}

} // namespace

bool graupel::isCommand(int Argc, char **Argv) {
  if (Argc < 2)
    return false;
  const StringRef Name = Argv[1];
  return Name == Merge.getName() || Name == Export.getName();
}

int graupel::runCommand(int Argc, char **Argv) {
  cl::SubCommand &Command = Argv[1] == Merge.getName() ? Merge : Export;
  Error E = parseOptions(ArrayRef(Argv, Argc), Command,
                         "graupel-bolt - work on profiles\n");
  if (!E)
    E = &Command == &Merge ? merge() : exportProfile(Argv[0]);
  if (!E)
    return 0;
  const std::string Message = toString(std::move(E));
  if (!Message.empty())
    WithColor::error(errs(), "graupel-bolt") << Message << '\n';
  return 1;
}

//===- Driver/Main.cpp - graupel-bolt -------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main program, a superset of llvm-bolt: takes all its options, and without
// any it runs a recommended pipeline of its own.
//
// 1. main() leaves merge and export to Commands. Otherwise it registers the
//    passes, loads plugins, and parses and checks the options.
// 2. openInput() reads the input into memory and refuses a file that cannot be
//    rewritten. It corrects there tables that BOLT would misread, and notes
//    places in code for Protect/.
// 3. prepareProfile() brings the profile into a form that can be used.
//    applyRecommendedOptions() sets the options that the user did not give.
// 4. If the new code may fit over the old, a child process tries that, after
//    each failure with less growth (GrowthBudget). If no attempt succeeds,
//    another child runs without that aim.
// 5. rewrite() runs BOLT, which writes a temporary file, with our runtime for
//    -instrument and with the profile. It then writes the loader's relocations,
//    the program statistics and the hot-cold report.
// 6. finish() restores absolute numbers, moves the headers and appends the
//    bytes that the input has behind its sections. With -verify the result is
//    checked. Then the temporary file gets the output's name, and the summary
//    is printed.
//
//===----------------------------------------------------------------------===//

#include "Align/AlignPass.h"
#include "Attempt.h"
#include "CommandLine.h"
#include "Commands.h"
#include "CompressedDebug.h"
#include "Copies/AddedTables.h"
#include "Copies/Copies.h"
#include "Copies/CopyGain.h"
#include "DynamicRelocations.h"
#include "Elf/ElfView.h"
#include "Elf/InputCheck.h"
#include "Elf/RelocationsBySection.h"
#include "Finish/Finish.h"
#include "FirstPage.h"
#include "HotCold/Growth.h"
#include "HotCold/HotCold.h"
#include "Instrumenting.h"
#include "Limits.h"
#include "LocalNames.h"
#include "Options/BoltOptions.h"
#include "Options/CopyPlan.h"
#include "Options/LayoutPlan.h"
#include "Options/RecommendedOptions.h"
#include "Originals.h"
#include "OutputFile.h"
#include "PLTDecoder.h"
#include "Pipeline.h"
#include "PluginLoader.h"
#include "ProfileInput.h"
#include "Progress.h"
#include "Protect/AbsoluteNumbers.h"
#include "Protect/CodeBounds.h"
#include "Protect/KnownPlaces.h"
#include "Protect/Neighbors.h"
#include "Protect/PartsOfFunctions.h"
#include "Protect/UnlabeledCode.h"
#include "Statistics/Statistics.h"
#include "Summary.h"
#include "Support/BoltInternals.h"
#include "SymbolVersions.h"
#include "TextEnd.h"
#include "VerifyOption.h"
#include "WideDebug.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Rewrite/RewriteInstance.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "graupel/LayoutPasses.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace graupel;

namespace {

cl::opt<std::string> InputFilename(cl::Positional, cl::Required,
                                   cl::desc("<executable>"),
                                   cl::cat(opts::BoltCategory));

cl::opt<std::string>
    ProfileFilename("data",
                    cl::desc("profile: of our instrumentation, fdata, YAML or "
                             "perf.data (default: none)"),
                    cl::value_desc("file"), cl::cat(opts::BoltCategory));
cl::alias ProfileFilenameB("b", cl::desc("alias for -data"),
                           cl::aliasopt(ProfileFilename),
                           cl::cat(opts::BoltCategory));

// llvm-bolt has it for llvm-boltdiff, which is the same program by another
// name, and ignores it otherwise.
cl::opt<std::string> SecondProfile("data2", cl::desc("ignored"), cl::Hidden,
                                   cl::cat(opts::BoltCategory));

cl::opt<std::string>
    LogFile("log-file",
            cl::desc("write messages to <file> (default: the terminal)"),
            cl::value_desc("file"), cl::Hidden, cl::cat(opts::BoltCategory));

cl::opt<bool> Verify(
    "verify",
    cl::desc("check the output before it is put in place: that its tables are "
             "sound and all branches and pointers lead to code (default: "
             "false)"),
    cl::cat(opts::BoltCategory));

[[noreturn]] void fail(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) {
    WithColor::error(errs(), "graupel-bolt") << Info.message() << '\n';
  });
  std::exit(1);
}

template <typename T> T orFail(Expected<T> Value) {
  if (!Value)
    fail(Value.takeError());
  return std::move(*Value);
}

/// \p E with the file it is about in front and, if it says nothing about that,
/// what to do.
Error about(StringRef File, Error E) {
  const std::string Message = toString(std::move(E));
  StringRef Text = StringRef(Message).rtrim();
  Text.consume_front("BOLT-ERROR: ");
  return createStringError(File + ": " + Text +
                           (Text.contains("; ")
                                ? ""
                                : "; check the file and the options, -v=1 "
                                  "says more"));
}

void initializeTargets() {
#define BOLT_TARGET(Name)                                                      \
  LLVMInitialize##Name##TargetInfo();                                          \
  LLVMInitialize##Name##TargetMC();                                            \
  LLVMInitialize##Name##AsmParser();                                           \
  LLVMInitialize##Name##Disassembler();                                        \
  LLVMInitialize##Name##Target();                                              \
  LLVMInitialize##Name##AsmPrinter();
#include "bolt/Core/TargetConfig.def"
}

/// Whether both names lead to one file, or would once it is made. Writing to
/// anything but a regular file loses nothing.
bool isSameFile(const std::string &A, const std::string &B) {
  if (A.empty() || B.empty() || A == "-" || B == "-")
    return false;
  if (sys::fs::exists(A) || sys::fs::exists(B))
    return sys::fs::is_regular_file(A) && sys::fs::equivalent(A, B);
  auto whole = [](StringRef Name) {
    SmallString<128> Path(Name);
    sys::fs::make_absolute(Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
    return Path;
  };
  return whole(A) == whole(B);
}

/// Refuses to write over what is read or written otherwise, by whatever name.
Error checkOutputNames() {
  if (boltFlag("stock-pipeline"))
    return Error::success();
  const std::pair<const char *, std::string> Read[] = {
      {"the input itself", InputFilename},
      {"the profile", ProfileFilename},
      {"the profile", opts::PerfData}};
  const std::pair<const char *, std::string> Written[] = {
      {"o", opts::OutputFilename},
      {"log-file", LogFile},
      {"spike-stats-file", statisticsPlan().any() ? statisticsPlan().File : ""},
      {"hco-report-file",
       hotColdReportPlan().any() ? hotColdReportPlan().File : ""},
      {"w", boltOpt<std::string>("w")},
      {"generate-function-order",
       boltOpt<std::string>("generate-function-order")}};
  auto refuse = [](const auto &Output, const Twine &Role) {
    return createStringError(Output.second + ": is " + Role +
                             "; name another file with -" + Output.first);
  };
  for (const auto *Output = std::begin(Written); Output != std::end(Written);
       ++Output) {
    for (const auto &[Role, Name] : Read)
      if (isSameFile(Output->second, Name))
        return refuse(*Output, Role);
    for (const auto *Other = std::begin(Written); Other != Output; ++Other)
      if (isSameFile(Output->second, Other->second))
        return refuse(*Output, Twine("what -") + Other->first + " names");
  }
  return Error::success();
}

void parseCommandLine(int Argc, char **Argv) {
  static const cl::OptionCategory *Shown[] = {
      &opts::BoltCategory, &opts::BoltOptCategory, &opts::BoltRelocCategory,
      &opts::BoltInstrCategory, &opts::BoltOutputCategory};
  cl::HideUnrelatedOptions(ArrayRef(Shown));
  // BOLT's archives are those of LLVM's package.
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "graupel-bolt " GRAUPEL_VERSION " (LLVM " LLVM_VERSION_STRING
          ", BOLT " LLVM_VERSION_STRING ")\n";
  });
  if (Error E = parseOptions(
          ArrayRef(Argv, Argc), cl::SubCommand::getTopLevel(),
          "graupel-bolt - rewrites a program by the profile of its runs\n\n"
          "  graupel-bolt PROGRAM -o INSTRUMENTED -instrument "
          "-instrumentation-file=PROFILE\n"
          "  graupel-bolt PROGRAM -o FASTER -data=PROFILE\n"
          "  graupel-bolt merge|export -help\n\n"
          "Every option of llvm-bolt is accepted.\n"))
    fail(std::move(E));
  if (opts::OutputFilename.empty())
    fail(createStringError("no output file named; use -o FILE"));
  if (Error E = checkOutputNames())
    fail(std::move(E));
  const double ColdShare = layoutPlan().ColdShare;
  if (!(ColdShare >= 0 && ColdShare <= 1))
    fail(createStringError("-cold-share: not a percentage; give a number from "
                           "0 to 100"));
  if (Error E = checkStatisticsPlan())
    fail(std::move(E));
  if (Error E = checkHotColdReportPlan())
    fail(std::move(E));
  if (statisticsPlan().takesStdout() && hotColdReportPlan().takesStdout())
    fail(createStringError("-spike-stats=json and -hco-report=json: only one "
                           "can be on standard output; name a file with "
                           "-hco-report-file"));
}

/// Whether only outputs of ours or of llvm-bolt have a section called \p Name.
bool isOfAnOutput(StringRef Name) {
  return Name == ".note.bolt_info" || Name == ".bolt.text" ||
         Name.starts_with(".bolt.org") || Name.starts_with(".graupel.");
}

/// Closes the file that \p Rewriter has written. To destroy what it made of a
/// large program would take longer than some of its passes, for nothing.
void closeOutput(std::unique_ptr<bolt::RewriteInstance> Rewriter) {
  (Rewriter.get()->*member(internals::OutTag())).reset();
  static bolt::RewriteInstance *Kept;
  Kept = Rewriter.release();
  (void)Kept;
}

/// The language whose compiler left the section \p Name and whose runtime finds
/// functions by tables of its own, or nothing.
StringRef languageOfTables(StringRef Name) {
  if (Name.ends_with(".gopclntab"))
    return "Go";
  return Name == ".debug-ghc-link-info" ? "Haskell" : "";
}

/// BOLT divides by these, and starts as many threads as it is told.
void checkCount(StringRef Option, unsigned Count, unsigned Most) {
  if (Count < 1 || Count > Most)
    fail(createStringError("-" + Option + ": " + Twine(Count) +
                           " is out of range; give a number from 1 to " +
                           Twine(Most)));
}

/// Refuses what BOLT 22 does not survive, and what makes wrong programs of
/// right ones.
void checkOptions(const object::ELFObjectFileBase &ELF) {
  checkCount("thread-count", opts::ThreadCount, 4096);
  checkCount("tasks-per-thread", opts::TaskCount, 1 << 20);
  if (boltFlag("reg-reassign"))
    fail(createStringError("-reg-reassign: exchanges registers whose values "
                           "are still needed; leave it out"));
  if (boltFlag("jt-footprint-reduction") && ELF.getEType() == ELF::ET_DYN)
    fail(createStringError("-jt-footprint-reduction: breaks the jump tables of "
                           "position-independent code; leave it out for " +
                           InputFilename));
}

/// Refuses ELF files that BOLT would refuse later and in fewer words, or would
/// break.
void checkInput(const object::ELFObjectFileBase &ELF) {
  for (const object::SectionRef &Section : ELF.sections())
    if (Expected<StringRef> Name = Section.getName(); !Name)
      consumeError(Name.takeError());
    else if (StringRef Language = languageOfTables(*Name); !Language.empty())
      fail(createStringError(InputFilename + ": holds code of a " + Language +
                             " compiler, whose runtime has tables of code "
                             "addresses that cannot be rewritten (section " +
                             *Name + "); leave this program as it is"));
    else if (isOfAnOutput(*Name))
      fail(createStringError(InputFilename + ": was already processed by BOLT; "
                                             "give the program as it was "
                                             "linked"));
  if (ELF.symbols().empty() && !boltFlag("allow-stripped"))
    fail(createStringError(InputFilename +
                           ": is stripped of its symbols; give the program as "
                           "it was linked, or use -allow-stripped"));
}

/// The result of forgetAbsoluteNumbers() for the input.
uint64_t NumbersMark = 0;

/// The bytes of the input behind its sections.
std::string Appended;

std::string appendedTo(StringRef File) {
  Expected<ElfView> View = ElfView::open(File);
  if (View)
    return View->appended().str();
  consumeError(View.takeError());
  return {};
}

/// Where copies are made: lets BOLT write code to a new segment.
std::unique_ptr<MemoryBuffer>
prepareCopies(std::unique_ptr<MemoryBuffer> Buffer) {
  Expected<ElfView> View = ElfView::open(Buffer->getBuffer());
  if (!View) {
    consumeError(View.takeError());
    return Buffer;
  }
  if (View->header().e_machine != ELF::EM_X86_64)
    return Buffer;
  decideCopies(llvm::any_of(View->sections(), [&](const auto &S) {
    return View->name(S) == ".rela.text";
  }));
  if (!makesCopies())
    return Buffer;
  if (const StringRef Other = optionAgainstCopies(); !Other.empty())
    fail(createStringError("-copies=always: code and data that stay do not go "
                           "with what -" +
                           Other + " changes; leave out one of them"));
  setUnlessGiven("allow-stripped", "1");
  Buffer = withoutAppliedRelocations(std::move(Buffer));
  noteKnownAddresses(Buffer->getBuffer());
  return Buffer;
}

object::OwningBinary<object::Binary> openInput() {
  sys::fs::file_status Status;
  // Some devices can be read without an end.
  if (!sys::fs::status(InputFilename, Status) && sys::fs::is_other(Status))
    fail(createStringError(InputFilename + ": is not a file; name a program or "
                                           "shared library"));
  // Writes to it stay in memory.
  auto Content = WritableMemoryBuffer::getFile(InputFilename);
  if (Content.getError() == std::errc::not_enough_memory)
    fail(createStringError(InputFilename +
                           ": there is too little memory to read it; give "
                           "-memory-limit a larger number if it is given"));
  if (!Content)
    fail(createStringError(InputFilename + ": " + Content.getError().message() +
                           "; name a program or shared library"));
  WritableMemoryBuffer &Writable = **Content;
  std::unique_ptr<MemoryBuffer> Buffer = std::move(*Content);
  switch (identify_magic(Buffer->getBuffer())) {
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
    break;
  case file_magic::elf_relocatable:
    fail(createStringError(InputFilename + ": is an object file; link it, then "
                                           "optimize the result"));
  default:
    fail(createStringError(InputFilename + ": not an ELF program or shared "
                                           "library; is it the right file?"));
  }
  // llvm-bolt also takes files that no linker made and no system would run.
  const bool Check = !boltFlag("stock-pipeline");
  if (Error E = Check ? checkElf(Buffer->getBuffer()) : Error::success())
    fail(about(InputFilename, std::move(E)));
  if (Check) {
    Appended = appendedTo(Buffer->getBuffer());
    beginAtPage(Writable);
    combineRelocations(Writable);
    if (Error E = forgetLocalNames(Writable))
      fail(about(InputFilename, std::move(E)));
    Buffer = nameVersions(std::move(Buffer));
    if (opts::UpdateDebugSections) {
      auto Decompressed = decompressDebug(std::move(Buffer));
      if (!Decompressed)
        fail(about(InputFilename, Decompressed.takeError()));
      Buffer = std::move(*Decompressed);
      if (Error E = checkDebugFormat(Buffer->getBuffer()))
        fail(about(InputFilename, std::move(E)));
    }
    noteKnownPlaces(Buffer->getBuffer());
    noteNeighbors(Buffer->getBuffer());
    noteCodeRanges(Buffer->getBuffer());
    noteDoubtfulParts(Buffer->getBuffer());
    noteUnlabeledCode(Buffer->getBuffer());
    // All buffers that it may be can be written to.
    NumbersMark =
        forgetAbsoluteNumbers({const_cast<char *>(Buffer->getBufferStart()),
                               Buffer->getBufferSize()});
  }
  if (Check)
    Buffer = prepareCopies(std::move(Buffer));
  Expected<std::unique_ptr<object::Binary>> Input =
      object::createBinary(*Buffer);
  if (!Input)
    fail(createStringError(InputFilename + ": " + toString(Input.takeError()) +
                           "; is the file complete?"));
  if (Check) {
    checkOptions(cast<object::ELFObjectFileBase>(**Input));
    checkInput(cast<object::ELFObjectFileBase>(**Input));
  }
  return {std::move(*Input), std::move(Buffer)};
}

PreparedProfile Prepared;

/// The least share of a profile of another build that must fit.
constexpr double LeastMatched = 0.5;

void setProfiles(bolt::RewriteInstance &Rewriter) {
  for (const std::string &Profile :
       {std::string(opts::PerfData), Prepared.ForBolt})
    if (!Profile.empty())
      if (Error E = Rewriter.setProfile(Profile))
        fail(about(Profile, std::move(E)));
  if (Prepared.Other)
    Rewriter.*member(internals::ProfileReaderTag()) =
        std::make_unique<MatchingReader>(
            *Prepared.Other, boltFlag("ignore-build-id") ? 0 : LeastMatched);
}

/// A profile that says nothing about the input is most likely that of another
/// file; an output that was not optimized would hide it.
void checkProfileMatched(const bolt::BinaryContext &BC) {
  if (!layoutPlan().any() || BC.NumProfiledFuncs)
    return;
  fail(createStringError(ProfileFilename + opts::PerfData +
                         ": the profile names no function of " + InputFilename +
                         "; was it recorded with another build?"));
}

/// Puts the headers of the output where other tools expect them. Not if
/// llvm-bolt's output was asked for.
void finish(const object::ELFObjectFileBase &Input, raw_ostream &Messages) {
  const StringRef Path = OutputFile::temporaryPath();
  if (Path.empty() || boltFlag("stock-pipeline") ||
      Input.getEMachine() != ELF::EM_X86_64)
    return;
  if (Error E = checkEntry(Input.getData(), Path))
    fail(about(InputFilename, std::move(E)));
  if (Error E = restoreNumbers(Input.getData(), NumbersMark, Path))
    fail(about(opts::OutputFilename, std::move(E)));
  if (makesCopies())
    if (Error E = renumberSections(Input.getData(), Path))
      fail(about(opts::OutputFilename, std::move(E)));
  const bool MovesHeaders = layoutPlan().Kind != LayoutKind::None;
  Expected<std::string> Reason = MovesHeaders
                                     ? finishOutput(Input.getData(), Path)
                                     : Expected<std::string>(std::string());
  if (!Reason)
    fail(about(opts::OutputFilename, Reason.takeError()));
  if (Error E = append(Appended, Path))
    fail(about(opts::OutputFilename, std::move(E)));
  if (!Appended.empty())
    Messages << "graupel-bolt: note: kept " << Appended.size()
             << " bytes behind the sections (an archive?) at the end of the "
                "output; a program that expects them at a fixed offset does "
                "not find them\n";
  if (!Reason->empty())
    Messages << "graupel-bolt: note: do not strip or copy the output with "
                "GNU strip, objcopy or the like, which would break it: "
             << *Reason << '\n';
}

/// Verifies the output at \p Path.
Expected<std::string> verified(const std::string &Path) {
  Expected<std::string> Result = verifyFiles(InputFilename, Path);
  if (Result)
    return Result;
  const std::string Message = toString(Result.takeError());
  return createStringError(InputFilename + ": the output would be wrong: " +
                           StringRef(Message).split("; ").first +
                           "; nothing was written, please report this with "
                           "the file");
}

/// Runs BOLT. Returns when the output is in place; ends the process otherwise.
/// With \p MustReuseText it is also an error if the code outgrew the old text.
void rewrite(object::ELFObjectFileBase &Input, int Argc, char **Argv,
             bool MustReuseText) {
  std::unique_ptr<raw_fd_ostream> Log;
  if (!LogFile.empty()) {
    std::error_code EC;
    Log = std::make_unique<raw_fd_ostream>(LogFile, EC);
    if (EC)
      fail(createStringError(
          EC, LogFile + ": cannot write the log: " + EC.message()));
  }
  const std::string OutputName = opts::OutputFilename;
  OutputFile Output = orFail(OutputFile::redirect());
  decideInstrumenting(Input);
  // A report for another program must not be mixed with messages.
  const bool StdoutTaken =
      statisticsPlan().takesStdout() || hotColdReportPlan().takesStdout();
  raw_ostream &Messages = Log ? *Log : StdoutTaken ? errs() : outs();
  // The same bits for the same input, wherever it is.
  std::vector<const char *> Arguments(Argv, Argv + Argc);
  if (!boltFlag("stock-pipeline"))
    Arguments = recordedArguments(Arguments);
  // BOLT finds its runtime libraries from the path of the tool it believes to
  // be.
  Expected<std::unique_ptr<bolt::RewriteInstance>> Rewriter =
      bolt::RewriteInstance::create(&Input, Arguments.size(), Arguments.data(),
                                    GRAUPEL_LLVM_BIN_DIR "/llvm-bolt", Messages,
                                    Log ? static_cast<raw_ostream &>(*Log)
                                        : errs());
  if (!Rewriter)
    fail(about(InputFilename, Rewriter.takeError()));
  decodeAnyPLT(**Rewriter);
  if (Error E = startInstrumenting(Input, OutputName, **Rewriter))
    fail(about(InputFilename, std::move(E)));
  setProfiles(**Rewriter);
  keepDynamicRelocations(**Rewriter);
  if (Error E = (*Rewriter)->run())
    fail(about(InputFilename, std::move(E)));
  if (Error E = writeDynamicRelocations())
    fail(OutputFile::cannotWrite(OutputName, toString(std::move(E))));
  if (Error E = restoreOriginals(**Rewriter))
    fail(OutputFile::cannotWrite(OutputName, toString(std::move(E))));
  checkProfileMatched((*Rewriter)->getBinaryContext());
  if (MustReuseText && !opts::UseOldText) {
    GrowthBudget::get().noteFailure((*Rewriter)->getBinaryContext());
    fail(createStringError("the new code does not fit over the old"));
  }
  if (Error E = writeStatistics((*Rewriter)->getBinaryContext()))
    fail(std::move(E));
  if (Error E = writeHotColdReport((*Rewriter)->getBinaryContext()))
    fail(std::move(E));
  const std::optional<PlannedProfile> Planned = plannedProfile();
  for (const bolt::BinaryFunction *BF : gainlessFunctions())
    Summary::get().skip(*BF, "the jump to its copy would cost what that gains");
  Summary::get().collect((*Rewriter)->getBinaryContext());
  closeOutput(std::move(*Rewriter));
  finish(Input, Messages);
  if (Verify && !OutputFile::temporaryPath().empty()) {
    progress::enter("verifying the output");
    const std::string Line =
        orFail(verified(OutputFile::temporaryPath().str()));
    outs() << "graupel-bolt: " << Line << '\n';
  }
  if (Error E = Output.keep())
    fail(std::move(E));
  if (Planned)
    moveStaleProfile(*Planned);
  if (!boltFlag("stock-pipeline"))
    Summary::get().print(
        Messages, {InputFilename, OutputName, Planned ? Planned->Path : "",
                   !ProfileFilename.empty() || !opts::PerfData.empty()});
}

} // namespace

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  if (isCommand(Argc, Argv))
    return runCommand(Argc, Argv);
  setBugReportMsg("graupel-bolt crashed.\n");
  OutputFile::prepare();
  initializeTargets();
  registerChainPass(passRegistry());
  registerSplitPass(passRegistry());
  registerPlacePass(passRegistry());
  registerStatisticsPasses(passRegistry());
  registerAlignPasses(passRegistry());
  registerStressPasses(passRegistry());
  registerHotColdPasses(passRegistry());
  if (Error E = loadPlugins({Argv + 1, Argv + Argc}, passRegistry()))
    fail(std::move(E));
  parseCommandLine(Argc, Argv);

  limitResources({InputFilename, ProfileFilename, opts::PerfData});
  object::OwningBinary<object::Binary> Input = openInput();
  auto &ELF = cast<object::ELFObjectFileBase>(*Input.getBinary());
  if (!ProfileFilename.empty())
    Prepared = orFail(prepareProfile(ProfileFilename, ELF));
  applyRecommendedOptions(ELF);
  progress::prepare();

  if (shouldReuseText(ELF)) {
    GrowthBudget &Budget = GrowthBudget::get();
    do {
      const Attempt Reuse = attemptInChild(InputFilename);
      if (Reuse == Attempt::Succeeded)
        return 0;
      if (Reuse == Attempt::InChild) {
        reuseText();
        rewrite(ELF, Argc, Argv, /*MustReuseText=*/true);
        return 0;
      }
    } while (Budget.tryWithLess());
    Budget.forget();
  }
  if (!makesCopies())
    keepBelowTextEnd(ELF);
  else if (!knowsFunctions())
    fail(createStringError(
        InputFilename +
        ": has neither relocations nor unwind records (.eh_frame), so that "
        "nobody knows its functions; link it with -Wl,--emit-relocs, or "
        "compile it with -fasynchronous-unwind-tables"));
  continueInChild(InputFilename);
  rewrite(ELF, Argc, Argv, /*MustReuseText=*/false);
  return 0;
}

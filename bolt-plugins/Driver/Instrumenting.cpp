//===- Driver/Instrumenting.cpp - Driver's side of -instrument ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes BOLT run our instrumentation for -instrument in place of its own.
//
// 1. decideInstrumenting() takes -instrument over if the input is x86-64 and
//    -stock-pipeline is not given. It hides the option from BOLT, warns of
//    options that have no effect, and sets BOLT's hooks and the defaults for a
//    small output.
// 2. startInstrumenting() shows the option to BOLT again. It makes the
//    profile's name absolute and reads the identity of the input.
// 3. It decides where the runtime starts: at the entry of a program, or at the
//    hooks of a shared library (LibraryHooks). It decides for locked
//    instructions if -atomic is given or if the program needs
//    libgraupel-dsm.so, which uses GS.
// 4. It hands these decisions to BOLT as an InstrumentedImage, which is BOLT's
//    runtime library from then on.
// 5. finishInstrumentationOptions() hides the option again and corrects hooks
//    that BOLT has changed.
// 6. moveStaleProfile() reads the header of a profile that is at the planned
//    place. It renames the file if its plan is another one or if it is sealed.
//
//===----------------------------------------------------------------------===//

#include "Instrumenting.h"
#include "LibraryHooks.h"
#include "Options/BoltOptions.h"
#include "Profile/ImageIdentity.h"
#include "Profile/ProfileFile.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include <cstring>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

cl::opt<bool> Atomic(
    "atomic",
    cl::desc("with -instrument: count with locked instructions, exact for "
             "threads of shared libraries, too, and slower (default: false; "
             "each thread of a program then has counters of its own)"),
    cl::cat(opts::BoltInstrCategory));

cl::opt<bool> PrintCounters(
    "print-counters",
    cl::desc("with -instrument: print which edges of each function are counted "
             "(default: false)"),
    cl::cat(opts::BoltInstrCategory));

bool Decided;
InstrumentedImage *Current;

/// The profile's absolute name: the program may change its directory.
Expected<std::string> profilePath(StringRef OutputName) {
  SmallString<256> Path;
  if (isGiven("instrumentation-file"))
    Path = StringRef(boltOpt<std::string>("instrumentation-file"));
  else
    (OutputName + ".gprofile").toVector(Path);
  if (std::error_code EC = sys::fs::make_absolute(Path))
    return createStringError(EC, "cannot find the current directory");
  if (Path.size() >= sizeof(graupel_image_state::profile_path) - 64)
    return createStringError("the name of the profile is too long; choose "
                             "another with -instrumentation-file");
  return Path.str().str();
}

/// llvm-bolt's options about when to write a profile have nothing to set: ours
/// is always written.
void warnOfUselessOptions() {
  for (StringRef Name :
       {"instrumentation-sleep-time", "instrumentation-no-counters-clear",
        "instrumentation-wait-forks", "instrumentation-max-size",
        "instrumentation-binpath", "conservative-instrumentation",
        "runtime-instrumentation-lib", "runtime-lib-init-hook"})
    if (isGiven(Name))
      WithColor::warning(errs(), "graupel-bolt")
          << '-' << Name
          << " has no effect: counts are in the profile at once; add "
             "-stock-pipeline for llvm-bolt's instrumentation\n";
}

bool hasInterpreter(const object::ELFObjectFileBase &Input) {
  auto Segments = cast<object::ELFObjectFile<object::ELF64LE>>(Input)
                      .getELFFile()
                      .program_headers();
  if (!Segments) {
    consumeError(Segments.takeError());
    return false;
  }
  return llvm::any_of(*Segments, [](const auto &Segment) {
    return Segment.p_type == ELF::PT_INTERP;
  });
}

/// The dynamic section, if it can be read.
std::optional<object::ELF64LE::DynRange>
dynamicEntries(const object::ELFObjectFileBase &Input) {
  auto Entries = cast<object::ELFObjectFile<object::ELF64LE>>(Input)
                     .getELFFile()
                     .dynamicEntries();
  if (Entries)
    return *Entries;
  consumeError(Entries.takeError());
  return std::nullopt;
}

/// A program, which is never unloaded, as opposed to a shared library.
bool isProgram(const object::ELFObjectFileBase &Input) {
  if (Input.getEType() == ELF::ET_EXEC)
    return true;
  auto Entries = dynamicEntries(Input);
  if (!Entries)
    return false;
  bool HasName = false;
  for (const auto &Entry : *Entries) {
    if (Entry.getTag() == ELF::DT_FLAGS_1 && Entry.getVal() & ELF::DF_1_PIE)
      return true;
    HasName |= Entry.getTag() == ELF::DT_SONAME;
  }
  // Old linkers do not say. Some libraries can be run, the C library for one.
  return hasInterpreter(Input) && !HasName;
}

/// GS belongs to the runtime of distributed shared memory where that is needed:
/// it leads to the tags of shared blocks, so counters cannot be found by it.
bool ownsThreadSegment(const object::ELFObjectFileBase &Input) {
  const auto &ELF =
      cast<object::ELFObjectFile<object::ELF64LE>>(Input).getELFFile();
  auto Entries = dynamicEntries(Input);
  if (!Entries)
    return false;
  uint64_t Address = 0, Size = 0;
  for (const auto &Entry : *Entries) {
    if (Entry.getTag() == ELF::DT_STRTAB)
      Address = Entry.getPtr();
    if (Entry.getTag() == ELF::DT_STRSZ)
      Size = Entry.getVal();
  }
  auto Start = ELF.toMappedAddr(Address);
  if (!Start) {
    consumeError(Start.takeError());
    return false;
  }
  const StringRef Strings = Input.getData().substr(*Start - ELF.base(), Size);
  return llvm::any_of(*Entries, [&](const auto &Entry) {
    return Entry.getTag() == ELF::DT_NEEDED &&
           Strings.substr(Entry.getVal()).split('\0').first ==
               "libgraupel-dsm.so";
  });
}

/// BOLT's conditions are those of its own runtime. Ours starts with a program,
/// before anything else, and needs not hear of its end.
void setHooks(const object::ELFObjectFileBase &Input) {
  setOption("runtime-lib-init-hook",
            hasInterpreter(Input) && isProgram(Input) ? "entry_point" : "init");
  if (isProgram(Input))
    setOption("instrumentation-sleep-time", "1");
}

/// The instrumented file is for running once or twice: it should be small.
void setDefaults() {
  setUnlessGiven("align-functions", "16");
  setUnlessGiven("align-functions-max-bytes", "15");
  setUnlessGiven("no-huge-pages", "1");
  setUnlessGiven("align-text", "64");
  // With an older profile at hand, BOLT would leave out what it does not name.
  setUnlessGiven("lite", "0");
  setUnlessGiven("jump-tables", "move");
  // On large programs these would take time, and change little.
  for (StringRef Pass : {"shorten-instructions",
                         "simplify-conditional-tail-calls", "strip-rep-ret"})
    setUnlessGiven(Pass, "0");
}

} // namespace

void graupel::decideInstrumenting(const object::ELFObjectFileBase &Input) {
  Decided = opts::Instrument && !boltFlag("stock-pipeline") &&
            Input.getEMachine() == ELF::EM_X86_64;
  if (!Decided)
    return;
  opts::Instrument = false;
  opts::Hugify = false;
  warnOfUselessOptions();
  setHooks(Input);
  setDefaults();
}

Error graupel::startInstrumenting(object::ELFObjectFileBase &Input,
                                  StringRef OutputName,
                                  RewriteInstance &Rewriter) {
  if (!Decided)
    return Error::success();
  opts::Instrument = true;
  Expected<RuntimeBlob> Runtime = embeddedRuntime();
  if (!Runtime)
    return Runtime.takeError();
  Expected<std::string> Path = profilePath(OutputName);
  if (!Path)
    return Path.takeError();
  InstrumentationOptions Options;
  Options.ProfilePath = std::move(*Path);
  Options.Identity = imageIdentity(Input);
  // Only the reference is constant; the object is the rewriter's.
  auto &BC = const_cast<BinaryContext &>(Rewriter.getBinaryContext());
  if (isProgram(Input)) {
    Options.ProgramEntry = cantFail(Input.getStartAddress());
    // BOLT looks for a function of the loader in what has no interpreter. A
    // static program that can be moved may have none, and needs none.
    BC.InitAddress = Options.ProgramEntry;
  } else if (Error E = addLibraryHooks(Input))
    return E;
  Options.Atomic = Atomic;
  if (!Atomic && Options.ProgramEntry && ownsThreadSegment(Input)) {
    outs()
        << "graupel-bolt: the program needs libgraupel-dsm.so, which uses GS; "
           "counting with locked instructions, as with -atomic\n";
    Options.Atomic = true;
  }
  Options.AppendPID = boltFlag("instrumentation-file-append-pid");
  Options.IndirectCalls = boltFlag("instrument-calls");
  Options.HotOnly = boltFlag("instrument-hot-only");
  Options.Print = PrintCounters;
  auto Image = std::make_unique<InstrumentedImage>(std::move(Options),
                                                   std::move(*Runtime));
  Current = Image.get();
  BC.setRuntimeLibrary(std::move(Image));
  return Error::success();
}

InstrumentedImage *graupel::instrumentedImage() { return Current; }

void graupel::finishInstrumentationOptions(const BinaryContext &BC) {
  if (!Current)
    return;
  opts::Instrument = false;
  // BOLT's runtime needs to know where hot code begins, so it defines symbols
  // of these names, even if the program has its own.
  if (!opts::HotText.getNumOccurrences())
    opts::HotText = false;
  // BOLT cannot initialize its own runtime at the entry of static programs and
  // has changed this; ours starts before anything else.
  if (Current->Options.ProgramEntry && !BC.HasInterpHeader)
    setOption("runtime-lib-init-hook", "entry_point");
}

std::optional<PlannedProfile> graupel::plannedProfile() {
  if (!Current)
    return std::nullopt;
  return PlannedProfile{Current->Options.ProfilePath, Current->plan()};
}

void graupel::moveStaleProfile(const PlannedProfile &Planned) {
  const std::string &Path = Planned.Path;
  // Opening a pipe would wait for a writer.
  if (!sys::fs::is_regular_file(Path))
    return;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Old =
      MemoryBuffer::getFileSlice(Path, sizeof(graupel_profile_header), 0);
  if (!Old || !isProfile((*Old)->getBuffer()))
    return;
  graupel_profile_header Header;
  std::memcpy(&Header, (*Old)->getBufferStart(), sizeof(Header));
  if (Header.plan == Planned.Plan && !(Header.flags & GRAUPEL_PROFILE_SEALED))
    return;
  // Profiles set aside before may be counts of the same file.
  const std::string Name = Path + "." + utohexstr(Header.plan, true, 16);
  std::string Aside = Name;
  for (unsigned Number = 2; sys::fs::exists(Aside); ++Number)
    Aside = Name + "." + std::to_string(Number);
  if (!sys::fs::rename(Path, Aside))
    outs() << "graupel-bolt: " << Path << " was of another instrumented file "
           << "and is now " << Aside << '\n';
}

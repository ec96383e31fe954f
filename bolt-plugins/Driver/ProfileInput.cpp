//===- Driver/ProfileInput.cpp - Profiles of all kinds --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The first bytes of the file say which kind of profile it is.
// 2. Our own, of this file: converted to fdata, in memory, which BOLT reads.
// 3. Our own, of another build or for a stripped file: MatchingReader takes it.
// 4. fdata: checked line by line, since BOLT goes on with a part of a damaged
//    profile. YAML it checks itself.
// 5. perf.data: perf has to be there; without branch records BOLT has to know.
//
//===----------------------------------------------------------------------===//

#include "ProfileInput.h"
#include "Messages.h"
#include "Options/BoltOptions.h"
#include "Options/CopyPlan.h"
#include "Profile/FdataExport.h"
#include "Profile/ImageIdentity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include <sys/mman.h>

using namespace llvm;
using namespace graupel;

namespace {

// The parts of perf.data's header that say what was sampled; see
// tools/perf/Documentation/perf.data-file-format.txt in the kernel's sources.
constexpr StringLiteral PerfMagic = "PERFILE2";
constexpr uint64_t HeaderSizeField = 8, AttrSizeField = 16,
                   AttrsOffsetField = 24, AttrsSizeField = 32,
                   DataOffsetField = 40, DataSizeField = 48, HeaderSize = 104;
constexpr uint64_t SampleTypeField = 24; // In perf_event_attr.
constexpr uint64_t SampleBranchStack = 1 << 11;

/// Whether the samples in a perf.data file carry branch records (LBR).
Expected<bool> hasBranchRecords(StringRef Data, const std::string &Path) {
  auto truncated = [&] {
    return createStringError(Path + ": truncated perf.data file; record the "
                                    "profile again");
  };
  if (Data.size() < HeaderSize)
    return truncated();
  auto field = [&](uint64_t Offset) {
    return support::endian::read64le(Data.data() + Offset);
  };
  const uint64_t AttrSize = field(AttrSizeField);
  const uint64_t Begin = field(AttrsOffsetField);
  const uint64_t Size = field(AttrsSizeField);
  // perf reads a damaged file forever.
  const uint64_t DataBegin = field(DataOffsetField);
  if (field(HeaderSizeField) != HeaderSize || DataBegin < HeaderSize ||
      Begin < HeaderSize || DataBegin > Data.size() ||
      field(DataSizeField) > Data.size() - DataBegin)
    return truncated();
  if (AttrSize < SampleTypeField + 8 || Begin > Data.size() ||
      Size > Data.size() - Begin)
    return truncated();
  for (uint64_t Done = 0; AttrSize <= Size - Done; Done += AttrSize)
    if (field(Begin + Done + SampleTypeField) & SampleBranchStack)
      return true;
  return false;
}

Error preparePerfData(StringRef Data, const std::string &Path) {
  Expected<bool> Branches = hasBranchRecords(Data, Path);
  if (!Branches)
    return Branches.takeError();
  if (!sys::findProgramByName("perf"))
    return createStringError(Path + ": reading perf.data needs the program "
                                    "perf; install linux-perf");
  if (*Branches)
    return Error::success();
  WithColor::warning(errs(), "graupel-bolt")
      << Path
      << ": the samples have no branch records (LBR), so counts of branches "
         "are guesses; record with 'perf record -j any,u' where the processor "
         "has them, or use -instrument\n";
  setUnlessGiven("basic-events", "1");
  return Error::success();
}

/// The fields of a line of fdata: separated by spaces, "\\ " is a space in a
/// name.
void splitFields(StringRef Line, SmallVectorImpl<StringRef> &Fields) {
  Fields.clear();
  while (!(Line = Line.ltrim(' ')).empty()) {
    size_t End = 0;
    while (End < Line.size() && Line[End] != ' ')
      End += Line[End] == '\\' ? 2 : 1;
    Fields.push_back(Line.take_front(End));
    Line = Line.drop_front(std::min(End, Line.size()));
  }
}

/// Whether \p Fields are counts of a branch, of memory accesses or, in profiles
/// without branches, of a location: places (kind, name, hexadecimal offset) and
/// then decimal counts.
bool isFdataLine(ArrayRef<StringRef> Fields) {
  auto isNumber = [](StringRef Field, unsigned Radix) {
    uint64_t Value;
    return !Field.getAsInteger(Radix, Value);
  };
  auto isPlace = [&](size_t At) {
    return Fields[At].size() == 1 && Fields[At][0] >= '0' &&
           Fields[At][0] <= '5' && isNumber(Fields[At + 2], 16);
  };
  switch (Fields.size()) {
  case 4:
    return isPlace(0) && isNumber(Fields[3], 10);
  case 7:
    return isPlace(0) && isPlace(3) && isNumber(Fields[6], 10);
  case 8:
    return isPlace(0) && isPlace(3) && isNumber(Fields[6], 10) &&
           isNumber(Fields[7], 10);
  default:
    return false;
  }
}

/// BOLT reads as far as it understands and may then go on with part of a
/// profile, so the lines are checked first.
Error checkFdata(StringRef Data, const std::string &Path) {
  SmallVector<StringRef, 8> Fields;
  for (size_t Number = 1; !Data.empty(); ++Number) {
    StringRef Line;
    std::tie(Line, Data) = Data.split('\n');
    if (Line.starts_with("no_lbr") || Line == "boltedcollection")
      continue;
    splitFields(Line, Fields);
    if (isFdataLine(Fields))
      continue;
    if (Number == 1)
      return createStringError(Path + ": not a profile: line 1 is none of "
                                      "fdata, YAML or perf.data; give the "
                                      "file that the instrumented program "
                                      "wrote");
    return createStringError(Path + ": damaged profile: cannot read line " +
                             Twine(Number) + "; record the profile again");
  }
  return Error::success();
}

/// Checks a profile that BOLT will read itself.
Error checkForeignProfile(StringRef Data, const std::string &Path) {
  if (Data.trim().empty())
    return createStringError(
        Path + ": the profile is empty; did the instrumented program run to "
               "its end?");
  if (Data.starts_with(PerfMagic))
    return preparePerfData(Data, Path);
  if (Data.starts_with("\x7f"
                       "ELF"))
    return createStringError(Path +
                             ": this is an ELF file, not a profile; give "
                             "the file that the instrumented program "
                             "wrote");
  if (Data.starts_with("---"))
    return Error::success(); // YAML, which BOLT checks to its end.
  return checkFdata(Data, Path);
}

/// Turns our own profile into one that BOLT reads. It is kept in memory, under
/// a name that is good for this process and those it forks.
Expected<std::string> convert(const std::string &Path, const Profile *P) {
  const int FD = memfd_create("graupel-profile", 0);
  if (FD < 0)
    return createStringError(Path + ": no memory for the profile; free some "
                                    "memory");
  raw_fd_ostream OS(FD, /*shouldClose=*/false);
  Expected<ExportSummary> Summary = writeFdata(*P, OS);
  if (!Summary)
    return createStringError(Path + ": " + toString(Summary.takeError()));
  const bool Empty = !OS.tell();
  OS.flush();
  if (OS.has_error()) {
    OS.clear_error();
    return createStringError(Path + ": no memory for the profile; free some "
                                    "memory");
  }
  if (Empty)
    return createStringError(Path + ": the profile has no counts; did the "
                                    "instrumented program run?");
  raw_ostream &Details = isQuiet() ? nulls() : outs();
  Details << "GRAUPEL-INFO: " << Path << ": " << Summary->Functions
          << " functions were executed; " << P->Targets.size()
          << " targets of indirect calls";
  if (P->Dropped)
    Details << " (of " << P->Dropped << " calls the target was not recorded)";
  if (Summary->Irregular)
    Details << "; counts of " << Summary->Irregular
            << " do not add up, by exceptions or the like";
  Details << '\n';
  if (Summary->Unnamed)
    WithColor::warning(errs(), "graupel-bolt")
        << Path << ": " << Summary->Unnamed
        << " executions of branches cannot be told to BOLT, so code that runs "
           "may be laid out as cold; please report this\n";
  return "/proc/self/fd/" + std::to_string(FD);
}

Error checkNotEmpty(const std::string &Path, const Profile &P) {
  if (llvm::any_of(P.Counters, [](uint64_t Count) { return Count != 0; }))
    return Error::success();
  return createStringError(Path + ": the profile has no counts; did the "
                                  "instrumented program run?");
}

bool CountedByInput = false;

/// Whether the functions of \p P were named as BOLT names those of \p Input.
/// Without symbols a function is named by its address.
bool namesFunctionsOf(const Profile &P,
                      const object::ELFObjectFileBase &Input) {
  if (!Input.symbols().empty())
    return true;
  return makesCopies() && llvm::all_of(P.Meta.Functions, [&](const auto &F) {
           return P.Meta.Names[F.Name].starts_with("__BOLT_FDE_FUNCat");
         });
}

Expected<PreparedProfile> prepareOurs(const std::string &Path,
                                      const object::ELFObjectFileBase &Input) {
  Expected<Profile> P = readProfileFile(Path);
  if (!P)
    return P.takeError();
  PreparedProfile Result;
  const SmallVector<uint8_t, 32> Identity = imageIdentity(Input);
  // Our profiles name functions; a stripped file has to be matched, too.
  if (P->buildID() == ArrayRef(Identity) && namesFunctionsOf(*P, Input)) {
    Expected<std::string> File = convert(Path, &*P);
    if (!File)
      return File.takeError();
    Result.ForBolt = std::move(*File);
    CountedByInput = true;
    return Result;
  }
  if (Error E = checkNotEmpty(Path, *P))
    return E;
  Result.Other = {Path, std::move(*P)};
  return Result;
}

} // namespace

bool graupel::isCountedByInput() { return CountedByInput; }

Expected<PreparedProfile>
graupel::prepareProfile(const std::string &Path,
                        const object::ELFObjectFileBase &Input) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openProfile(Path);
  if (!Buffer)
    return Buffer.takeError();
  if (isProfile((*Buffer)->getBuffer()))
    return prepareOurs(Path, Input);
  if (Error E = checkForeignProfile((*Buffer)->getBuffer(), Path))
    return E;
  return PreparedProfile{Path, std::nullopt};
}

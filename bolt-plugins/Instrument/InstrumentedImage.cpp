//===- Instrument/InstrumentedImage.cpp - Additions to an image -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds the runtime, the counters and the head of a profile to an instrumented
// file. Everything is emitted with the code, so that BOLT places it in the new
// segments. Contents that depend on addresses are filled in when the file has
// been linked, straight into the bytes.
//
// 1. emitBinary(): the runtime's code with its labels, then room for the state,
//    the sites and the counters, then room for the header and the metadata.
// 2. link() finds these sections in the linked file and does all that follows.
// 3. fillHead() adds the new addresses of all entries to the metadata and
//    writes it with the header, which has the plan's number.
// 4. fillState() writes the flags, the offsets and the profile's name for the
//    runtime.
// 5. connectRuntime() writes where the state and the original start and end
//    functions are. The runtime takes their place, in arrays if there is
//    nothing else (hookArrays).
// 6. redirectResolvers(): in static programs, the list of resolvers gets their
//    new addresses.
//
//===----------------------------------------------------------------------===//

#include "InstrumentedImage.h"
#include "Options/CopyPlan.h"
#include "Profile/ProfileFile.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/Linker.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <cstddef>
#include <cstring>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr StringLiteral CodeSection = ".graupel.text";
constexpr StringLiteral DataSection = ".graupel.data";
constexpr StringLiteral HeadSection = ".graupel.head";

BinarySection &sectionNamed(BinaryContext &BC, StringRef Name) {
  ErrorOr<BinarySection &> Section = BC.getUniqueSectionByName(Name);
  if (!Section || !Section->getOutputData())
    report_fatal_error("section " + Name + " was not linked");
  return *Section;
}

void switchTo(BinaryContext &BC, MCStreamer &Streamer, StringRef Name,
              unsigned Flags, uint64_t Alignment) {
  MCSection *Section = BC.Ctx->getELFSection(Name, ELF::SHT_PROGBITS, Flags);
  Section->setAlignment(Align(Alignment));
  Streamer.switchSection(Section);
}

void emitGlobal(MCStreamer &Streamer, MCSymbol *Symbol) {
  Streamer.emitLabel(Symbol);
  Streamer.emitSymbolAttribute(Symbol, MCSA_Global);
}

/// The function whose place the runtime takes when a library is unloaded.
std::optional<uint64_t> finiFunction(BinaryContext &BC) {
  if (BC.FiniAddress || !BC.FiniArrayAddress)
    return BC.FiniFunctionAddress;
  // BOLT takes the addend for the address, also where there is a symbol.
  ErrorOr<BinarySection &> Section =
      BC.getSectionForAddress(*BC.FiniArrayAddress);
  const Relocation *Dynamic =
      Section ? Section->getDynamicRelocationAt(0) : nullptr;
  if (!Dynamic || !Dynamic->Symbol)
    return BC.FiniFunctionAddress;
  const BinaryFunction *BF = BC.getFunctionForSymbol(Dynamic->Symbol);
  if (!BF) {
    BC.errs() << "BOLT-ERROR: the first function of .fini_array is not in the "
                 "file, so that the runtime cannot take its place\n";
    std::exit(1);
  }
  return BF->getAddress() + Dynamic->Addend;
}

/// The address of \p BF in the new file.
uint64_t newAddress(const BinaryFunction &BF) {
  return BF.getOutputAddress() ? BF.getOutputAddress() : BF.getAddress();
}

uint64_t newAddressOf(BinaryContext &BC, uint64_t OldAddress) {
  if (const BinaryFunction *BF = BC.getBinaryFunctionAtAddress(OldAddress))
    return newAddress(*BF);
  return OldAddress;
}

} // namespace

uint32_t InstrumentedImage::nameOf(const BinaryFunction &BF) {
  auto [At, New] = NameIndices.try_emplace(&BF, 0);
  if (New)
    At->second = Metadata.addName(BF.getOneName());
  return At->second;
}

MCSymbol *InstrumentedImage::siteSymbol(BinaryContext &BC) {
  return BC.Ctx->getOrCreateSymbol("__graupel_sites");
}

MCSymbol *InstrumentedImage::counterSymbol(BinaryContext &BC) {
  return BC.Ctx->getOrCreateSymbol("__graupel_counters");
}

MCSymbol *InstrumentedImage::runtimeSymbol(BinaryContext &BC, StringRef Name) {
  return BC.Ctx->getOrCreateSymbol("__" + Name);
}

void InstrumentedImage::addRuntimeLibSections(
    std::vector<std::string> &Names) const {
  for (StringRef Name : {CodeSection, DataSection, HeadSection})
    Names.push_back(Name.str());
}

void InstrumentedImage::adjustCommandLineOptions(
    const BinaryContext &BC) const {
  if (BC.HasRelocations)
    return;
  BC.errs() << "BOLT-ERROR: instrumentation needs relocations; link with "
               "--emit-relocs\n";
  std::exit(1);
}

/// Places for the targets of indirect calls: few sites have more than one.
uint64_t InstrumentedImage::numTargets() const {
  return PowerOf2Ceil(std::max<uint64_t>(1024, 4 * uint64_t(NumSites)));
}

void InstrumentedImage::emitBinary(BinaryContext &BC, MCStreamer &Streamer) {
  emitRuntime(BC, Streamer);
  emitData(BC, Streamer);
  emitHead(BC, Streamer);
}

void InstrumentedImage::emitRuntime(BinaryContext &BC, MCStreamer &Streamer) {
  switchTo(BC, Streamer, CodeSection, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR,
           Runtime.Alignment);
  std::vector<std::pair<uint64_t, StringRef>> Labels;
  for (const auto &Symbol : Runtime.Symbols)
    Labels.push_back({Symbol.second, Symbol.first()});
  llvm::sort(Labels);
  const StringRef Code = Runtime.Code;
  uint64_t Done = 0;
  for (const auto &[Offset, Name] : Labels) {
    Streamer.emitBytes(Code.slice(Done, Offset));
    Done = Offset;
    emitGlobal(Streamer, runtimeSymbol(BC, Name));
  }
  Streamer.emitBytes(Code.drop_front(Done));
}

void InstrumentedImage::emitData(BinaryContext &BC, MCStreamer &Streamer) {
  switchTo(BC, Streamer, DataSection, ELF::SHF_ALLOC | ELF::SHF_WRITE,
           GRAUPEL_PROFILE_PAGE);
  Streamer.emitFill(
      sizeof(graupel_image_state) + sizeof(graupel_thread_control), 0);
  emitGlobal(Streamer, siteSymbol(BC));
  const uint64_t Counters = countersOffset(NumSites);
  Streamer.emitFill(
      controlSize(NumSites) - sizeof(graupel_thread_control) + Counters, 0);
  emitGlobal(Streamer, counterSymbol(BC));
  Streamer.emitFill(
      alignTo(Counters + NumCounters * sizeof(uint64_t), GRAUPEL_PROFILE_PAGE) -
          Counters,
      0);
}

void InstrumentedImage::emitHead(BinaryContext &BC, MCStreamer &Streamer) {
  // All functions may be called by their addresses; BOLT moves most of them.
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    nameOf(BF);
    BF.forEachEntryPoint([&](uint64_t, const MCSymbol *) {
      ++NumEntryPoints;
      return true;
    });
  }
  MetadataBytes = Metadata.finish(NumEntryPoints);
  switchTo(BC, Streamer, HeadSection, ELF::SHF_ALLOC, 16);
  Streamer.emitFill(GRAUPEL_PROFILE_PAGE +
                        alignTo(MetadataBytes.size(), GRAUPEL_PROFILE_PAGE),
                    0);
}

std::vector<EntryPoint> InstrumentedImage::entryPoints(BinaryContext &BC,
                                                       uint64_t StateAddress) {
  std::vector<EntryPoint> Points;
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    BF.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
      // Pointers lead to the originals of copies.
      uint64_t New =
          (makesCopies() ? BF.getAddress() : newAddress(BF)) + Offset;
      if (Offset && BF.getOutputAddress() && !makesCopies())
        New = BF.translateInputToOutputAddress(BF.getAddress() + Offset);
      Points.push_back({static_cast<int64_t>(New - StateAddress), nameOf(BF),
                        static_cast<uint32_t>(Offset)});
      return true;
    });
  return Points;
}

void InstrumentedImage::fillHead(BinaryContext &BC, BinarySection &Head,
                                 uint64_t StateAddress) {
  MutableArrayRef<uint8_t> Bytes(
      reinterpret_cast<uint8_t *>(MetadataBytes.data()), MetadataBytes.size());
  MetadataWriter::setEntryPoints(Bytes, entryPoints(BC, StateAddress));
  const graupel_profile_header Header = makeHeader(
      MetadataBytes, Options.Identity, NumSites, NumCounters, numTargets());
  Plan = Header.plan;
  std::memcpy(Head.getOutputData(), &Header, sizeof(Header));
  std::memcpy(Head.getOutputData() + GRAUPEL_PROFILE_PAGE, MetadataBytes.data(),
              MetadataBytes.size());
}

void InstrumentedImage::fillState(BinaryContext &BC, BinarySection &Data,
                                  uint64_t HeadAddress) {
  graupel_image_state State = {};
  State.version = GRAUPEL_PROFILE_VERSION;
  State.flags = (atomic() ? GRAUPEL_STATE_ATOMIC : 0) |
                (perThread() ? GRAUPEL_STATE_THREADS : 0) |
                (Options.AppendPID ? GRAUPEL_STATE_APPEND_PID : 0);
  State.head_offset = HeadAddress - Data.getOutputAddress();
  State.region_offset = sizeof(State) + controlSize(NumSites);
  State.region_size = Data.getOutputSize() - State.region_offset;
  State.target_count = numTargets();
  std::strncpy(State.profile_path, Options.ProfilePath.c_str(),
               sizeof(State.profile_path) - 1);
  std::memcpy(Data.getOutputData(), &State, sizeof(State));
}

void InstrumentedImage::connectRuntime(BinaryContext &BC, BinarySection &Code,
                                       uint64_t StateAddress) {
  auto connect = [&](StringRef Slot, uint64_t Address) {
    const uint64_t Offset = Runtime.offsetOf(Slot);
    support::endian::write64le(Code.getOutputData() + Offset,
                               Address - (Code.getOutputAddress() + Offset));
  };
  auto addressOf = [&](StringRef Name) {
    return Code.getOutputAddress() + Runtime.offsetOf(Name);
  };
  connect("graupel_rt_state_slot", StateAddress);
  std::optional<uint64_t> Start = BC.StartFunctionAddress;
  if (Options.ProgramEntry && !BC.HasInterpHeader)
    Start = Options.ProgramEntry;
  // At 0 there is none: the hook was added.
  if (Start.value_or(0))
    connect("graupel_rt_original_start_slot", newAddressOf(BC, *Start));
  RuntimeStartAddress = addressOf("graupel_rt_start");
  // Programs end with their processes; libraries may go before.
  if (Options.ProgramEntry)
    return;
  if (const uint64_t Fini = finiFunction(BC).value_or(0))
    connect("graupel_rt_original_fini_slot", newAddressOf(BC, Fini));
  RuntimeFiniAddress = addressOf("graupel_rt_fini");
  hookArrays(BC);
}

/// Where a library has no DT_INIT or DT_FINI, the runtime takes the place of
/// the first entry of the array.
void InstrumentedImage::hookArrays(BinaryContext &BC) const {
  auto hook = [&](std::optional<uint64_t> Array, uint64_t Address) {
    ErrorOr<BinarySection &> Section = BC.getSectionForAddress(*Array);
    if (!Section)
      return;
    if (std::optional<Relocation> Dynamic =
            Section->takeDynamicRelocationAt(0)) {
      *Dynamic = Relocation{0, nullptr, Relocation::getRelative(), Address, 0};
      Section->addDynamicRelocation(*Dynamic);
    }
    Section->addPendingRelocation(
        Relocation{0, nullptr, Relocation::getAbs64(), Address, 0});
  };
  if (!BC.InitAddress && BC.InitArrayAddress)
    hook(BC.InitArrayAddress, RuntimeStartAddress);
  if (!BC.FiniAddress && BC.FiniArrayAddress)
    hook(BC.FiniArrayAddress, RuntimeFiniAddress);
}

/// BOLT does not update the list of resolvers of indirect functions that static
/// programs have: the old, uncounted code would resolve, and be resolved to.
void InstrumentedImage::redirectResolvers(BinaryContext &BC) {
  if (!BC.IsStaticExecutable)
    return;
  for (BinarySection &Section : BC.allocatableSections()) {
    if (Section.getELFType() != ELF::SHT_RELA)
      continue;
    const StringRef Bytes = Section.getContents();
    for (uint64_t At = 0; At + sizeof(ELF::Elf64_Rela) <= Bytes.size();
         At += sizeof(ELF::Elf64_Rela)) {
      ELF::Elf64_Rela Entry;
      std::memcpy(&Entry, Bytes.data() + At, sizeof(Entry));
      if (Entry.getType() == ELF::R_X86_64_IRELATIVE)
        Section.addPendingRelocation(Relocation{
            At + offsetof(ELF::Elf64_Rela, r_addend), nullptr,
            Relocation::getAbs64(), newAddressOf(BC, Entry.r_addend), 0});
    }
  }
}

void InstrumentedImage::link(BinaryContext &BC, StringRef, BOLTLinker &,
                             BOLTLinker::SectionsMapper) {
  BinarySection &Code = sectionNamed(BC, CodeSection);
  BinarySection &Data = sectionNamed(BC, DataSection);
  BinarySection &Head = sectionNamed(BC, HeadSection);
  fillHead(BC, Head, Data.getOutputAddress());
  fillState(BC, Data, Head.getOutputAddress());
  connectRuntime(BC, Code, Data.getOutputAddress());
  redirectResolvers(BC);
}

//===- Instrument/InstrumentedImage.h - Additions to an image ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of an instrumented file beside its code: the runtime, the region of
// counters with the state of the runtime before it, and the bytes that a new
// profile starts with. BOLT calls this class while it emits and links.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_INSTRUMENTEDIMAGE_H
#define GRAUPEL_INSTRUMENT_INSTRUMENTEDIMAGE_H

#include "Profile/Metadata.h"
#include "RuntimeBlob.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/RuntimeLibs/RuntimeLibrary.h"
#include "graupel/profile.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

struct InstrumentationOptions {
  std::string ProfilePath; ///< Absolute.
  /// The identity of the file that is instrumented; see imageIdentity.
  llvm::SmallVector<uint8_t, 32> Identity;
  /// The entry point of a program; nothing for a shared library.
  std::optional<uint64_t> ProgramEntry;
  bool Atomic = false;
  bool AppendPID = false;
  /// Record the targets of indirect calls.
  bool IndirectCalls = true;
  /// Only functions that the older profile names.
  bool HotOnly = false;
  bool Print = false;
};

class InstrumentedImage : public llvm::bolt::RuntimeLibrary {
public:
  InstrumentedImage(InstrumentationOptions Options, RuntimeBlob Runtime)
      : Options(std::move(Options)), Runtime(std::move(Runtime)) {}

  const InstrumentationOptions Options;

  /// The program has a GS base of its own, so counters cannot be found by it.
  bool ProgramUsesGS = false;

  /// All threads count into the same places.
  bool atomic() const { return Options.Atomic || ProgramUsesGS; }
  /// Every thread counts for itself. There is one GS base for all images of a
  /// process, so only one of them can have that.
  bool perThread() const { return !atomic() && Options.ProgramEntry; }

  MetadataWriter Metadata;
  uint32_t NumCounters = 0;
  uint32_t NumSites = 0;
  /// Functions with counters, and those that could have none.
  uint64_t NumFunctions = 0, NumLeftOut = 0;

  /// The index of \p BF's name in the metadata.
  uint32_t nameOf(const llvm::bolt::BinaryFunction &BF);

  /// The first site and the first counter in the image's region.
  static llvm::MCSymbol *siteSymbol(llvm::bolt::BinaryContext &BC);
  static llvm::MCSymbol *counterSymbol(llvm::bolt::BinaryContext &BC);
  /// An entry of the runtime by its name there.
  static llvm::MCSymbol *runtimeSymbol(llvm::bolt::BinaryContext &BC,
                                       llvm::StringRef Name);

  /// Identifies the metadata, once the file has been linked.
  uint64_t plan() const { return Plan; }

  void addRuntimeLibSections(std::vector<std::string> &Names) const override;
  void
  adjustCommandLineOptions(const llvm::bolt::BinaryContext &BC) const override;
  void emitBinary(llvm::bolt::BinaryContext &BC,
                  llvm::MCStreamer &Streamer) override;
  void link(llvm::bolt::BinaryContext &BC, llvm::StringRef ToolPath,
            llvm::bolt::BOLTLinker &Linker,
            llvm::bolt::BOLTLinker::SectionsMapper MapSections) override;

private:
  RuntimeBlob Runtime;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, uint32_t> NameIndices;
  std::string MetadataBytes;
  size_t NumEntryPoints = 0;
  uint64_t Plan = 0;

  uint64_t numTargets() const;
  void emitRuntime(llvm::bolt::BinaryContext &BC, llvm::MCStreamer &Streamer);
  void emitData(llvm::bolt::BinaryContext &BC, llvm::MCStreamer &Streamer);
  void emitHead(llvm::bolt::BinaryContext &BC, llvm::MCStreamer &Streamer);
  std::vector<EntryPoint> entryPoints(llvm::bolt::BinaryContext &BC,
                                      uint64_t StateAddress);
  void fillHead(llvm::bolt::BinaryContext &BC, llvm::bolt::BinarySection &Head,
                uint64_t StateAddress);
  void fillState(llvm::bolt::BinaryContext &BC, llvm::bolt::BinarySection &Data,
                 uint64_t HeadAddress);
  void connectRuntime(llvm::bolt::BinaryContext &BC,
                      llvm::bolt::BinarySection &Code, uint64_t StateAddress);
  void hookArrays(llvm::bolt::BinaryContext &BC) const;
  static void redirectResolvers(llvm::bolt::BinaryContext &BC);
};

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_INSTRUMENTEDIMAGE_H

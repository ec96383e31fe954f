//===- Exceptions/Exceptions.h - Exception tables ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exception tables are read and written here instead of by BOLT, which loses
// some. In between, landing pads and actions are where BOLT has them: at the
// calls.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_EXCEPTIONS_EXCEPTIONS_H
#define GRAUPEL_EXCEPTIONS_EXCEPTIONS_H

#include "bolt/Passes/BinaryPasses.h"
#include <functional>

namespace llvm {
class DWARFDataExtractor;
class MCStreamer;
} // namespace llvm

namespace llvm::bolt {
class CFIReaderWriter;
}

namespace graupel {

/// Reads the table of \p BF, which has just been disassembled, and annotates
/// its calls.
void readCallSites(llvm::bolt::BinaryFunction &BF);

/// Takes back from \p BF the exception table and the personality routine that
/// its record, which BOLT has read, only seems to have.
void dropEmptyPointers(llvm::bolt::BinaryFunction &BF,
                       const llvm::bolt::CFIReaderWriter &Reader);
/// \p Patch for those pointers of the records \p Data that lead somewhere.
std::function<void(uint64_t, uint64_t, uint64_t)>
patchPointersOnly(const llvm::DWARFDataExtractor &Data,
                  std::function<void(uint64_t, uint64_t, uint64_t)> Patch);

/// Whether a rule of \p BF's unwind record computes something from where the
/// code is. checkUnwindRecord() found out.
bool hasCodeInRules(const llvm::bolt::BinaryFunction &BF);

/// Notes \p BF if its unwind record says what BOLT cannot write. Returns false
/// if BOLT cannot even read it.
bool checkUnwindRecord(const llvm::bolt::BinaryFunction &BF,
                       const llvm::bolt::CFIReaderWriter &Reader);
bool hasStrangeRecord(const llvm::bolt::BinaryFunction &BF);

/// Has the unwind rules of \p BF, which have been read, say where its frame is
/// in a way that BOLT repeats rightly in parts of it.
void completeFrameRules(llvm::bolt::BinaryFunction &BF);
/// Takes the rules that begin behind branches out of the blocks of \p BF, whose
/// flow graph has just been built. The rules that hold where a block begins are
/// known.
void dropRulesBehindBranches(llvm::bolt::BinaryFunction &BF);

/// Makes one of several unwind records of \p BF, which has just been
/// disassembled; BOLT has read that of its beginning.
void joinUnwindRecords(llvm::bolt::BinaryFunction &BF,
                       const llvm::bolt::CFIReaderWriter &Reader);
/// Whether \p BF has several that cannot be made one.
bool isInRecords(const llvm::bolt::BinaryFunction &BF);

/// Why the exception table or the unwind record of a function cannot be
/// rewritten. Protect/Reasons.def says what each means.
enum class StrangeUnwinding {
  StrangeTypes,
  StrangeTable,
  TrapsThrow,
  SeveralRecords,
  StrangeRecord,
  KnownToRule,
};

/// Tells \p Note of each such function, of some more than once.
void findStrangeUnwinding(
    llvm::bolt::BinaryContext &BC,
    llvm::function_ref<void(llvm::bolt::BinaryFunction &, StrangeUnwinding)>
        Note);

/// Takes over from BOLT the call sites of \p BF, which is final.
void planExceptionTables(llvm::bolt::BinaryFunction &BF);

/// Emits the tables of what has been emitted.
void emitExceptionTables(llvm::MCStreamer &Streamer,
                         llvm::bolt::BinaryContext &BC);

/// Emits the unwind records of code that is not emitted. To be called if BOLT
/// leaves the old ones out.
void emitKeptRecords(llvm::MCStreamer &Streamer, llvm::bolt::BinaryContext &BC);

/// Keeps landing pads where those who read their tables find them. To be run
/// before functions are split, on the blocks that there are then.
class HandlersTogether : public llvm::bolt::BinaryFunctionPass {
public:
  HandlersTogether() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "handlers-together"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

/// Keeps identical code folding from joining functions whose frames or
/// exceptions differ. To be run before each folding.
class FoldingClasses : public llvm::bolt::BinaryFunctionPass {
public:
  FoldingClasses() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "folding-classes"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override;
};

} // namespace graupel

#endif // GRAUPEL_EXCEPTIONS_EXCEPTIONS_H

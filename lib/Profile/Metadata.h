//===- Profile/Metadata.h - Meaning of a profile's counters -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a profile that graupel-bolt writes when it instruments: the flow
// graphs, and which edge each counter counts. docs/profile-format.md describes
// its encoding.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_METADATA_H
#define GRAUPEL_PROFILE_METADATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace graupel {

/// Summary of a block in few bytes, so that it can be found again in another
/// build of the program. Nothing in it depends on addresses or names.
struct BlockShape {
  /// The way in which control leaves the block. Whether it jumps to the next
  /// block or falls into it is a matter of layout.
  enum ExitKind : uint8_t { Continues, Branches, Switches, Returns, TailCalls };
  static constexpr unsigned NumExitKinds = TailCalls + 1;

  uint32_t Exact = 0;     ///< Hash of the instructions with their operands.
  uint32_t Mnemonics = 0; ///< Hash of the operations, whatever their order.
  /// The fewer bits differ, the more operations and constants two blocks share.
  uint32_t Sketch = 0;
  uint32_t Instructions = 0; ///< Without padding and jumps to one place.
  ExitKind Exit = Continues;

  bool operator==(const BlockShape &) const = default;
};

/// An instrumented function. Offsets are bytes from its start, in the image
/// that was instrumented.
struct FunctionProfile {
  struct Edge {
    uint32_t From; ///< A block, or numBlocks() for the outside.
    uint32_t To;
    /// Where the transfer happens; nothing for edges that no profile format can
    /// name. A computed goto is an edge to the outside with its place. The labels
    /// that it may lead to have edges from the outside with theirs.
    std::optional<uint32_t> Branch;
    bool Counted;
  };
  /// A direct call, executed as often as a block or, conditional tail calls, as
  /// an edge.
  struct Call {
    uint32_t Index;
    bool IsEdge;
    uint32_t Offset;
    uint32_t Callee; ///< Index of the name.
    uint32_t CalleeOffset;
  };

  uint32_t Name = 0;            ///< Index of the name.
  std::vector<uint32_t> Blocks; ///< Their offsets; the first one is the entry.
  std::vector<Edge> Edges;
  /// Counters FirstCounter and up belong to the counted edges, in their order;
  /// those of the next function follow.
  uint32_t FirstCounter = 0;
  std::vector<Call> Calls;
  /// Sites FirstSite and up are the indirect calls at these offsets.
  uint32_t FirstSite = 0;
  std::vector<uint32_t> Sites;
  /// Shapes of the blocks; empty in profiles of format 1.
  std::vector<BlockShape> Shapes;

  uint32_t numBlocks() const { return Blocks.size(); }
};

/// An address in the instrumented image that indirect calls may go to.
struct EntryPoint {
  int64_t Address;   ///< From the image's graupel_image_state.
  uint32_t Function; ///< Index of the name.
  uint32_t Offset;   ///< In the image that was instrumented.
};

/// Builds metadata. The addresses of entry points are not known until the
/// image has been linked, so they are written later into the finished bytes.
class MetadataWriter {
public:
  /// Returns the index of \p Name, which must be new.
  uint32_t addName(llvm::StringRef Name);
  void add(const FunctionProfile &Function);

  /// All metadata, with room for \p NumEntryPoints.
  std::string finish(size_t NumEntryPoints) const;
  /// Writes \p Points into \p Metadata, which finish() returned.
  static void setEntryPoints(llvm::MutableArrayRef<uint8_t> Metadata,
                             llvm::ArrayRef<EntryPoint> Points);

private:
  uint32_t NumNames = 0;
  uint32_t NumFunctions = 0;
  bool HasShapes = true; ///< So far of all functions.
  llvm::SmallString<0> Names;
  llvm::SmallString<0> Functions;
  llvm::SmallString<0> Shapes;
};

struct Metadata {
  std::vector<llvm::StringRef> Names; ///< Point into the encoded bytes.
  std::vector<FunctionProfile> Functions;
  std::vector<EntryPoint> EntryPoints; ///< By address.

  /// The entry point of indirect calls to \p Address; null if it is unknown.
  const EntryPoint *entryPointAt(int64_t Address) const;
};

/// Decodes \p Bytes, of a profile with \p NumCounters counters and \p NumSites
/// sites. Whatever the bytes are, the result is consistent (every counter and
/// every site belongs to one function) or an error, which says only what is
/// wrong.
llvm::Expected<Metadata> readMetadata(llvm::StringRef Bytes,
                                      uint64_t NumCounters, uint64_t NumSites);

} // namespace graupel

#endif // GRAUPEL_PROFILE_METADATA_H

//===- Stride/Analysis/Structures.h - Arrays of structures ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data that loops pass in steps of more than what they refer to are arrays of
// structures. Steps tell how large a structure is, and where sites refer to
// first, which members they use. Members used in one loop belong together.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_ANALYSIS_STRUCTURES_H
#define GRAUPEL_STRIDE_ANALYSIS_STRUCTURES_H

#include "Profile.h"

namespace graupel::stride {

struct Field {
  uint32_t Offset, Bytes;
  uint64_t Loads = 0, Stores = 0;
  std::map<uint32_t, uint64_t> InLoop; ///< References by `Structure::Places`.
  uint64_t references() const { return Loads + Stores; }
};

/// Fields that should lie together.
struct FieldGroup {
  std::vector<uint32_t> Fields;
  uint32_t Bytes = 0; ///< Size of the fields.
  uint64_t References = 0;
  bool Hot = false; ///< A tenth of the structure's references or more.
};

struct Structure {
  uint32_t Object; ///< Index in `Objects`.
  uint32_t Bytes;
  uint64_t References = 0;
  std::vector<Field> Fields; ///< By offset.
  /// Loops, or lines outside of any, with the function.
  std::vector<std::pair<Line, std::string>> Places;
  /// References of both of two fields in the same places: the lesser of each
  /// place, added up.
  std::vector<std::vector<uint64_t>> Affinity;
  std::vector<FieldGroup> Groups; ///< Most references first.
  uint32_t Unused = 0;            ///< Bytes nothing recorded refers to.
  /// Bytes that passing the elements takes, by places, as it is and if each
  /// group is an array of its own.
  double BytesNow = 0, BytesSplit = 0;
};

/// Most references first.
std::vector<Structure> findStructures(const Record &R, const Objects &O,
                                      const Profile &P);

} // namespace graupel::stride

#endif

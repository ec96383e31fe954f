//===- Images.h - Programs and libraries are the same everywhere *- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_IMAGES_H
#define GRAUPEL_DSM_NODE_IMAGES_H

#include <string>
#include <vector>

namespace graupel::dsm {

class Bootstrap;

/// A file that is loaded: the program or a library.
struct Image {
  std::string Path;
  std::string Id; ///< Its build ID, or a hash of its constant contents.
  uintptr_t Base;
};

/// The files of a node, and what determines their addresses.
struct Images {
  std::string StackLimit; ///< RLIMIT_STACK, where mappings start.
  std::string WhyRandom;  ///< Empty if addresses are not random.
  std::vector<Image> Files;
  /// Functions that the processor's features choose (STT_GNU_IFUNC), and what
  /// they have become: `name file+offset`.
  std::vector<std::string> Chosen;

  /// The present images of this process.
  static Images collect();

  /// As lines, of at most Most bytes.
  std::string write(size_t Most) const;
  static Images read(const std::string &);

  /// The reason why addresses on this node differ from node 0's, and the
  /// remedy; empty if they do not.
  std::string differenceFrom(const Images &Zero) const;
  /// A function that is another one on node 0, or an empty string.
  std::string choiceUnlike(const Images &Zero) const;
};

/// Collective: ends the job unless every node has node 0's addresses.
void compareImages(Bootstrap &, const Images &Own);

} // namespace graupel::dsm

#endif

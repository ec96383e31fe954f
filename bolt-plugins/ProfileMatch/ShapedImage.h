//===- ProfileMatch/ShapedImage.h - Functions to be matched -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_SHAPEDIMAGE_H
#define GRAUPEL_PROFILEMATCH_SHAPEDIMAGE_H

#include "Profile/Metadata.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace graupel {

/// A function by what survives another build: its flow graph, what its blocks
/// do, whom it calls. The first block is the entry.
struct ShapedFunction {
  struct Block {
    BlockShape Shape;
    llvm::SmallVector<uint32_t, 2> Successors;
    /// Functions of the image by their index, in the order of the calls; others
    /// have isExternal() numbers, which are the same in all images.
    llvm::SmallVector<uint32_t, 1> Callees;
    /// Entered other than along edges: landing pads, secondary entries.
    bool IsEntered = false;
    /// Left other than along edges although it has some: conditional tail
    /// calls.
    bool MayLeave = false;
  };

  llvm::StringRef Name; ///< Only a hint. May be empty.
  std::vector<Block> Blocks;

  // Derived by complete().
  uint64_t Content = 0; ///< Hash of the graph and all instructions.
  uint64_t Graph = 0;   ///< Hash of the graph alone.
  uint64_t Size = 0;    ///< In instructions, and one more for each block.
  /// Pairs of a hash of a block and its size, by the hash.
  using Bag = std::vector<std::pair<uint32_t, uint32_t>>;
  Bag Exact, Mnemonics;
  Bag Externals; ///< The calls that leave the image.
  /// The mixture of operations in the function, against the average of the
  /// image: the votes of its blocks for each bit of their sketches.
  std::array<float, 32> Mixture = {};
  /// Functions of the image that it calls or that call it, by index.
  std::vector<uint32_t> Neighbors;
};

/// The execution counts of the blocks and edges of a function.
struct FunctionCounts {
  std::vector<uint64_t> Blocks;
  /// By block, as its successors.
  std::vector<llvm::SmallVector<uint64_t, 2>> Edges;
  std::vector<uint64_t> Entered; ///< By block: from outside of the function.

  explicit FunctionCounts(const ShapedFunction &F)
      : Blocks(F.Blocks.size()), Edges(F.Blocks.size()),
        Entered(F.Blocks.size()) {
    for (size_t B = 0; B < F.Blocks.size(); ++B)
      Edges[B].resize(F.Blocks[B].Successors.size());
  }
};

/// The functions of an image in the order of their addresses.
struct ShapedImage {
  std::vector<ShapedFunction> Functions;
  /// False if it is from a profile of format 1, with graphs alone.
  bool HasInstructions = true;

  /// Reduces the image to what profiles of format 1 have.
  void forgetInstructions();
  /// Derives what functions are compared by. To be called at the end.
  void complete();
};

/// The number that stands for a function called \p Name of another image.
uint32_t externalNumber(llvm::StringRef Name);
inline bool isExternal(uint32_t Callee) { return Callee >> 31; }

/// The graph of \p F in one number: blocks, their successors and how control
/// leaves them, in reverse postorder (Cohn, Goodwin, Lowney 1997). No
/// instructions, no addresses.
uint64_t graphSignature(const ShapedFunction &F);

/// Blocks in reverse postorder, then those that the entry does not lead to.
std::vector<uint32_t> reversePostorder(const ShapedFunction &F);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_SHAPEDIMAGE_H

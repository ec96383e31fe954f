//===- ProfileMatch/ShapedImage.cpp - Functions to be matched -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapedImage.h"
#include "Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

constexpr uint32_t External = uint32_t(1) << 31;

void summarize(ShapedFunction &F) {
  F.Size = 0;
  F.Mixture = {};
  F.Neighbors.clear();
  for (ShapedFunction::Bag *Bag : {&F.Exact, &F.Mnemonics, &F.Externals})
    Bag->clear();
  F.Graph = graphSignature(F);
  F.Content = F.Graph;
  for (const ShapedFunction::Block &Block : F.Blocks) {
    const uint32_t Size = Block.Shape.Instructions + 1;
    F.Size += Size;
    F.Content = mix(mix(F.Content, Block.Shape.Exact), Size);
    for (uint32_t Callee : Block.Callees) {
      F.Content = mix(F.Content, isExternal(Callee) ? Callee : 0);
      if (isExternal(Callee))
        F.Externals.push_back({Callee, 1});
    }
    for (size_t Bit = 0; Bit < F.Mixture.size(); ++Bit)
      F.Mixture[Bit] +=
          Block.Shape.Sketch >> Bit & 1 ? float(Size) : -float(Size);
    F.Exact.push_back({Block.Shape.Exact, Size});
    F.Mnemonics.push_back({Block.Shape.Mnemonics, Size});
  }
  for (ShapedFunction::Bag *Bag : {&F.Exact, &F.Mnemonics, &F.Externals})
    llvm::sort(*Bag);
}

/// Most code is moves and tests: only what is unusual in a function tells.
void subtractAverage(std::vector<ShapedFunction> &Functions) {
  std::array<double, 32> Sum = {};
  double Size = 0;
  for (const ShapedFunction &F : Functions) {
    Size += F.Size;
    for (size_t Bit = 0; Bit < Sum.size(); ++Bit)
      Sum[Bit] += F.Mixture[Bit];
  }
  for (ShapedFunction &F : Functions)
    for (size_t Bit = 0; Bit < Sum.size(); ++Bit)
      F.Mixture[Bit] -= Sum[Bit] / Size * F.Size;
}

void findNeighbors(std::vector<ShapedFunction> &Functions) {
  for (uint32_t Caller = 0; Caller < Functions.size(); ++Caller)
    for (const ShapedFunction::Block &Block : Functions[Caller].Blocks)
      for (uint32_t Callee : Block.Callees)
        if (!isExternal(Callee) && Callee != Caller) {
          Functions[Caller].Neighbors.push_back(Callee);
          Functions[Callee].Neighbors.push_back(Caller);
        }
  for (ShapedFunction &F : Functions) {
    llvm::sort(F.Neighbors);
    F.Neighbors.erase(llvm::unique(F.Neighbors), F.Neighbors.end());
  }
}

} // namespace

uint32_t graupel::externalNumber(StringRef Name) {
  return fold(hashOf(Name)) | External;
}

std::vector<uint32_t> graupel::reversePostorder(const ShapedFunction &F) {
  std::vector<uint32_t> Order;
  std::vector<bool> Seen(F.Blocks.size());
  std::vector<std::pair<uint32_t, uint32_t>> Path; // Block, next successor.
  auto visit = [&](uint32_t Root) {
    if (Seen[Root])
      return;
    const size_t Begin = Order.size();
    Seen[Root] = true;
    Path.push_back({Root, 0});
    while (!Path.empty()) {
      auto &[Block, Next] = Path.back();
      const auto &Successors = F.Blocks[Block].Successors;
      if (Next == Successors.size()) {
        Order.push_back(Block);
        Path.pop_back();
      } else if (const uint32_t To = Successors[Next++]; !Seen[To]) {
        Seen[To] = true;
        Path.push_back({To, 0});
      }
    }
    std::reverse(Order.begin() + Begin, Order.end());
  };
  for (uint32_t Block = 0; Block < F.Blocks.size(); ++Block)
    visit(Block);
  return Order;
}

uint64_t graupel::graphSignature(const ShapedFunction &F) {
  const std::vector<uint32_t> Order = reversePostorder(F);
  std::vector<uint32_t> Number(Order.size());
  for (auto [Index, Block] : llvm::enumerate(Order))
    Number[Block] = Index;
  uint64_t Hash = F.Blocks.size();
  for (uint32_t Index : Order) {
    const ShapedFunction::Block &Block = F.Blocks[Index];
    Hash = mix(mix(Hash, Block.Shape.Exit), Block.Successors.size());
    for (uint32_t To : Block.Successors)
      Hash = mix(Hash, Number[To]);
  }
  return Hash;
}

void ShapedImage::forgetInstructions() {
  HasInstructions = false;
  for (ShapedFunction &F : Functions)
    for (ShapedFunction::Block &Block : F.Blocks) {
      uint64_t Hash = mix(Block.Successors.size(), Block.Callees.size());
      for (uint32_t Callee : Block.Callees)
        Hash = mix(Hash, isExternal(Callee) ? Callee : 0);
      Block.Shape.Exact = Block.Shape.Mnemonics = Block.Shape.Sketch =
          fold(Hash);
      Block.Shape.Instructions = 1;
      Block.Shape.Exit = BlockShape::Continues;
    }
}

void ShapedImage::complete() {
  for (ShapedFunction &F : Functions)
    summarize(F);
  subtractAverage(Functions);
  findNeighbors(Functions);
}

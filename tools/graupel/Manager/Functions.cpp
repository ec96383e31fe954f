//===- Manager/Functions.cpp - Functions of images ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Environment/Output/GivenFile.h"
#include "Environment/Store/FileIdentity.h"
#include "Profile/EdgeCounts.h"
#include "Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::ui;

/// The largest size of an image.
static constexpr uint64_t MostBytes = uint64_t(1) << 32;

/// Step 1 for one function.
static FunctionCounts countsOf(const graupel::Profile &P,
                               const graupel::FunctionProfile &F) {
  FunctionCounts Result;
  Result.Name = P.Meta.Names[F.Name].str();
  Result.Blocks = F.numBlocks();
  // The number of entries into each block, from anywhere.
  std::vector<uint64_t> Counts(F.numBlocks() + 1);
  const graupel::Flow Flow = graupel::edgeCounts(P, F);
  for (auto [Edge, Count] : zip_equal(F.Edges, Flow.Counts)) {
    Counts[Edge.To] += Count;
    if (Edge.From == F.numBlocks() && Edge.To == 0)
      Result.Calls += Count;
  }
  for (uint32_t Block = 0; Block < F.numBlocks(); ++Block) {
    Result.ExecutedBlocks += Counts[Block] != 0;
    Result.Instructions +=
        Counts[Block] * (F.Shapes.empty() ? 1 : F.Shapes[Block].Instructions);
  }
  return Result;
}

Expected<std::vector<FunctionCounts>>
graupel::ui::functionCounts(StringRef Bytes) {
  Expected<graupel::Profile> P = graupel::readProfile(Bytes);
  if (!P)
    return P.takeError();
  std::vector<FunctionCounts> Result;
  for (const graupel::FunctionProfile &F : P->Meta.Functions)
    Result.push_back(countsOf(*P, F));
  sort(Result, [](const FunctionCounts &A, const FunctionCounts &B) {
    return std::pair(B.Instructions, A.Name) <
           std::pair(A.Instructions, B.Name);
  });
  return Result;
}

/// "f" of "f.cold.0", or nothing.
static StringRef wholeOf(StringRef Name) {
  const size_t At = Name.rfind(".cold");
  return At == StringRef::npos || At == 0 ? "" : Name.substr(0, At);
}

Expected<std::map<std::string, FunctionPlace>>
graupel::ui::functionPlaces(const std::string &Path, StringRef Content) {
  // Read, not mapped: what is cut short while it is mapped ends the server.
  std::string Bytes;
  if (auto Wrong = output::readGiven(Path, MostBytes, Bytes))
    return createStringError(Path + ": cannot be read: " + *Wrong);
  if (environment::sha256(Bytes) != Content)
    return createStringError(Path + ": has changed since; learn it again");
  if (!StringRef(Bytes).starts_with(ELF::ElfMagic))
    return createStringError(Path + ": it is no ELF file");
  auto File =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(Bytes, Path));
  if (!File)
    return File.takeError();
  std::map<std::string, FunctionPlace> Result;
  std::vector<std::pair<uint64_t, std::string>> Order;
  for (const object::SymbolRef &S : (*File)->symbols()) {
    auto Type = S.getType();
    auto Name = S.getName();
    auto Address = S.getAddress();
    auto Section = S.getSection();
    const bool IsFunction = Type && *Type == object::SymbolRef::ST_Function &&
                            Name && !Name->empty() && Address && Section &&
                            *Section != (*File)->section_end();
    if (!Type)
      consumeError(Type.takeError());
    if (!Name)
      consumeError(Name.takeError());
    if (!Address)
      consumeError(Address.takeError());
    if (!Section)
      consumeError(Section.takeError());
    if (!IsFunction)
      continue;
    const uint64_t Size = object::ELFSymbolRef(S).getSize();
    if (StringRef Whole = wholeOf(*Name); !Whole.empty()) {
      Result[Whole.str()].ColdSize += Size;
      continue;
    }
    FunctionPlace &To = Result[Name->str()];
    To.Address = *Address;
    To.Size = Size;
    Order.emplace_back(*Address, Name->str());
  }
  sort(Order);
  for (auto [Rank, Entry] : enumerate(Order))
    Result[Entry.second].Rank = Rank + 1;
  return Result;
}

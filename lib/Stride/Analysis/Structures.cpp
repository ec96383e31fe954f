//===- Stride/Analysis/Structures.cpp -------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// findStructures finds arrays of structures, and how to split them:
//
// 1. Take each pair of a site and an object that has a recorded offset, with
//    the references of all threads.
// 2. sizeOfStructure() takes the greatest common divisor of the steps of uses
//    without vectors. It has to be larger than any reference, and at most 1024
//    bytes, or 256 in a nest of loops.
// 3. addFields() makes fields of the offsets modulo the size, counts references
//    by place (the loop, else the line), and counts unused bytes.
// 4. addAffinity() adds up for two fields what both have in the same places.
// 5. addGroups() joins fields that overlap, or that share half of the more
//    frequent one's references. A group with a tenth of all is hot.
// 6. addBytes() estimates the bytes that each place passes, as it is and with
//    one array for each group.
//
//===----------------------------------------------------------------------===//

#include "Structures.h"
#include <algorithm>
#include <numeric>

namespace graupel::stride {

namespace {

/// Larger steps are rows of matrices rather than structures.
constexpr uint64_t MostBytes = 1024;
/// Two fields belong together if so many of the more frequent one's references
/// are in places that use the other.
constexpr double Together = 0.5;
constexpr double Hot = 0.1;

/// References of a site to an object, and where they are in a structure.
struct Part {
  uint32_t Site;
  uint64_t References, Offset;
};

/// 0: nothing tells that it is an array of structures.
uint64_t sizeOfStructure(const Record &R, const Profile &P, uint32_t Object) {
  uint64_t Size = 0, Referred = 0;
  bool IsNest = false;
  for (const Use &U : P.Uses)
    if (U.Object == Object && U.Step && U.Made.MostLanes <= 1) {
      Size = std::gcd(Size, U.Step);
      Referred = std::max<uint64_t>(Referred, U.Made.MostBytes);
      IsNest |= U.Loop != NoNumber && R.Loops[U.Loop].Facts.Depth > 1;
    }
  // In a nest, a column of a matrix looks the same.
  const uint64_t Most = IsNest ? MostBytes / 4 : MostBytes;
  return Size > Referred && Size <= Most ? Size : 0;
}

void addFields(Structure &S, const Record &R, const std::vector<Part> &Parts) {
  std::map<std::pair<uint32_t, uint32_t>, Field> Found;
  std::map<std::pair<Line, std::string>, uint32_t> Places;
  for (const Part &Each : Parts) {
    const Site &Where = R.Sites[Each.Site];
    const auto Offset = static_cast<uint32_t>(Each.Offset % S.Bytes);
    const uint32_t Bytes = std::min(Where.Facts.Bytes, S.Bytes - Offset);
    Field &F = Found[{Offset, Bytes}];
    F.Offset = Offset;
    F.Bytes = Bytes;
    (Where.Facts.Kind == SiteKind::Store ? F.Stores : F.Loads) +=
        Each.References;
    Line At{Where.File, Where.Facts.Line};
    if (Where.Facts.Loop != NoNumber) {
      const Loop &L = R.Loops[Where.Facts.Loop];
      At = {L.File, L.Facts.Line};
    }
    auto [It, New] = Places.try_emplace({At, readableFunction(Where.Function)},
                                        static_cast<uint32_t>(S.Places.size()));
    if (New)
      S.Places.push_back(It->first);
    F.InLoop[It->second] += Each.References;
    S.References += Each.References;
  }
  std::vector<bool> Used(S.Bytes);
  for (auto &[Key, F] : Found) {
    std::fill_n(Used.begin() + F.Offset, F.Bytes, true);
    S.Fields.push_back(std::move(F));
  }
  S.Unused = static_cast<uint32_t>(std::count(Used.begin(), Used.end(), false));
}

void addAffinity(Structure &S) {
  S.Affinity.assign(S.Fields.size(), std::vector<uint64_t>(S.Fields.size()));
  for (size_t A = 0; A < S.Fields.size(); ++A)
    for (size_t B = 0; B < S.Fields.size(); ++B)
      for (auto [Place, Count] : S.Fields[A].InLoop) {
        auto Other = S.Fields[B].InLoop.find(Place);
        if (Other != S.Fields[B].InLoop.end())
          S.Affinity[A][B] += std::min(Count, Other->second);
      }
}

/// Fields that overlap cannot be apart.
bool belongTogether(const Structure &S, size_t A, size_t B) {
  const Field &F = S.Fields[A], &G = S.Fields[B];
  const uint64_t More = std::max(F.references(), G.references());
  return (F.Offset < G.Offset + G.Bytes && G.Offset < F.Offset + F.Bytes) ||
         double(S.Affinity[A][B]) >= Together * double(More);
}

void addGroups(Structure &S) {
  std::vector<uint32_t> GroupOf(S.Fields.size());
  std::iota(GroupOf.begin(), GroupOf.end(), 0u);
  for (size_t A = 0; A < S.Fields.size(); ++A)
    for (size_t B = 0; B < A; ++B)
      if (GroupOf[A] != GroupOf[B] && belongTogether(S, A, B))
        std::replace(GroupOf.begin(), GroupOf.end(),
                     std::max(GroupOf[A], GroupOf[B]),
                     std::min(GroupOf[A], GroupOf[B]));
  std::map<uint32_t, FieldGroup> Groups;
  for (uint32_t N = 0; N < S.Fields.size(); ++N) {
    FieldGroup &G = Groups[GroupOf[N]];
    const uint32_t End = S.Fields[N].Offset + S.Fields[N].Bytes;
    // Overlapping fields stand behind each other.
    uint32_t Before = 0;
    for (uint32_t Other : G.Fields)
      Before = std::max(Before, S.Fields[Other].Offset + S.Fields[Other].Bytes);
    if (End > Before)
      G.Bytes += End - std::max(Before, S.Fields[N].Offset);
    G.Fields.push_back(N);
    G.References += S.Fields[N].references();
  }
  for (auto &[Key, G] : Groups) {
    G.Hot = double(G.References) >= Hot * double(S.References);
    S.Groups.push_back(std::move(G));
  }
  std::stable_sort(S.Groups.begin(), S.Groups.end(),
                   [](const FieldGroup &A, const FieldGroup &B) {
                     return A.References > B.References;
                   });
}

/// A place passes as many elements as its most frequent field has references,
/// and fetches the lines of what it uses.
void addBytes(Structure &S) {
  for (uint32_t Place = 0; Place < S.Places.size(); ++Place) {
    uint64_t Elements = 0;
    double Split = 0;
    std::vector<bool> Lines(S.Bytes / LineBytes + 1);
    for (const FieldGroup &G : S.Groups) {
      uint64_t Most = 0;
      for (uint32_t N : G.Fields) {
        const Field &F = S.Fields[N];
        auto Found = F.InLoop.find(Place);
        if (Found == F.InLoop.end())
          continue;
        Most = std::max(Most, Found->second);
        for (uint32_t At = F.Offset; At < F.Offset + F.Bytes; ++At)
          Lines[At / LineBytes] = true;
      }
      Elements = std::max(Elements, Most);
      Split += double(Most) * G.Bytes;
    }
    const auto Touched =
        static_cast<uint64_t>(std::count(Lines.begin(), Lines.end(), true));
    S.BytesNow += double(Elements) *
                  double(std::min<uint64_t>(S.Bytes, Touched * LineBytes));
    S.BytesSplit += Split;
  }
}

} // namespace

std::vector<Structure> findStructures(const Record &R, const Objects &O,
                                      const Profile &P) {
  using Key = std::pair<uint32_t, uint32_t>; // Site, recorded object.
  std::map<Key, uint64_t> References;
  for (const ShareCounts &S : R.Shares)
    References[{S.Facts.Site, S.Facts.Object}] += S.Facts.References;
  std::map<uint32_t, std::vector<Part>> Parts;
  std::map<Key, bool> Known;
  for (const OffsetRecord &Each : R.Offsets) {
    const Key K{Each.Site, Each.Object};
    if (!Known.try_emplace(K, true).second)
      continue; // The same site in another thread.
    Parts[O.numberOf(Each.Object)].push_back(
        {Each.Site, References[K], Each.Offset});
  }
  std::vector<Structure> Result;
  for (const auto &[Object, Some] : Parts) {
    Structure S;
    S.Object = Object;
    S.Bytes = static_cast<uint32_t>(sizeOfStructure(R, P, Object));
    if (!S.Bytes)
      continue;
    addFields(S, R, Some);
    addAffinity(S);
    addGroups(S);
    addBytes(S);
    Result.push_back(std::move(S));
  }
  std::stable_sort(Result.begin(), Result.end(),
                   [](const Structure &A, const Structure &B) {
                     return A.References > B.References;
                   });
  return Result;
}

} // namespace graupel::stride

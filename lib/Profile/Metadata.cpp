//===- Profile/Metadata.cpp - Meaning of the counters of a profile --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodes and decodes the description of a profile's counters.
//
// 1. Encoder and Decoder write and read numbers in few bytes. A Decoder that
//    has met an error returns zeros from then on.
// 2. MetadataWriter collects names, functions and shapes apart. finish puts
//    them behind the fixed part and room for the entry points, which
//    setEntryPoints fills in later.
// 3. readMetadata checks that the fixed part and the lists fit into the bytes.
//    It reads the names and the entry points, and sorts the latter by address.
// 4. readFunction reads a function and checks all its indices. Its first
//    counter and site must follow those of the function before.
// 5. Shapes are read if there are bytes left. At the end nothing may be left
//    over, and the numbers of counters and sites must be those of the header.
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace graupel;
namespace endian = llvm::support::endian;

namespace {

// The fixed part: numbers of names, functions and entry points, and the size of
// the names. Entry points come next, at their fixed size, then the names, then
// the functions and, since format 2, the shapes of all their blocks.
constexpr size_t FixedSize = 4 * sizeof(uint64_t);
constexpr size_t EntryPointSize = sizeof(uint64_t) + 2 * sizeof(uint32_t);

class Encoder {
public:
  explicit Encoder(SmallVectorImpl<char> &Out) : OS(Out) {}

  Encoder &operator<<(uint64_t Value) {
    encodeULEB128(Value, OS);
    return *this;
  }
  /// 0 for nothing.
  Encoder &operator<<(std::optional<uint32_t> Value) {
    return *this << (Value ? uint64_t(*Value) + 1 : 0);
  }
  /// A value and a flag.
  Encoder &pair(uint64_t Value, bool Flag) {
    return *this << (Value << 1 | Flag);
  }
  Encoder &operator<<(const BlockShape &Shape) {
    char Hashes[3 * sizeof(uint32_t)];
    endian::write32le(Hashes, Shape.Exact);
    endian::write32le(Hashes + 4, Shape.Mnemonics);
    endian::write32le(Hashes + 8, Shape.Sketch);
    OS << StringRef(Hashes, sizeof(Hashes));
    return *this << uint64_t(Shape.Instructions) * BlockShape::NumExitKinds +
                        Shape.Exit;
  }

private:
  raw_svector_ostream OS;
};

/// Reads back what Encoder wrote. After a read beyond the end, or of a value
/// that is too large, ok() is false and all further values are 0.
class Decoder {
public:
  explicit Decoder(StringRef Bytes) : Data(Bytes, /*IsLittleEndian=*/true, 8) {}
  ~Decoder() { consumeError(At.takeError()); }

  bool ok() { return static_cast<bool>(At) && !Failed; }
  bool atEnd() { return ok() && Data.eof(At); }
  void fail() { Failed = true; }

  /// A value below \p Limit.
  uint64_t below(uint64_t Limit) {
    const uint64_t Value = Data.getULEB128(At);
    if (Value >= Limit || !ok())
      Failed = true;
    return Failed ? 0 : Value;
  }
  uint32_t number() { return below(uint64_t(1) << 32); }
  std::optional<uint32_t> optional() {
    const uint64_t Value = below((uint64_t(1) << 32) + 1);
    if (!Value)
      return std::nullopt;
    return Value - 1;
  }
  BlockShape shape() {
    BlockShape Shape;
    Shape.Exact = Data.getU32(At);
    Shape.Mnemonics = Data.getU32(At);
    Shape.Sketch = Data.getU32(At);
    const uint64_t Rest = below((uint64_t(1) << 32) * BlockShape::NumExitKinds);
    Shape.Instructions = Rest / BlockShape::NumExitKinds;
    Shape.Exit = BlockShape::ExitKind(Rest % BlockShape::NumExitKinds);
    return Shape;
  }
  /// The number of things that follow, each of which takes a byte or more.
  uint64_t count() { return below(Data.size() - At.tell() + 1); }

private:
  DataExtractor Data;
  DataExtractor::Cursor At{0};
  bool Failed = false;
};

FunctionProfile readFunction(Decoder &In, uint64_t NumNames) {
  FunctionProfile F;
  F.Name = In.below(NumNames);
  for (uint64_t N = In.count(); N && In.ok(); --N)
    F.Blocks.push_back(In.number());
  F.FirstCounter = In.number();
  const uint64_t Outside = F.numBlocks();
  for (uint64_t N = In.count(); N && In.ok(); --N) {
    FunctionProfile::Edge Edge;
    const uint64_t From = In.below(2 * (Outside + 1));
    Edge.From = From >> 1;
    Edge.Counted = From & 1;
    Edge.To = In.below(Outside + 1);
    Edge.Branch = In.optional();
    if (Edge.Branch && Edge.From == Outside && Edge.To == Outside)
      In.fail();
    F.Edges.push_back(Edge);
  }
  for (uint64_t N = In.count(); N && In.ok(); --N) {
    FunctionProfile::Call Call;
    const uint64_t Index =
        In.below(2 * std::max<uint64_t>(Outside, F.Edges.size()));
    Call.Index = Index >> 1;
    Call.IsEdge = Index & 1;
    if (Call.Index >= (Call.IsEdge ? F.Edges.size() : Outside))
      In.fail();
    Call.Offset = In.number();
    Call.Callee = In.below(NumNames);
    Call.CalleeOffset = In.number();
    F.Calls.push_back(Call);
  }
  F.FirstSite = In.number();
  for (uint64_t N = In.count(); N && In.ok(); --N)
    F.Sites.push_back(In.number());
  return F;
}

Error damaged(const Twine &Reason) { return createStringError(Reason); }

Error readNames(StringRef Bytes, uint64_t NumNames, Metadata &Result) {
  for (; NumNames; --NumNames) {
    const size_t End = Bytes.find('\0');
    if (End == StringRef::npos || !End)
      return damaged("its list of names is cut off");
    Result.Names.push_back(Bytes.take_front(End));
    Bytes = Bytes.drop_front(End + 1);
  }
  if (!Bytes.empty())
    return damaged("its list of names is too long");
  return Error::success();
}

Error readEntryPoints(StringRef Bytes, Metadata &Result) {
  for (; !Bytes.empty(); Bytes = Bytes.drop_front(EntryPointSize)) {
    EntryPoint Point;
    Point.Address = endian::read64le(Bytes.data());
    Point.Function = endian::read32le(Bytes.data() + 8);
    Point.Offset = endian::read32le(Bytes.data() + 12);
    if (Point.Function >= Result.Names.size())
      return damaged("an entry point has no name");
    Result.EntryPoints.push_back(Point);
  }
  llvm::stable_sort(Result.EntryPoints,
                    [](auto &A, auto &B) { return A.Address < B.Address; });
  return Error::success();
}

} // namespace

uint32_t MetadataWriter::addName(StringRef Name) {
  Names += Name;
  Names.push_back('\0');
  return NumNames++;
}

void MetadataWriter::add(const FunctionProfile &F) {
  ++NumFunctions;
  Encoder Out(Functions);
  Out << F.Name << F.Blocks.size();
  for (uint32_t Offset : F.Blocks)
    Out << Offset;
  Out << F.FirstCounter << F.Edges.size();
  for (const FunctionProfile::Edge &Edge : F.Edges)
    Out.pair(Edge.From, Edge.Counted) << Edge.To << Edge.Branch;
  Out << F.Calls.size();
  for (const FunctionProfile::Call &Call : F.Calls)
    Out.pair(Call.Index, Call.IsEdge)
        << Call.Offset << Call.Callee << Call.CalleeOffset;
  Out << F.FirstSite << F.Sites.size();
  for (uint32_t Offset : F.Sites)
    Out << Offset;
  HasShapes &= F.Shapes.size() == F.Blocks.size();
  Encoder Apart(Shapes);
  for (const BlockShape &Shape : F.Shapes)
    Apart << Shape;
}

std::string MetadataWriter::finish(size_t NumEntryPoints) const {
  std::string Bytes(FixedSize + NumEntryPoints * EntryPointSize, '\0');
  const uint64_t Fixed[] = {NumNames, NumFunctions, NumEntryPoints,
                            Names.size()};
  for (size_t I = 0; I < std::size(Fixed); ++I)
    endian::write64le(Bytes.data() + I * sizeof(uint64_t), Fixed[I]);
  Bytes += Names;
  Bytes += Functions;
  if (HasShapes)
    Bytes += Shapes;
  return Bytes;
}

void MetadataWriter::setEntryPoints(MutableArrayRef<uint8_t> Metadata,
                                    ArrayRef<EntryPoint> Points) {
  uint8_t *At = Metadata.data() + FixedSize;
  for (const EntryPoint &Point : Points) {
    endian::write64le(At, Point.Address);
    endian::write32le(At + 8, Point.Function);
    endian::write32le(At + 12, Point.Offset);
    At += EntryPointSize;
  }
}

const EntryPoint *Metadata::entryPointAt(int64_t Address) const {
  const auto At = llvm::lower_bound(
      EntryPoints, Address,
      [](const EntryPoint &Point, int64_t A) { return Point.Address < A; });
  return At != EntryPoints.end() && At->Address == Address ? &*At : nullptr;
}

Expected<Metadata> graupel::readMetadata(StringRef Bytes, uint64_t NumCounters,
                                         uint64_t NumSites) {
  if (Bytes.size() < FixedSize)
    return damaged("its description is cut off");
  uint64_t Fixed[4];
  for (size_t I = 0; I < std::size(Fixed); ++I)
    Fixed[I] = endian::read64le(Bytes.data() + I * sizeof(uint64_t));
  const auto [NumNames, NumFunctions, NumEntryPoints, NamesSize] = Fixed;
  Bytes = Bytes.drop_front(FixedSize);
  if (NumEntryPoints > Bytes.size() / EntryPointSize)
    return damaged("its list of entry points is cut off");
  const StringRef Points = Bytes.take_front(NumEntryPoints * EntryPointSize);
  Bytes = Bytes.drop_front(Points.size());
  if (NamesSize > Bytes.size())
    return damaged("its list of names is cut off");

  Metadata Result;
  if (Error E = readNames(Bytes.take_front(NamesSize), NumNames, Result))
    return E;
  if (Error E = readEntryPoints(Points, Result))
    return E;
  Decoder In(Bytes.drop_front(NamesSize));
  uint64_t Counters = 0, Sites = 0;
  for (uint64_t I = 0; I < NumFunctions; ++I) {
    FunctionProfile F = readFunction(In, NumNames);
    if (F.FirstCounter != Counters || F.FirstSite != Sites)
      In.fail();
    if (!In.ok())
      return damaged("its description of function " + Twine(I) + " is wrong");
    Counters +=
        llvm::count_if(F.Edges, [](auto &Edge) { return Edge.Counted; });
    Sites += F.Sites.size();
    Result.Functions.push_back(std::move(F));
  }
  if (!In.atEnd())
    for (FunctionProfile &F : Result.Functions) {
      for (uint32_t N = F.numBlocks(); N && In.ok(); --N)
        F.Shapes.push_back(In.shape());
      if (!In.ok())
        return damaged("its description of blocks is cut off");
    }
  if (!In.atEnd())
    return damaged("its description has something after its end");
  // So no count in the header can be larger than the description.
  if (Counters != NumCounters || Sites != NumSites)
    return damaged("its description is not of what it counts");
  return Result;
}

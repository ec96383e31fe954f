//===- Profile/ProfileFile.cpp - Files of counts --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads, adds and seals files of counts.
//
// 1. makeHeader computes the sizes and offsets of a file, its plan and its
//    checksum.
// 2. readProfile checks the header first (checkHeader), then the description
//    against the plan, and the counts of a sealed file against their checksum.
//    It decodes the description.
// 3. addSlot adds the counters and targets of each slot. A target of a site
//    that does not exist is an error.
// 4. openProfile and readProfileFile read a file or pipe; devices are refused.
// 5. Profile::add sums two profiles up to the largest number. scale makes
//    counts smaller, but not 0.
// 6. seal writes one slot with all counts, and new checksums.
//
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>

using namespace llvm;
using namespace graupel;

static_assert(sizeof(graupel_profile_header) <= GRAUPEL_PROFILE_PAGE);
static_assert(sizeof(graupel_image_state) % GRAUPEL_PROFILE_PAGE == 0);

namespace {

constexpr uint64_t Page = GRAUPEL_PROFILE_PAGE;

uint64_t hash(StringRef Bytes) {
  return xxh3_64bits(ArrayRef(Bytes.bytes_begin(), Bytes.size()));
}

uint64_t headerChecksum(const graupel_profile_header &Header) {
  return hash(StringRef(reinterpret_cast<const char *>(&Header),
                        offsetof(graupel_profile_header, checksum)));
}

/// Two files with the same code, but built another time, are two plans.
uint64_t planOf(StringRef Metadata, const graupel_profile_header &Header) {
  std::string Bytes(reinterpret_cast<const char *>(Header.build_id),
                    sizeof(Header.build_id));
  return hash(Bytes += Metadata);
}

StringRef padded(const graupel_profile_header &Header, std::string &Storage) {
  Storage.assign(Page, '\0');
  std::memcpy(Storage.data(), &Header, sizeof(Header));
  return Storage;
}

Error damaged(const Twine &Reason) {
  return createStringError("damaged profile: " + Reason +
                           "; remove it and record again");
}

/// True if \p Header describes a file whose parts do not overlap and whose
/// sizes can be added without overflow.
bool isConsistent(const graupel_profile_header &Header) {
  constexpr uint64_t Most = uint64_t(1) << 40;
  for (uint64_t Size : {Header.metadata_size, Header.slots_offset,
                        Header.slot_size, Header.region_size, Header.site_count,
                        Header.counter_count, Header.target_count})
    if (Size > Most)
      return false;
  // The plan is of all bytes of the build-id.
  return Header.build_id_size <= sizeof(Header.build_id) &&
         all_of(drop_begin(Header.build_id, Header.build_id_size),
                [](uint8_t Byte) { return !Byte; }) &&
         !(Header.flags & ~GRAUPEL_PROFILE_SEALED) &&
         Header.slots_offset == Page + alignTo(Header.metadata_size, Page) &&
         Header.region_size ==
             alignTo(countersOffset(Header.site_count) +
                         Header.counter_count * sizeof(uint64_t),
                     Page) &&
         Header.slot_size ==
             Page + Header.region_size +
                 alignTo(Header.target_count * sizeof(graupel_target), Page);
}

Error checkHeader(const graupel_profile_header &Header, uint64_t FileSize) {
  if (!Header.version || Header.version > GRAUPEL_PROFILE_VERSION)
    return createStringError(
        "the profile is of format " + Twine(Header.version) +
        ", this graupel-bolt reads formats up to " +
        Twine(GRAUPEL_PROFILE_VERSION) + "; instrument and record again");
  if (Header.checksum != headerChecksum(Header) || !isConsistent(Header))
    return damaged("its header is wrong");
  if (FileSize < Header.slots_offset)
    return damaged("it ends at byte " + Twine(FileSize) +
                   ", before its description does");
  if ((FileSize - Header.slots_offset) % Header.slot_size)
    return damaged("its last slot is cut off");
  return Error::success();
}

uint64_t addCounts(uint64_t A, uint64_t B) { return SaturatingAdd(A, B); }

/// Adds the counts of one slot to \p P. The slot may be changing.
Error addSlot(StringRef Slot, Profile &P) {
  const graupel_profile_header &Header = P.Header;
  StringRef Region = Slot.substr(Page, Header.region_size);
  StringRef Targets = Slot.drop_front(Page + Header.region_size);
  graupel_region_control Control;
  std::memcpy(&Control, Region.data(), sizeof(Control));
  P.Dropped = addCounts(P.Dropped, Control.dropped);
  const char *Counts = Region.data() + countersOffset(Header.site_count);
  for (uint64_t I = 0; I < Header.counter_count; ++I)
    P.Counters[I] =
        addCounts(P.Counters[I], support::endian::read64le(Counts + 8 * I));
  for (uint64_t I = 0; I < Header.target_count; ++I) {
    graupel_target Target;
    std::memcpy(&Target, Targets.data() + I * sizeof(Target), sizeof(Target));
    if (!Target.key)
      continue;
    if ((Target.key >> GRAUPEL_TARGET_BITS) > Header.site_count ||
        !(Target.key >> GRAUPEL_TARGET_BITS))
      return damaged("it counts an indirect call that does not exist");
    uint64_t &Count = P.Targets[Target.key];
    Count = addCounts(Count, Target.count);
  }
  return Error::success();
}

} // namespace

bool graupel::isProfile(StringRef Bytes) {
  return Bytes.starts_with(StringRef(GRAUPEL_PROFILE_MAGIC, 8));
}

graupel_profile_header graupel::makeHeader(StringRef Metadata,
                                           ArrayRef<uint8_t> BuildID,
                                           uint64_t NumSites,
                                           uint64_t NumCounters,
                                           uint64_t NumTargets) {
  graupel_profile_header Header = {};
  std::memcpy(Header.magic, GRAUPEL_PROFILE_MAGIC, sizeof(Header.magic));
  Header.version = GRAUPEL_PROFILE_VERSION;
  Header.build_id_size = std::min(BuildID.size(), sizeof(Header.build_id));
  std::memcpy(Header.build_id, BuildID.data(), Header.build_id_size);
  Header.plan = planOf(Metadata, Header);
  Header.metadata_size = Metadata.size();
  Header.slots_offset = Page + alignTo(Metadata.size(), Page);
  Header.region_size =
      alignTo(countersOffset(NumSites) + NumCounters * sizeof(uint64_t), Page);
  Header.slot_size = Page + Header.region_size +
                     alignTo(NumTargets * sizeof(graupel_target), Page);
  Header.site_count = NumSites;
  Header.counter_count = NumCounters;
  Header.target_count = NumTargets;
  Header.checksum = headerChecksum(Header);
  return Header;
}

Expected<Profile> graupel::readProfile(StringRef Bytes) {
  if (!isProfile(Bytes))
    return createStringError("not a profile of Graupel; give the file that the "
                             "instrumented program wrote");
  Profile P;
  if (Bytes.size() < Page)
    return damaged("its header is cut off");
  std::memcpy(&P.Header, Bytes.data(), sizeof(P.Header));
  if (Error E = checkHeader(P.Header, Bytes.size()))
    return E;
  P.MetadataBytes = Bytes.substr(Page, P.Header.metadata_size).str();
  if (planOf(P.MetadataBytes, P.Header) != P.Header.plan)
    return damaged("its description does not match its checksum");
  const StringRef Slots = Bytes.drop_front(P.Header.slots_offset);
  if (P.Header.flags & GRAUPEL_PROFILE_SEALED &&
      hash(Slots) != P.Header.slots_checksum)
    return damaged("its counts do not match their checksum");
  Expected<Metadata> Meta = readMetadata(
      P.MetadataBytes, P.Header.counter_count, P.Header.site_count);
  if (!Meta)
    return damaged(toString(Meta.takeError()));
  P.Meta = std::move(*Meta);
  // The names refer to the bytes, which must not move with the profile.
  P.Counters.assign(P.Header.counter_count, 0);
  for (uint64_t At = 0; At < Slots.size(); At += P.Header.slot_size)
    if (Error E = addSlot(Slots.substr(At, P.Header.slot_size), P))
      return E;
  return P;
}

Expected<std::unique_ptr<MemoryBuffer>>
graupel::openProfile(const std::string &Path) {
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) &&
      (Status.type() == sys::fs::file_type::character_file ||
       Status.type() == sys::fs::file_type::block_file))
    return createStringError(Path + ": is a device, not a profile; give the "
                                    "file that the instrumented program wrote");
  // Processes may be counting into it.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  if (!Buffer)
    return createStringError(
        Buffer.getError(),
        Path + ": cannot read the profile: " + Buffer.getError().message() +
            "; check its name and your rights");
  return std::move(*Buffer);
}

Expected<Profile> graupel::readProfileFile(const std::string &Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openProfile(Path);
  if (!Buffer)
    return Buffer.takeError();
  Expected<Profile> P = readProfile((*Buffer)->getBuffer());
  if (!P)
    return createStringError(Path + ": " + toString(P.takeError()));
  return P;
}

void Profile::add(const Profile &Other) {
  assert(Header.plan == Other.Header.plan && "profiles of different images");
  for (size_t I = 0; I < Counters.size(); ++I)
    Counters[I] = addCounts(Counters[I], Other.Counters[I]);
  for (const auto &[Key, Count] : Other.Targets) {
    uint64_t &Sum = Targets[Key];
    Sum = addCounts(Sum, Count);
  }
  Dropped = addCounts(Dropped, Other.Dropped);
}

void Profile::scale(double Weight) {
  if (Weight == 1)
    return;
  auto scaled = [Weight](uint64_t Count) {
    return Count ? uint64_t(std::max(1.0, std::round(double(Count) * Weight)))
                 : 0;
  };
  for (uint64_t &Count : Counters)
    Count = scaled(Count);
  for (auto &[Key, Count] : Targets)
    Count = scaled(Count);
  Dropped = scaled(Dropped);
}

double Profile::total() const {
  return std::accumulate(Counters.begin(), Counters.end(), 0.0);
}

std::string Profile::seal() const {
  graupel_profile_header Sealed =
      makeHeader(MetadataBytes, buildID(), Header.site_count,
                 Header.counter_count, Targets.size());
  Sealed.version = Header.version;
  Sealed.flags = GRAUPEL_PROFILE_SEALED;
  std::string Slot(Sealed.slot_size, '\0');
  graupel_region_control Control = {};
  Control.dropped = Dropped;
  std::memcpy(Slot.data() + Page, &Control, sizeof(Control));
  char *At = Slot.data() + Page + countersOffset(Sealed.site_count);
  for (uint64_t Count : Counters) {
    support::endian::write64le(At, Count);
    At += sizeof(uint64_t);
  }
  At = Slot.data() + Page + Sealed.region_size;
  for (const auto &[Key, Count] : Targets) {
    const graupel_target Target = {Key, Count};
    std::memcpy(At, &Target, sizeof(Target));
    At += sizeof(Target);
  }
  Sealed.slots_checksum = hash(Slot);
  Sealed.checksum = headerChecksum(Sealed);

  std::string Head;
  std::string Bytes = padded(Sealed, Head).str();
  Bytes += MetadataBytes;
  Bytes.resize(Sealed.slots_offset, '\0');
  return Bytes + Slot;
}

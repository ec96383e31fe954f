//===- numa/Run/Data.cpp - Variables with copies --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole segment that has the variables becomes memory that may have copies:
// any pointer into it points to an object that is entirely in it, so that code
// need not know which variable it reads. Only the named variables have copies.
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "Kernel.h"
#include "Machine.h"
#include "Replicas.h"
#include "graupel/numa_copies.h"
#include <algorithm>
#include <link.h>
#include <sys/mman.h>

using namespace graupel::numa;

extern "C" graupel_numa_range graupel_numa_data;

namespace {

graupel_numa_replicas *Data;
size_t Present;
const char *Complaint = "";

/// The part of a segment that a program may write: without the part that the
/// dynamic linker protects when it has finished.
struct Segment {
  uint64_t Start = 0, End = 0;
  bool has(const std::pair<uint64_t, uint64_t> &Range) const {
    return Range.first >= Start && Range.second <= End;
  }
};

struct Search {
  const std::vector<std::pair<uint64_t, uint64_t>> &Variables;
  Segment Found;
};

int visit(dl_phdr_info *Info, size_t, void *Pass) {
  auto &S = *static_cast<Search *>(Pass);
  uint64_t Protected = 0;
  for (int N = 0; N < Info->dlpi_phnum; ++N)
    if (const ElfW(Phdr) &H = Info->dlpi_phdr[N]; H.p_type == PT_GNU_RELRO)
      Protected = pageUp(Info->dlpi_addr + H.p_vaddr + H.p_memsz);
  for (int N = 0; N < Info->dlpi_phnum; ++N) {
    const ElfW(Phdr) &H = Info->dlpi_phdr[N];
    if (H.p_type != PT_LOAD || !(H.p_flags & PF_W))
      continue;
    Segment Candidate{pageDown(Info->dlpi_addr + H.p_vaddr),
                      pageUp(Info->dlpi_addr + H.p_vaddr + H.p_memsz)};
    if (Protected > Candidate.Start && Protected <= Candidate.End)
      Candidate.Start = Protected;
    if (std::all_of(S.Variables.begin(), S.Variables.end(),
                    [&](const auto &V) { return Candidate.has(V); }))
      S.Found = Candidate;
  }
  return 1; // the program itself comes first
}

/// The mappings of nodes have places that nobody else has.
bool reserve(const Segment &S) {
  const size_t Nodes = machine().T.Nodes.size();
  for (size_t N = 0; N < Nodes; ++N) {
    auto *Where = reinterpret_cast<void *>(
        S.Start + ((N + 1) << GRAUPEL_NUMA_WINDOW_SHIFT));
    if (mmap(Where, S.End - S.Start, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0) == Where)
      continue;
    for (; N > 0; --N)
      munmap(
          reinterpret_cast<void *>(S.Start + (N << GRAUPEL_NUMA_WINDOW_SHIFT)),
          S.End - S.Start);
    return false;
  }
  return true;
}

} // namespace

bool graupel::numa::convertData(
    const std::vector<std::pair<uint64_t, uint64_t>> &Variables) {
  if (machine().Trivial)
    return false;
  Search S{Variables, {}};
  dl_iterate_phdr(visit, &S);
  if (S.Found.Start >= S.Found.End) {
    Complaint = "it is constant, or not the program's own; it is interleaved";
    return false;
  }
  if (!reserve(S.Found)) {
    Complaint = "there is no address space for copies; it is interleaved";
    return false;
  }
  Data = convertToReplicas(reinterpret_cast<char *>(S.Found.Start),
                           S.Found.End - S.Found.Start,
                           size_t(1) << GRAUPEL_NUMA_WINDOW_SHIFT);
  if (!Data) {
    Complaint = "there is no memory for copies; it is interleaved";
    return false;
  }
  for (auto [Start, End] : Variables)
    allowCopiesIn(Data, reinterpret_cast<void *>(Start), End - Start);
  graupel_numa_data = {S.Found.Start, S.Found.End - S.Found.Start};
  return true;
}

const char *graupel::numa::dataComplaint() { return Complaint; }

void graupel::numa::copyData() {
  if (Data && isStill(Data, Present))
    graupel_numa_replicate(Data, 0, 0);
}

graupel_numa_replica_counts graupel::numa::copiesOfData(uint64_t Start,
                                                        uint64_t End) {
  return copiesIn(Data, reinterpret_cast<void *>(Start), End - Start);
}

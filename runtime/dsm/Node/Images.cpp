//===- Images.cpp - Programs and libraries are the same everywhere --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer to a function, a vtable or a constant may be put into shared
// memory if it means the same on all nodes: the same files at the same
// addresses. That is compared when the job starts:
//
//   1. Each node lists what is loaded: path, build ID (or a hash of what is
//      mapped read-only), address. The list is taken before PMIx and UCX load
//      their components, which depend on the host.
//   2. It lists what the indirect functions of all files have become. Those of
//      the C library are chosen by the processor's features, so that strcmp may
//      have another address on another host even at the same base.
//   3. Nodes exchange digests. If all are equal, that is all.
//   4. Otherwise they exchange the lists, and each compares its own with node
//      0's. Another file or address ends the job; another choice is a warning,
//      because such functions do the same.
//
// Not compared: what dlopen loads later; the vDSO, which is the kernel's.
//
//===----------------------------------------------------------------------===//

#include "Node/Images.h"
#include "Errors/Error.h"
#include "Node/Digest.h"
#include "Node/FixedAddresses.h"
#include "Trace/Modules.h"
#include "Transport/Fatal.h"
#include <algorithm>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

namespace graupel::dsm {

namespace {

using trace::Module;

//===-- Loaded files ------------------------------------------------------===//

/// A hash of the segments that the loader has not written to, and of all sizes.
std::string hashContents(const Module &M) {
  Digest D;
  for (unsigned I = 0; I != M.HeaderCount; ++I) {
    const ElfW(Phdr) &P = M.Headers[I];
    if (P.p_type != PT_LOAD)
      continue;
    D.add(&P, sizeof(P));
    if ((P.p_flags & PF_R) && !(P.p_flags & PF_W))
      D.add(reinterpret_cast<const void *>(M.Base + P.p_vaddr), P.p_filesz);
  }
  return "hash-" + D.text();
}

bool isKernels(const Module &M) {
  return M.Path.rfind("linux-", 0) == 0; // linux-vdso.so.1
}

std::string nameOf(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

//===-- Indirect functions ------------------------------------------------===//

/// The symbols of a file's dynamic section.
struct SymbolTable {
  const ElfW(Sym) *Symbols = nullptr;
  const char *Names = nullptr;
  uint32_t Count = 0;
};

/// The number of symbols is where the last chain of the hash table ends.
uint32_t countSymbols(const uint32_t *Hash) {
  uint32_t Buckets = Hash[0], First = Hash[1], BloomWords = Hash[2];
  const uint32_t *Bucket = Hash + 4 + BloomWords * (sizeof(ElfW(Addr)) / 4);
  const uint32_t *Chain = Bucket + Buckets;
  uint32_t Last = 0;
  for (uint32_t I = 0; I != Buckets; ++I)
    Last = std::max(Last, Bucket[I]);
  if (Last < First)
    return First;
  while (!(Chain[Last - First] & 1))
    ++Last;
  return Last + 1;
}

SymbolTable symbolsOf(const Module &M) {
  SymbolTable T;
  const ElfW(Dyn) *Entry = nullptr;
  for (unsigned I = 0; I != M.HeaderCount; ++I)
    if (M.Headers[I].p_type == PT_DYNAMIC)
      Entry =
          reinterpret_cast<const ElfW(Dyn) *>(M.Base + M.Headers[I].p_vaddr);
  for (; Entry && Entry->d_tag != DT_NULL; ++Entry) {
    // glibc has added the base already.
    auto *P = reinterpret_cast<const void *>(Entry->d_un.d_ptr);
    if (Entry->d_tag == DT_SYMTAB)
      T.Symbols = static_cast<const ElfW(Sym) *>(P);
    else if (Entry->d_tag == DT_STRTAB)
      T.Names = static_cast<const char *>(P);
    else if (Entry->d_tag == DT_GNU_HASH)
      T.Count = countSymbols(static_cast<const uint32_t *>(P));
  }
  if (!T.Symbols || !T.Names)
    T.Count = 0;
  return T;
}

/// `file+offset`, which does not depend on where the file is.
std::string placeOf(uintptr_t Address, const std::vector<Module> &All) {
  for (const Module &M : All)
    if (M.has(Address))
      return nameOf(M.Path) + format("+0x%zx", Address - M.Base);
  return "?";
}

void addChosen(const Module &M, const std::vector<Module> &All,
               std::vector<std::string> &Chosen) {
  SymbolTable T = symbolsOf(M);
  for (uint32_t I = 0; I != T.Count; ++I) {
    const ElfW(Sym) &S = T.Symbols[I];
    if (ELF64_ST_TYPE(S.st_info) != STT_GNU_IFUNC || S.st_shndx == SHN_UNDEF)
      continue;
    auto Choose = reinterpret_cast<uintptr_t (*)()>(M.Base + S.st_value);
    std::string Place = placeOf(Choose(), All);
    if (Place.rfind("linux-", 0) == 0)
      Place = "kernel";
    Chosen.push_back(std::string(T.Names + S.st_name) + " " + Place);
  }
}

//===-- Comparison --------------------------------------------------------===//

/// Short enough for a message.
std::string shortId(const Image &I) { return I.Id.substr(0, 17); }

std::string why(const Images &Own, const Images &Zero) {
  if (Own.StackLimit != Zero.StackLimit)
    return "the stack's limit is " + Own.StackLimit + " here and " +
           Zero.StackLimit +
           " there, and the kernel places libraries by it; set the same one "
           "with `ulimit -s`";
  bool Here = !Own.WhyRandom.empty();
  if (Here || !Zero.WhyRandom.empty())
    return std::string("addresses are random ") +
           (Here ? "here (" + Own.WhyRandom : "there (" + Zero.WhyRandom) +
           "); permit personality(ADDR_NO_RANDOMIZE), or start the program "
           "with randomization off (`setarch -R`, sysctl "
           "kernel.randomize_va_space=0)";
  return "give all hosts the same kernel, libraries and /etc/ld.so.cache, and "
         "all nodes the same LD_LIBRARY_PATH and LD_PRELOAD";
}

/// The program is the first file, whatever its name; libraries go by theirs.
const Image *find(const std::vector<Image> &Files, const Images &In,
                  const Image &Like) {
  if (&Like == &In.Files[0])
    return &Files[0];
  for (size_t I = 1; I < Files.size(); ++I)
    if (nameOf(Files[I].Path) == nameOf(Like.Path))
      return &Files[I];
  return nullptr;
}

} // namespace

Images Images::collect() {
  Images Own;
  rlimit Limit;
  getrlimit(RLIMIT_STACK, &Limit);
  Own.StackLimit = Limit.rlim_cur == RLIM_INFINITY
                       ? "unlimited"
                       : format("%zu KiB", size_t(Limit.rlim_cur >> 10));
  Own.WhyRandom = whyRandom();
  std::vector<Module> All = trace::loadedModules();
  for (const Module &M : All) {
    if (isKernels(M))
      continue;
    Own.Files.push_back(
        {M.Path, M.BuildId.empty() ? hashContents(M) : M.BuildId, M.Base});
    addChosen(M, All, Own.Chosen);
  }
  return Own;
}

std::string Images::write(size_t Most) const {
  std::string Text = "S" + StackLimit + "\n" + "R" + WhyRandom + "\n";
  for (const Image &I : Files)
    Text += format("F%zx %s ", I.Base, I.Id.c_str()) + I.Path + "\n";
  for (const std::string &C : Chosen)
    Text += "C" + C + "\n";
  if (Text.size() > Most)
    Text.resize(Text.rfind('\n', Most) + 1);
  return Text;
}

Images Images::read(const std::string &Text) {
  Images I;
  for (size_t At = 0, End; (End = Text.find('\n', At)) != std::string::npos;
       At = End + 1) {
    std::string Rest = Text.substr(At + 1, End - At - 1);
    if (Text[At] == 'S') {
      I.StackLimit = Rest;
    } else if (Text[At] == 'R') {
      I.WhyRandom = Rest;
    } else if (Text[At] == 'C') {
      I.Chosen.push_back(Rest);
    } else if (Text[At] == 'F') {
      size_t First = Rest.find(' '), Second = Rest.find(' ', First + 1);
      if (Second != std::string::npos)
        I.Files.push_back({Rest.substr(Second + 1),
                           Rest.substr(First + 1, Second - First - 1),
                           strtoull(Rest.c_str(), nullptr, 16)});
    }
  }
  return I;
}

std::string Images::differenceFrom(const Images &Zero) const {
  if (Files.empty() || Zero.Files.empty())
    return "";
  // Other files explain other addresses, so they come first.
  for (const Image &Own : Files) {
    const Image *Theirs = find(Zero.Files, *this, Own);
    if (!Theirs)
      return "this node loads " + Own.Path +
             ", which node 0 does not; start all nodes with the same "
             "libraries, LD_LIBRARY_PATH and LD_PRELOAD";
    if (Theirs->Id != Own.Id)
      return Own.Path + " (build " + shortId(Own) +
             ") is not the same file as node 0's " + Theirs->Path + " (build " +
             shortId(*Theirs) + "); use one build on all nodes";
  }
  for (const Image &Theirs : Zero.Files)
    if (!find(Files, Zero, Theirs))
      return "this node does not load " + Theirs.Path +
             ", which node 0 does; start all nodes with the same libraries, "
             "LD_LIBRARY_PATH and LD_PRELOAD";
  for (const Image &Own : Files)
    if (const Image *Theirs = find(Zero.Files, *this, Own);
        Theirs->Base != Own.Base)
      return format("%s is loaded at 0x%zx, on node 0 at 0x%zx, so pointers to "
                    "its functions and constants differ; ",
                    Own.Path.c_str(), size_t(Own.Base), size_t(Theirs->Base)) +
             why(*this, Zero);
  return "";
}

std::string Images::choiceUnlike(const Images &Zero) const {
  // The same files list the same names in the same order.
  std::string Unlike;
  for (size_t I = 0; I != std::min(Chosen.size(), Zero.Chosen.size()); ++I)
    if (Chosen[I] != Zero.Chosen[I]) {
      Unlike = Chosen[I].substr(0, Chosen[I].find(' '));
      if (Unlike[0] != '_')
        break; // A name that programs use.
    }
  return Unlike;
}

void compareImages(Bootstrap &Boot, const Images &Own) {
  if (Boot.nodes() == 1)
    return;
  const char *Wanted = getenv("GRAUPEL_DSM_ADDRESSES");
  bool MayDiffer = Wanted && strcmp(Wanted, "may-differ") == 0;
  if (Wanted && !MayDiffer)
    fail("GRAUPEL_DSM_ADDRESSES is '%s'; it must be may-differ, or not be set",
         Wanted);
  Digest D;
  std::string All = Own.write(std::string::npos);
  D.add(All.data(), All.size());
  std::vector<std::string> Answers = Boot.exchange(D.text());
  if (std::all_of(Answers.begin(), Answers.end(),
                  [&](const std::string &A) { return A == Answers[0]; }))
    return;
  constexpr size_t MostExchanged = 60000;
  Answers = Boot.exchange(Own.write(MostExchanged));
  Images Zero = Images::read(Answers[0]);
  if (std::string Wrong = Own.differenceFrom(Zero);
      !Wrong.empty() && !MayDiffer)
    fail("%s; or, if the program shares no pointers to code or constants, set "
         "GRAUPEL_DSM_ADDRESSES=may-differ",
         Wrong.c_str());
  if (std::string Name = Own.choiceUnlike(Zero); !Name.empty() && !MayDiffer)
    dprintf(STDERR_FILENO,
            "graupel dsm: warning: node %d: this processor's features make the "
            "C library use another %s than node 0's; share no pointers to such "
            "functions, or set one GLIBC_TUNABLES=glibc.cpu.hwcaps on all "
            "nodes\n",
            Boot.node(), Name.c_str());
}

} // namespace graupel::dsm

//===- stride/Modules.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows the loaded files, their symbols, and which code allocates for its
// callers.
//
// 1. findModule looks for the file of an address. If no file has it and more
//    files were loaded since, addModule enters them with their path and
//    build-id.
// 2. Module::find and allocatorCode read the file's symbols when they are first
//    called, then search by address. An address between symbols belongs to the
//    file.
// 3. load reads the symbol table, or the dynamic one of a stripped file. It
//    keeps variables, and functions that allocate for their callers.
// 4. sort orders the variables. It keeps one of several names for the same
//    bytes, and of nested variables the outer one.
// 5. split cuts variables into the parts that the program has told of
//    (addParts).
// 6. enterModule writes a file's path and build-id into the record, once.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "common/BuildId.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace graupel::stride {

static Lock Mutex;
static Array<Module *> Modules;
static unsigned long long Additions;

static Array<graupel_stride_part> Parts;

void addParts(const graupel_stride_part *List, uint64_t Count) {
  Guard G(Mutex);
  for (uint64_t N = 0; N < Count; ++N)
    Parts.push(List[N]);
}

static const char *copyText(const char *Text) {
  size_t Bytes = strlen(Text) + 1;
  return static_cast<char *>(memcpy(allocate(Bytes), Text, Bytes));
}

const char *programPath() {
  static const char *Path;
  if (!Path) {
    char Buffer[4096];
    ssize_t Length = readlink("/proc/self/exe", Buffer, sizeof(Buffer) - 1);
    Buffer[Length < 0 ? 0 : Length] = 0;
    Path = copyText(Buffer);
  }
  return Path;
}

static int addModule(dl_phdr_info *Info, size_t, void *) {
  uint64_t Begin = ~uint64_t(0), End = 0;
  for (unsigned N = 0; N < Info->dlpi_phnum; ++N) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[N];
    if (P.p_type != PT_LOAD)
      continue;
    Begin = std::min(Begin, Info->dlpi_addr + P.p_vaddr);
    End = std::max(End, Info->dlpi_addr + P.p_vaddr + P.p_memsz);
  }
  Additions = Info->dlpi_adds;
  if (Begin >= End)
    return 0;
  for (Module *Known : Modules)
    if (Known->Begin == Begin && Known->End == End)
      return 0;
  Module *M = make<Module>();
  M->Base = Info->dlpi_addr;
  M->Begin = Begin;
  M->End = End;
  bool IsProgram = Modules.size() == 0;
  M->Path = IsProgram ? programPath() : copyText(Info->dlpi_name);
  if (BuildId Id = findBuildId(*Info); Id.Bytes <= sizeof(M->BuildId)) {
    M->BuildIdBytes = Id.Bytes;
    std::copy_n(Id.At, Id.Bytes, M->BuildId);
  }
  Modules.push(M);
  return 0;
}

static int readAdditions(dl_phdr_info *Info, size_t, void *To) {
  *static_cast<unsigned long long *>(To) = Info->dlpi_adds;
  return 1;
}

Module *findModule(uint64_t Address) {
  Guard G(Mutex);
  auto Look = [&]() -> Module * {
    for (Module *M : Modules)
      if (Address - M->Begin < M->End - M->Begin)
        return M;
    return nullptr;
  };
  if (Module *M = Look())
    return M;
  unsigned long long Now = 0;
  dl_iterate_phdr(readAdditions, &Now);
  if (Now == Additions)
    return nullptr;
  dl_iterate_phdr(addModule, nullptr);
  return Look();
}

Place Module::find(uint64_t Address) {
  if (!Known.load(std::memory_order_acquire))
    read();
  // The first that begins behind the address.
  const Symbol *After =
      std::upper_bound(Symbols.begin(), Symbols.end(), Address,
                       [](uint64_t A, const Symbol &S) { return A < S.Begin; });
  uint64_t GapBegin = Begin;
  if (After != Symbols.begin()) {
    const Symbol &S = After[-1];
    if (Address < S.End)
      return {S.Obj, S.Begin, S.End - S.Begin};
    GapBegin = S.End;
  }
  uint64_t GapEnd = After == Symbols.end() ? End : After->Begin;
  return {Rest, GapBegin, GapEnd - GapBegin};
}

AllocatorCode Module::allocatorCode(uint64_t Address) {
  if (!Known.load(std::memory_order_acquire))
    read();
  const Code *After =
      std::upper_bound(Allocators.begin(), Allocators.end(), Address,
                       [](uint64_t A, const Code &C) { return A < C.Begin; });
  return After != Allocators.begin() && Address < After[-1].End
             ? After[-1].Which
             : AllocatorCode::None;
}

void Module::read() {
  Guard G(Mutex);
  if (Known.load(std::memory_order_relaxed))
    return;
  const char *Slash = strrchr(Path, '/');
  char Name[512];
  snprintf(Name, sizeof(Name), "[file %s]", Slash ? Slash + 1 : Path);
  Rest = make<Object>(ObjectKind::Pages, copyText(Name));
  Rest->Selected = isObjectSelected(*Rest);
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  struct stat Status;
  if (File >= 0 && fstat(File, &Status) == 0) {
    uint64_t Bytes = Status.st_size;
    void *Where = mmap(nullptr, Bytes, PROT_READ, MAP_PRIVATE, File, 0);
    if (Where != MAP_FAILED) {
      readSymbols(static_cast<char *>(Where), Bytes);
      munmap(Where, Bytes);
    }
  }
  if (File >= 0)
    close(File);
  Known.store(true, std::memory_order_release);
}

void Module::readSymbols(const char *File, uint64_t Bytes) {
  if (Bytes < sizeof(Elf64_Ehdr) || memcmp(File, ELFMAG, SELFMAG) != 0)
    return;
  // A stripped file still has its exported symbols.
  if (!load(File, Bytes, SHT_SYMTAB))
    load(File, Bytes, SHT_DYNSYM);
  sort();
  split();
  std::sort(Allocators.begin(), Allocators.end(),
            [](const Code &A, const Code &B) { return A.Begin < B.Begin; });
}

bool Module::load(const char *File, uint64_t Bytes, uint32_t Type) {
  auto *Head = reinterpret_cast<const Elf64_Ehdr *>(File);
  auto Inside = [&](uint64_t Offset, uint64_t Size) {
    return Offset <= Bytes && Size <= Bytes - Offset;
  };
  if (!Inside(Head->e_shoff, uint64_t(Head->e_shnum) * sizeof(Elf64_Shdr)))
    return false;
  auto *Sections = reinterpret_cast<const Elf64_Shdr *>(File + Head->e_shoff);
  for (unsigned N = 0; N < Head->e_shnum; ++N) {
    const Elf64_Shdr &S = Sections[N];
    if (S.sh_type != Type || S.sh_link >= Head->e_shnum ||
        !Inside(S.sh_offset, S.sh_size))
      continue;
    const Elf64_Shdr &Text = Sections[S.sh_link];
    if (!Inside(Text.sh_offset, Text.sh_size) || Text.sh_size == 0)
      continue;
    auto *List = reinterpret_cast<const Elf64_Sym *>(File + S.sh_offset);
    for (uint64_t K = 0; K < S.sh_size / sizeof(Elf64_Sym); ++K) {
      const Elf64_Sym &Each = List[K];
      unsigned Kind = ELF64_ST_TYPE(Each.st_info);
      if (Kind == STT_FUNC && Each.st_name < Text.sh_size) {
        AllocatorCode Which = graupel::stride::allocatorCode(
            File + Text.sh_offset + Each.st_name);
        if (Which != AllocatorCode::None)
          Allocators.push({Base + Each.st_value,
                           Base + Each.st_value + Each.st_size, Which});
        continue;
      }
      if ((Kind != STT_OBJECT && Kind != STT_COMMON) || Each.st_size == 0 ||
          Each.st_shndx == SHN_UNDEF || Each.st_name >= Text.sh_size)
        continue;
      Object *Obj = make<Object>(
          ObjectKind::Global, copyText(File + Text.sh_offset + Each.st_name));
      Obj->Address = Base + Each.st_value;
      Obj->Bytes = Each.st_size;
      Obj->Selected = isObjectSelected(*Obj);
      Symbols.push({Obj->Address, Obj->Address + Obj->Bytes, Obj});
    }
    return true;
  }
  return false;
}

// Keeps one of several names for the same bytes, and the outer one of nested
// objects.
void Module::sort() {
  std::sort(Symbols.begin(), Symbols.end(),
            [](const Symbol &A, const Symbol &B) {
              if (A.Begin != B.Begin)
                return A.Begin < B.Begin;
              if (A.End != B.End)
                return A.End > B.End;
              return strcmp(A.Obj->Name, B.Obj->Name) > 0;
            });
  Array<Symbol> Kept;
  for (const Symbol &S : Symbols)
    if (Kept.size() == 0 || S.Begin >= Kept[Kept.size() - 1].End)
      Kept.push(S);
  Symbols = Kept;
}

// If several files describe one block, the first one counts.
void Module::split() {
  Array<const graupel_stride_part *> Mine;
  for (const graupel_stride_part &P : Parts)
    if (reinterpret_cast<uint64_t>(P.address) - Begin < End - Begin)
      Mine.push(&P);
  if (Mine.size() == 0)
    return;
  std::sort(Mine.begin(), Mine.end(), [](const auto *A, const auto *B) {
    return A->address != B->address ? A->address < B->address : A < B;
  });
  Array<Symbol> Result;
  const graupel_stride_part **Next = Mine.begin();
  for (const Symbol &S : Symbols) {
    uint64_t Rest = S.Begin;
    for (; Next != Mine.end(); ++Next) {
      const graupel_stride_part &P = **Next;
      auto From = reinterpret_cast<uint64_t>(P.address);
      if (From >= S.End)
        break;
      if (From < Rest || P.bytes > S.End - From)
        continue;
      if (Rest < From)
        Result.push({Rest, From, S.Obj});
      Object *Obj = make<Object>(ObjectKind::Global, copyText(P.name));
      Obj->Address = From;
      Obj->Bytes = P.bytes;
      Obj->Selected = isObjectSelected(*Obj);
      Rest = From + P.bytes;
      Result.push({From, Rest, Obj});
    }
    if (Rest < S.End)
      Result.push({Rest, S.End, S.Obj});
  }
  Symbols = Result;
}

uint32_t enterModule(RecordFile &File, Module *M) {
  static uint32_t Next;
  Guard G(Mutex);
  if (!M)
    Next = 0;
  if (!M || M->Number != NoNumber)
    return M ? M->Number : NoNumber;
  size_t PathBytes = strlen(M->Path);
  auto *R = static_cast<ModuleRecord *>(
      File.append(ChunkKind::Module,
                  sizeof(ModuleRecord) + PathBytes + M->BuildIdBytes, false));
  if (!R)
    return NoNumber;
  char *Text = reinterpret_cast<char *>(R + 1);
  *R = {M->Base,
        M->Begin,
        M->End,
        {sizeof(ModuleRecord), static_cast<uint32_t>(PathBytes)},
        {static_cast<uint32_t>(sizeof(ModuleRecord) + PathBytes),
         M->BuildIdBytes}};
  memcpy(Text, M->Path, PathBytes);
  memcpy(Text + PathBytes, M->BuildId, M->BuildIdBytes);
  File.commit(R);
  return M->Number = Next++;
}

void forgetModuleNumbers() {
  RecordFile None;
  enterModule(None, nullptr);
  for (Module *M : Modules)
    M->Number = NoNumber;
}

void lockModules(bool Take) { Take ? Mutex.lock() : Mutex.unlock(); }

} // namespace graupel::stride

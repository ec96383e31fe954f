//===- agent/Exchange.cpp - A program becomes its version -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out the exchange that Exchange.h lays out. In the order of
// exchangeProgram:
//
// 1. Entries finds the entries of the auxiliary vector that tell where the
//    program is. The program stays as it is if one is missing, if it has no
//    linker, or if the mark in AT_FLAGS shows that it is its version already.
// 2. Image reads the headers of the original, the version and the version's
//    linker. The original must be the program that the vector describes, and
//    the version must be position independent if and only if the original is.
// 3. prepare maps the version and the linker. A version with fixed addresses is
//    not mapped yet: its addresses beyond the original's are reserved.
// 4. announce writes the new entries, tells the kernel and unregisters the rseq
//    area. If one of these fails, it restores the entries, and the process goes
//    on as the original.
// 5. exchangeProgram unmaps the original, maps a version with fixed addresses
//    in its place, and jumps to the linker's entry point.
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "Self.h"
#include "profile/Syscall.h"
#include "profile/Text.h"
#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/limits.h>
#include <linux/prctl.h>

using namespace graupel;

namespace {

constexpr uint64_t Page = 4096;
/// A bit in AT_FLAGS, of which the kernel uses only the lowest: the program
/// that starts again is the version. Programs that it executes get new flags
/// from the kernel.
constexpr uint64_t Exchanged = UINT64_C(1) << 31;
constexpr uint64_t down(uint64_t A) { return A & ~(Page - 1); }
constexpr uint64_t up(uint64_t A) { return down(A + Page - 1); }

/// A file that can be mapped as the kernel would.
class Image {
public:
  explicit Image(const char *Path);
  ~Image() {
    if (File >= 0)
      sys::close(File);
  }
  Image(const Image &) = delete;

  bool isGood() const { return IsGood; }
  uint64_t codeBegin() const { return Bias + Low; }
  uint64_t codeEnd() const { return Bias + High; }
  bool map();
  /// Whether it has a fixed address (-no-pie).
  bool isFixed() const { return Header.e_type == ET_EXEC; }
  /// Maps it or, if it has a place of its own, keeps that free where \p Other
  /// is not.
  bool findRoom(const Image &Other);
  void leaveRoom(const Image &Other) const;
  bool mapInPlace();
  void unmap() const { release({Bias + Low, Bias + High}); }
  /// Whether the kernel has mapped this file: its headers are there.
  bool isAt(uint64_t Headers, uint64_t Count);

  const Elf64_Phdr *find(uint32_t Type) const;
  bool read(const Elf64_Phdr &Segment, char *To, size_t Size) const;
  /// The address of the mapped program headers; 0 if they are not mapped.
  uint64_t headers() const;

  Elf64_Ehdr Header;
  uint64_t Bias = 0;

private:
  bool mapSegment(const Elf64_Phdr &);
  struct Range {
    uint64_t From, To;
  };
  static void release(const Range &);
  Range below(const Image &Other) const;
  Range above(const Image &Other) const;

  static constexpr size_t Most = 64;
  Elf64_Phdr Segments[Most];
  int File;
  bool IsGood = false;
  uint64_t Low = ~UINT64_C(0), High = 0, Align = Page;
};

} // namespace

Image::Image(const char *Path) : File(sys::open(Path, O_RDONLY | O_CLOEXEC)) {
  if (File < 0 ||
      sys::pread(File, &Header, sizeof(Header), 0) != sizeof(Header) ||
      !sameBytes(Header.e_ident, ELFMAG, SELFMAG) ||
      (Header.e_type != ET_DYN && Header.e_type != ET_EXEC) ||
      Header.e_phentsize != sizeof(Elf64_Phdr) || Header.e_phnum > Most)
    return;
  const long Size = static_cast<long>(Header.e_phnum * sizeof(Elf64_Phdr));
  if (sys::pread(File, Segments, static_cast<size_t>(Size), Header.e_phoff) !=
      Size)
    return;
  for (size_t I = 0; I < Header.e_phnum; ++I) {
    const Elf64_Phdr &S = Segments[I];
    if (S.p_type != PT_LOAD)
      continue;
    if (S.p_filesz > S.p_memsz || (S.p_vaddr - S.p_offset) % Page)
      return;
    Low = down(S.p_vaddr) < Low ? down(S.p_vaddr) : Low;
    High = up(S.p_vaddr + S.p_memsz) > High ? up(S.p_vaddr + S.p_memsz) : High;
    Align = S.p_align > Align ? S.p_align : Align;
  }
  IsGood = Low < High && (Align & (Align - 1)) == 0;
}

const Elf64_Phdr *Image::find(uint32_t Type) const {
  for (size_t I = 0; I < Header.e_phnum; ++I)
    if (Segments[I].p_type == Type)
      return &Segments[I];
  return nullptr;
}

bool Image::read(const Elf64_Phdr &Segment, char *To, size_t Size) const {
  return Segment.p_filesz && Segment.p_filesz <= Size &&
         sys::pread(File, To, Segment.p_filesz, Segment.p_offset) ==
             static_cast<long>(Segment.p_filesz) &&
         To[Segment.p_filesz - 1] == 0;
}

uint64_t Image::headers() const {
  const uint64_t End = Header.e_phoff + Header.e_phnum * sizeof(Elf64_Phdr);
  for (size_t I = 0; I < Header.e_phnum; ++I) {
    const Elf64_Phdr &S = Segments[I];
    if (S.p_type == PT_LOAD && Header.e_phoff >= S.p_offset &&
        End <= S.p_offset + S.p_filesz)
      return Bias + S.p_vaddr + Header.e_phoff - S.p_offset;
  }
  return 0;
}

bool Image::isAt(uint64_t Headers, uint64_t Count) {
  Bias = 0;
  Bias = Headers - this->headers();
  return Count == Header.e_phnum && this->headers() &&
         sameBytes(reinterpret_cast<const void *>(Headers), Segments,
                   Count * sizeof(Elf64_Phdr));
}

bool Image::mapSegment(const Elf64_Phdr &S) {
  const int Protection = (S.p_flags & PF_R ? PROT_READ : 0) |
                         (S.p_flags & PF_W ? PROT_WRITE : 0) |
                         (S.p_flags & PF_X ? PROT_EXEC : 0);
  const uint64_t Begin = Bias + down(S.p_vaddr),
                 FileEnd = Bias + S.p_vaddr + S.p_filesz,
                 End = Bias + up(S.p_vaddr + S.p_memsz);
  auto *At = reinterpret_cast<char *>(Begin);
  if (S.p_filesz &&
      sys::isError(sys::mmap(At, FileEnd - Begin, Protection,
                             MAP_PRIVATE | MAP_FIXED, File, down(S.p_offset))))
    return false;
  const uint64_t Zeroes = S.p_filesz ? up(FileEnd) : Begin;
  if (Zeroes < End &&
      sys::isError(sys::mmap(reinterpret_cast<void *>(Zeroes), End - Zeroes,
                             Protection,
                             MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0)))
    return false;
  // The bytes that follow in the file are not the segment's.
  if (S.p_filesz && S.p_memsz > S.p_filesz && (S.p_flags & PF_W))
    for (uint64_t A = FileEnd; A < up(FileEnd) && A < End; ++A)
      *reinterpret_cast<volatile char *>(A) = 0;
  return true;
}

bool Image::map() {
  const uint64_t Span = High - Low + Align;
  void *Room = sys::mmap(nullptr, Span, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (sys::isError(Room))
    return false;
  const auto Base = reinterpret_cast<uint64_t>(Room);
  Bias = (Base - Low + Align - 1) & ~(Align - 1);
  release({Base, Bias + Low});
  release({Bias + High, Base + Span});
  for (size_t I = 0; I < Header.e_phnum; ++I)
    if (Segments[I].p_type == PT_LOAD && !mapSegment(Segments[I])) {
      unmap();
      return false;
    }
  return true;
}

void Image::release(const Range &R) {
  if (R.From < R.To)
    sys::munmap(reinterpret_cast<void *>(R.From), R.To - R.From);
}

Image::Range Image::below(const Image &Other) const {
  return {Low, High < Other.Low ? High : Other.Low};
}

Image::Range Image::above(const Image &Other) const {
  return {Low > Other.High ? Low : Other.High, High};
}

static bool reserveRange(uint64_t From, uint64_t To) {
  if (From >= To)
    return true;
  void *At = sys::mmap(
      reinterpret_cast<void *>(From), To - From, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (At == reinterpret_cast<void *>(From))
    return true;
  if (!sys::isError(At))
    sys::munmap(At, To - From);
  return false;
}

bool Image::findRoom(const Image &Other) {
  if (!isFixed())
    return map();
  if (!reserveRange(below(Other).From, below(Other).To))
    return false;
  if (reserveRange(above(Other).From, above(Other).To))
    return true;
  release(below(Other));
  return false;
}

void Image::leaveRoom(const Image &Other) const {
  if (!isFixed())
    return unmap();
  release(below(Other));
  release(above(Other));
}

bool Image::mapInPlace() {
  for (size_t I = 0; I < Header.e_phnum; ++I)
    if (Segments[I].p_type == PT_LOAD && !mapSegment(Segments[I]))
      return false;
  return true;
}

static uint64_t *auxiliary(uint64_t *All, uint64_t Type) {
  for (; All[0] != AT_NULL; All += 2)
    if (All[0] == Type)
      return All + 1;
  return nullptr;
}

/// The linker's area for restartable sequences is beside its thread control
/// block; the next linker wants one of its own. False if it is still known.
static bool forgetSequences() {
  constexpr long Unregister = 1, Signature = 0x53053053, Size = 32;
  uint64_t Block = 0;
  if (sys::call(__NR_arch_prctl, ARCH_GET_FS, sys::word(&Block)) != 0)
    return false;
  for (long Length = Size; Length <= 2 * Size; Length += Size)
    for (int64_t Away = -4096; Block && Away <= 4096; Away += Size)
      if (sys::call(__NR_rseq, static_cast<long>((Block & ~31) + Away), Length,
                    Unregister, Signature) == 0)
        return true;
  alignas(32) static char Mine[Size];
  const long Result = sys::call(__NR_rseq, sys::word(Mine), Size, 0, Signature);
  if (Result == 0)
    sys::call(__NR_rseq, sys::word(Mine), Size, Unregister, Signature);
  return Result == 0 || Result == -ENOSYS;
}

/// Sets the kernel's public data of the program (/proc/self/auxv and stat) to
/// those on the stack.
static bool tellKernel(const Image &Program, const uint64_t *Vector) {
  const OwnNumbers Fields;
  size_t Count = 0;
  while (Vector[2 * Count] != AT_NULL)
    ++Count;
  prctl_mm_map Map = {};
  Map.start_code = Program.codeBegin();
  Map.end_code = Program.codeEnd();
  Map.start_data = Fields[45];
  Map.end_data = Fields[46];
  // The heap, of which nothing was used, begins where the program ends.
  const auto Heap = static_cast<uint64_t>(sys::call(__NR_brk, 0));
  const bool Moves = Program.isFixed() && Program.codeEnd() > Fields[47];
  Map.start_brk = Moves ? Program.codeEnd() : Fields[47];
  Map.brk = Moves ? Program.codeEnd() : Heap;
  if (Moves && Heap != Fields[47])
    return false;
  Map.start_stack = Fields[28];
  Map.arg_start = Fields[48];
  Map.arg_end = Fields[49];
  Map.env_start = Fields[50];
  Map.env_end = Fields[51];
  Map.auxv = reinterpret_cast<__u64 *>(const_cast<uint64_t *>(Vector));
  Map.auxv_size = static_cast<__u32>((Count + 1) * 2 * sizeof(uint64_t));
  Map.exe_fd = ~0U;
  return Fields[51] && sys::call(__NR_prctl, PR_SET_MM, PR_SET_MM_MAP,
                                 sys::word(&Map), sizeof(Map)) == 0;
}

[[noreturn]] static void begin(uint64_t Entry, uint64_t *Stack) {
  asm volatile("movq %1, %%rsp\n\t"
               "xorl %%edx, %%edx\n\t"
               "xorl %%ebp, %%ebp\n\t"
               "jmp *%0"
               :
               : "a"(Entry), "c"(Stack)
               : "rdx", "memory");
  __builtin_unreachable();
}

namespace {

/// The entries of the auxiliary vector that say where the program is.
class Entries {
public:
  explicit Entries(uint64_t *Vector) {
    for (size_t I = 0; I < Size; ++I) {
      Places[I] = auxiliary(Vector, Types[I]);
      Before[I] = Places[I] ? *Places[I] : 0;
    }
  }
  /// Whether all entries are there, and the program is not its version yet.
  bool canBeSet() const {
    for (const uint64_t *Place : Places)
      if (!Place)
        return false;
    return Before[Base] && !(Before[Flags] & Exchanged);
  }
  bool isOf(Image &Original) const {
    return Original.isAt(Before[Headers], Before[Count]);
  }
  void set(const Image &Program, const Image &Linker) {
    *Places[Headers] = Program.headers();
    *Places[Count] = Program.Header.e_phnum;
    *Places[Entry] = Program.Bias + Program.Header.e_entry;
    *Places[Base] = Linker.Bias;
    *Places[Flags] |= Exchanged;
  }
  void restore() {
    for (size_t I = 0; I < Size; ++I)
      *Places[I] = Before[I];
  }

private:
  enum : size_t { Headers, Count, Entry, Base, Flags, Size };
  static constexpr uint64_t Types[Size] = {AT_PHDR, AT_PHNUM, AT_ENTRY, AT_BASE,
                                           AT_FLAGS};
  uint64_t *Places[Size], Before[Size];
};

} // namespace

/// The linker finds out by its headers where the program is.
static bool tellsItsPlace(const Image &Program) {
  const Elf64_Phdr *Own = Program.find(PT_PHDR);
  return Own && Program.headers() &&
         Program.headers() == Program.Bias + Own->p_vaddr;
}

/// Step 1, which has no visible effect.
static bool prepare(Image &Program, Image &Linker, const Image &Original) {
  if (!Program.findRoom(Original))
    return false;
  if (tellsItsPlace(Program) && Linker.map())
    return true;
  Program.leaveRoom(Original);
  return false;
}

/// Step 2 and the first half of step 3; false if all is as it was.
static bool announce(const Image &Program, const Image &Linker,
                     const Image &Original, Entries &E, uint64_t *Auxiliary) {
  E.set(Program, Linker);
  const bool IsTold = tellKernel(Program, Auxiliary);
  if (IsTold && forgetSequences())
    return true;
  E.restore();
  if (IsTold)
    tellKernel(Original, Auxiliary);
  return false;
}

void graupel::exchangeProgram(const char *Version, uint64_t *Stack,
                              uint64_t *Auxiliary) {
  Entries E(Auxiliary);
  if (!E.canBeSet())
    return;
  // In an emulator the vector is not the program's.
  Image Original("/proc/self/exe"), Program(Version);
  if (!Original.isGood() || !E.isOf(Original) || !Program.isGood() ||
      Original.isFixed() != Program.isFixed())
    return;
  char Path[PATH_MAX];
  const Elf64_Phdr *Named = Program.find(PT_INTERP);
  if (!Named || !Program.read(*Named, Path, sizeof(Path)))
    return;
  Image Linker(Path);
  if (!Linker.isGood() || Linker.isFixed() ||
      !prepare(Program, Linker, Original))
    return;
  if (!announce(Program, Linker, Original, E, Auxiliary)) {
    Program.leaveRoom(Original);
    Linker.unmap();
    return;
  }
  Original.unmap();
  // It was looked at, and there is room: nobody can go on now.
  if (Program.isFixed() && !Program.mapInPlace())
    sys::call(__NR_exit_group, 127);
  const uint64_t First = Linker.Bias + Linker.Header.e_entry;
  Original.~Image();
  Program.~Image();
  Linker.~Image();
  begin(First, Stack);
}

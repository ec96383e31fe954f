//===- Elf/ElfView.h - An ELF file as its tables -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's reader checks what is asked of it when it is asked, and BOLT asks and
// then believes. Here whatever is returned lies inside of the file.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_ELFVIEW_H
#define GRAUPEL_ELF_ELFVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace graupel {

/// A defect of a file: "\p Problem; \p ToDo". The caller adds the file's name.
llvm::Error badFile(const llvm::Twine &Problem, llvm::StringRef ToDo);

/// True if [\p Begin, \p Begin + \p Size) is inside of [0, \p Limit).
inline bool fits(uint64_t Begin, uint64_t Size, uint64_t Limit) {
  return Begin <= Limit && Size <= Limit - Begin;
}

/// A number as in the output of readelf.
std::string hex(uint64_t Number);

/// \p Entry, which is part of a view of \p Bytes, to be written to.
template <typename T>
T &writableEntry(llvm::MutableArrayRef<char> Bytes, const T &Entry) {
  const auto At = reinterpret_cast<const char *>(&Entry) - Bytes.data();
  return *reinterpret_cast<T *>(Bytes.data() + At);
}

class ElfView {
public:
  using Types = llvm::object::ELF64LE;
  using Header = Types::Ehdr;
  using Segment = Types::Phdr;
  using Section = Types::Shdr;
  using Symbol = Types::Sym;
  using Rela = Types::Rela;
  using Dyn = Types::Dyn;

  /// Checks the header and that both tables and all contents are in the file.
  /// \p Data must outlive the view.
  static llvm::Expected<ElfView> open(llvm::StringRef Data);

  const Header &header() const { return *Head; }
  llvm::ArrayRef<Segment> segments() const { return Segments; }
  llvm::ArrayRef<Section> sections() const { return Sections; }
  uint64_t fileSize() const { return Data.size(); }
  /// Calls Use(offset, size) for the headers, tables, sections and segments
  /// that are in the file.
  template <typename Function> void forEachPart(Function Use) const {
    Use(uint64_t(0), sizeof(Header));
    Use(Head->e_phoff, Segments.size() * sizeof(Segment));
    Use(Head->e_shoff, Sections.size() * sizeof(Section));
    for (const Segment &S : Segments)
      if (S.p_filesz)
        Use(S.p_offset, S.p_filesz);
    for (const Section &S : Sections)
      if (!content(S).empty())
        Use(S.sh_offset, S.sh_size);
  }
  /// The end of the last of the headers, sections and segments in the file.
  uint64_t end() const;
  /// The bytes of the file behind that: archives and the like that programs
  /// read from their own file. Empty if it is nothing but zeros.
  llvm::StringRef appended() const;

  llvm::StringRef name(const Section &S) const;
  /// The name of a section in messages.
  std::string describe(const Section &S) const;
  const Section *find(llvm::StringRef Name) const;
  /// The file's bytes of \p S; none if it has no content.
  llvm::StringRef content(const Section &S) const;
  llvm::StringRef content(const Segment &S) const;

  /// The content of \p S as entries; a rest that is no entry is left out.
  template <typename T> llvm::ArrayRef<T> table(const Section &S) const {
    return entries<T>(content(S));
  }
  template <typename T>
  static llvm::ArrayRef<T> entries(llvm::StringRef Bytes) {
    return {reinterpret_cast<const T *>(Bytes.data()),
            Bytes.size() / sizeof(T)};
  }

  /// The name of \p S, whose table's string table is \p Strings.
  static llvm::StringRef string(llvm::StringRef Strings, uint64_t Offset);
  /// The strings that the table \p S refers to.
  llvm::StringRef linkedStrings(const Section &S) const;
  /// The addresses of the pointers that the table of packed relocations \p S
  /// (SHT_RELR) lists.
  std::vector<uint64_t> packedPlaces(const Section &S) const;
  /// True if \p S has relocations, with their symbols, that the linker applied
  /// to a section of the program and has left (--emit-relocs).
  bool isAppliedToProgram(const Section &S) const;

  /// Bytes of memory from the first load segment's begin to the last one's end.
  uint64_t memorySpan() const;
  /// The load segment that holds \p Address in memory; null if none does.
  const Segment *segmentAt(uint64_t Address) const;
  /// The section with content or none that holds \p Address in memory; null if
  /// none does.
  const Section *sectionAt(uint64_t Address) const;
  /// A range that adjoining segments hold between them is mapped, too.
  bool isMapped(uint64_t Address, uint64_t Size = 1) const;
  bool isCode(uint64_t Address) const;
  /// True if \p S is a place in code, and not a number that looks like one.
  bool isCode(const Symbol &S) const;
  /// The file's bytes for \p Address, to the end of the segment's part of the
  /// file and of those of segments that go on there; empty if nothing.
  llvm::StringRef bytesAt(uint64_t Address) const;
  /// The entries of the dynamic section before DT_NULL.
  llvm::ArrayRef<Dyn> dynamic() const;

private:
  llvm::StringRef Data;
  const Header *Head = nullptr;
  llvm::ArrayRef<Segment> Segments;
  llvm::ArrayRef<Section> Sections;
  std::vector<const Segment *> Loads; ///< By address.
  uint32_t NamesIndex = 0;

  /// The load segment that follows \p S in memory; null if none does.
  const Segment *behind(const Segment &S) const;
  llvm::Error readHeader();
  llvm::Error readSegments();
  llvm::Error readSections();
  llvm::Error checkContents() const;
};

} // namespace graupel

#endif // GRAUPEL_ELF_ELFVIEW_H

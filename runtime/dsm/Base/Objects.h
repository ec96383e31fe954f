//===- Objects.h - Files of the program's code ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loader does not tell where an object's sections are; the file's section
// headers do, and it also has the symbols that are not loaded.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_OBJECTS_H
#define GRAUPEL_DSM_BASE_OBJECTS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <link.h>

namespace graupel::dsm {

/// The file of a loaded object, as long as it is open.
class ObjectFile {
public:
  /// `Name` is the loader's; empty is the program's.
  ObjectFile(const char *Name, uintptr_t Base);
  ~ObjectFile();
  ObjectFile(const ObjectFile &) = delete;
  ObjectFile &operator=(const ObjectFile &) = delete;

  const char *name() const { return Name; }
  bool isProgram() const { return !*Name; }
  /// The value that is added to addresses in the file.
  uintptr_t base() const { return Base; }

  template <class T> struct Array {
    const T *First = nullptr, *Past = nullptr;
    const T *begin() const { return First; }
    const T *end() const { return Past; }
  };
  /// The elements of a loaded section: from memory, relocated. Empty: there is
  /// none.
  template <class T> Array<T> loaded(const char *Section) const {
    const ElfW(Shdr) *S = find(Section);
    return S && (S->sh_flags & SHF_ALLOC)
               ? array<T>(reinterpret_cast<const char *>(Base + S->sh_addr), *S)
               : Array<T>();
  }
  /// The functions of the file's symbol table: address, size, name.
  void forEachFunction(
      const std::function<void(uintptr_t, size_t, const char *)> &Use) const;
  template <class T> Array<T> inFile(const char *Section) const {
    const ElfW(Shdr) *S = find(Section);
    return S ? array<T>(Bytes + S->sh_offset, *S) : Array<T>();
  }

private:
  const ElfW(Shdr) * find(const char *Section) const;
  template <class T>
  static Array<T> array(const char *At, const ElfW(Shdr) & S) {
    auto *First = reinterpret_cast<const T *>(At);
    return {First, First + S.sh_size / sizeof(T)};
  }

  const char *Name;
  uintptr_t Base;
  const char *Bytes = nullptr;
  size_t Size = 0;
};

/// Whether a file of that name belongs to the system: nobody's own library.
bool isSystemFile(const char *Name);

void forEachObject(const std::function<void(const ObjectFile &)> &Use);

} // namespace graupel::dsm

#endif

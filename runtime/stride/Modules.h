//===- stride/Modules.h - Loaded files -------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_MODULES_H
#define GRAUPEL_STRIDE_MODULES_H

#include "Callers.h"
#include "Objects.h"
#include "graupel/stride_sites.h"

namespace graupel::stride {

/// A loaded file; its symbols are read when they are first asked for.
class Module {
public:
  uint64_t Base, Begin, End;
  const char *Path;
  unsigned char BuildId[32];
  unsigned BuildIdBytes = 0;
  uint32_t Number = NoNumber; ///< In the record.

  /// The object of an address in [Begin, End): a symbol, or the file if there
  /// is no symbol.
  Place find(uint64_t Address);
  AllocatorCode allocatorCode(uint64_t Address);

private:
  struct Code {
    uint64_t Begin, End;
    AllocatorCode Which;
  };
  struct Symbol {
    uint64_t Begin, End;
    Object *Obj;
  };
  void read();
  void readSymbols(const char *File, uint64_t Bytes);
  bool load(const char *File, uint64_t Bytes, uint32_t Type);
  void sort();
  void split();

  Lock Mutex;
  std::atomic<bool> Known{false};
  Array<Symbol> Symbols;
  Array<Code> Allocators; ///< Functions, by address.
  Object *Rest = nullptr;
};

/// Parts of symbols that are objects, before their file's symbols are read.
/// Thread-safe.
void addParts(const graupel_stride_part *List, uint64_t Count);
/// The loaded file that has an address, or null. Thread-safe.
Module *findModule(uint64_t Address);
/// Gives a file its number in the record; thread-safe.
uint32_t enterModule(RecordFile &File, Module *M);
void forgetModuleNumbers();
/// The program's own path.
const char *programPath();
bool isObjectSelected(const Object &);
/// Held over a fork.
void lockModules(bool Take);

} // namespace graupel::stride

#endif

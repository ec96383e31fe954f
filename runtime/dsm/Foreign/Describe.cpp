//===- Describe.cpp - Names of things in messages ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/Describe.h"
#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Node/Globals.h"
#include "Node/Node.h"
#include "Transport/Fatal.h"
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

namespace graupel::dsm {

std::string demangled(const char *Name) {
  if (strncmp(Name, "_Z", 2))
    return Name; // It might be a mangled type by chance.
  char *Plain = abi::__cxa_demangle(Name, nullptr, nullptr, nullptr);
  std::string Text = Plain ? Plain : Name;
  free(Plain);
  return Text;
}

std::string describe(const char *Name, const void *Function) {
  Dl_info Where = {};
  dladdr(Function, &Where);
  if (!*Name && Where.dli_saddr == Function && Where.dli_sname)
    Name = Where.dli_sname;
  std::string Text = "'" + demangled(Name) + "'";
  if (!*Name)
    Text = std::string("the function at ") +
           nameOf(reinterpret_cast<uintptr_t>(Function) + 1).Text;
  if (Where.dli_fname)
    if (const char *Slash = strrchr(Where.dli_fname, '/'))
      Text += std::string(" in ") + (Slash + 1);
  return Text;
}

std::string allocationOf(uintptr_t A) {
  if (TheNode->Shared.addresses().isGlobal(A))
    return ", " + nameGlobal(A);
  Heap::Extent E = TheNode->Allocations.lastBefore(A);
  if (E.Start && A - E.Start < E.Bytes)
    return format(", byte %zu of the allocation of %zu bytes at %#zx",
                  size_t(A - E.Start), E.Bytes, size_t(E.Start));
  return format(", in an allocation of node %d",
                TheNode->Shared.chunk(A).Owner);
}

void print(const std::string &Line) {
  [[maybe_unused]] ssize_t Written =
      write(STDERR_FILENO, Line.data(), Line.size());
}

} // namespace graupel::dsm

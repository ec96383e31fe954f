//===- Blocks.cpp - memcpy and its kin on shared memory -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include "graupel/dsm_wrappers.h"
#include <cstring>

using namespace graupel::dsm;

void *graupel_dsm_memcpy(void *To, const void *From, size_t Size) {
  auto *Out = static_cast<char *>(To);
  auto *In = static_cast<const char *>(From);
  while (Size) {
    size_t Piece = window({{Out, true}, {In, false}}, Size, true);
    std::memcpy(Out, In, Piece);
    Out += Piece, In += Piece, Size -= Piece;
  }
  return To;
}

// Bytes before P in its page.
static size_t before(const char *P) {
  return ((reinterpret_cast<uintptr_t>(P) - 1) & (PageBytes - 1)) + 1;
}

// From the end, for destinations that begin within the source.
static void moveBackwards(char *Out, const char *In, size_t Size) {
  Out += Size, In += Size;
  while (Size) {
    size_t Piece = std::min({Size, before(Out), before(In)});
    Out -= Piece, In -= Piece, Size -= Piece;
    // Both within a page: one window is all of it.
    window({{Out, true}, {In, false}}, Piece, true);
    std::memmove(Out, In, Piece);
  }
}

void *graupel_dsm_memmove(void *To, const void *From, size_t Size) {
  auto *Out = static_cast<char *>(To);
  auto *In = static_cast<const char *>(From);
  if (Out > In && Out < In + Size) {
    moveBackwards(Out, In, Size);
    return To;
  }
  while (Size) {
    size_t Piece = window({{Out, true}, {In, false}}, Size, true);
    std::memmove(Out, In, Piece);
    Out += Piece, In += Piece, Size -= Piece;
  }
  return To;
}

void *graupel_dsm_memset(void *To, int Byte, size_t Size) {
  auto *Out = static_cast<char *>(To);
  while (Size) {
    size_t Piece = window({{Out, true}}, Size, true);
    std::memset(Out, Byte, Piece);
    Out += Piece, Size -= Piece;
  }
  return To;
}

int graupel_dsm_memcmp(const void *A, const void *B, size_t Size) {
  auto *P = static_cast<const char *>(A), *Q = static_cast<const char *>(B);
  while (Size) {
    size_t Piece = window({{P, false}, {Q, false}}, Size, false);
    if (int Order = std::memcmp(P, Q, Piece))
      return Order;
    P += Piece, Q += Piece, Size -= Piece;
  }
  return 0;
}

int graupel_dsm_bcmp(const void *A, const void *B, size_t Size) {
  return graupel_dsm_memcmp(A, B, Size);
}

void *graupel_dsm_memchr(const void *In, int Byte, size_t Size) {
  auto *P = static_cast<const char *>(In);
  while (Size) {
    size_t Piece = window({{P, false}}, Size, false);
    if (const void *Found = std::memchr(P, Byte, Piece))
      return const_cast<void *>(Found);
    P += Piece, Size -= Piece;
  }
  return nullptr;
}

//===- Strings.cpp - strlen and its kin on shared memory ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include "graupel/dsm_wrappers.h"
#include <cstring>

using namespace graupel::dsm;

size_t graupel_dsm_strnlen(const char *String, size_t Size) {
  const void *End = graupel_dsm_memchr(String, 0, Size);
  return End ? static_cast<const char *>(End) - String : Size;
}

size_t graupel_dsm_strlen(const char *String) {
  return graupel_dsm_strnlen(String, SIZE_MAX);
}

char *graupel_dsm_stpcpy(char *To, const char *From) {
  size_t Length = graupel_dsm_strlen(From);
  graupel_dsm_memcpy(To, From, Length + 1);
  return To + Length;
}

char *graupel_dsm_strcpy(char *To, const char *From) {
  graupel_dsm_stpcpy(To, From);
  return To;
}

char *graupel_dsm_strncpy(char *To, const char *From, size_t Size) {
  size_t Length = graupel_dsm_strnlen(From, Size);
  graupel_dsm_memcpy(To, From, Length);
  graupel_dsm_memset(To + Length, 0, Size - Length);
  return To;
}

int graupel_dsm_strncmp(const char *A, const char *B, size_t Size) {
  while (Size) {
    size_t Piece = window({{A, false}, {B, false}}, Size, false);
    if (int Order = std::strncmp(A, B, Piece))
      return Order;
    if (std::memchr(A, 0, Piece))
      return 0;
    A += Piece, B += Piece, Size -= Piece;
  }
  return 0;
}

int graupel_dsm_strcmp(const char *A, const char *B) {
  return graupel_dsm_strncmp(A, B, SIZE_MAX);
}

char *graupel_dsm_strcat(char *To, const char *From) {
  graupel_dsm_strcpy(To + graupel_dsm_strlen(To), From);
  return To;
}

char *graupel_dsm_strncat(char *To, const char *From, size_t Size) {
  char *End = To + graupel_dsm_strlen(To);
  size_t Length = graupel_dsm_strnlen(From, Size);
  graupel_dsm_memcpy(End, From, Length);
  graupel_dsm_memset(End + Length, 0, 1);
  return To;
}

char *graupel_dsm_strchr(const char *In, int Byte) {
  // The terminator counts as part of the string.
  return static_cast<char *>(
      graupel_dsm_memchr(In, Byte, graupel_dsm_strlen(In) + 1));
}

char *graupel_dsm_strrchr(const char *In, int Byte) {
  const char *Last = nullptr;
  for (size_t Rest = graupel_dsm_strlen(In) + 1; Rest;) {
    size_t Piece = window({{In, false}}, Rest, true);
    if (const void *Found = memrchr(In, Byte, Piece))
      Last = static_cast<const char *>(Found);
    In += Piece, Rest -= Piece;
  }
  return const_cast<char *>(Last);
}

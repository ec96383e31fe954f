//===- Operands.cpp - Memory operands of an instruction ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes how many bytes an x86-64 instruction accesses, and where.
//
// 1. readPrefixes: skip the prefixes; keep operand size, repetition and REX.W.
// 2. operandsOf: recognize string instructions, with source, target or both.
//    Decode all others by the kind of their opcode.
// 3. oneByteOpcode: one byte for the byte forms, 10 for x87, else the operand's
//    size.
// 4. twoByteOpcode: general instructions by their size, SSE by vectorOpcode: 4
//    or 8 bytes of scalars, 8 of halves, else the vector's size.
// 5. withVex: take opcode map, opcode and vector size from a VEX or EVEX
//    prefix. Gathers and scatters are Scattered.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Operands.h"

namespace graupel::dsm {

namespace {

/// The prefixes of an opcode.
struct Prefixes {
  bool Wide = false, Short = false;
  uint8_t Repeat = 0; ///< 0xf2 or 0xf3.
};

const uint8_t *readPrefixes(const uint8_t *At, Prefixes &P) {
  for (;; ++At)
    switch (*At) {
    case 0x66:
      P.Short = true;
      break;
    case 0xf2:
    case 0xf3:
      P.Repeat = *At;
      break;
    case 0x26: // Segments, the address's size, LOCK.
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x67:
    case 0xf0:
      break;
    default:
      if (*At >> 4 != 4)
        return At;
      P.Wide = *At & 8;
      return At + 1;
    }
}

unsigned generalBytes(const Prefixes &P) {
  return P.Wide ? 8 : P.Short ? 2 : 4;
}

/// The operand size of opcodes of one byte.
unsigned oneByteOpcode(uint8_t Opcode, const Prefixes &P) {
  if (Opcode >= 0xd8 && Opcode <= 0xdf) // x87
    return 10;
  if (Opcode == 0x63)
    return 4;
  if (Opcode == 0x8f) // pop
    return 8;
  bool HasByteForm = Opcode < 0x40 || (Opcode >= 0x80 && Opcode <= 0x8b) ||
                     (Opcode >= 0xa0 && Opcode <= 0xaf) || Opcode == 0xc0 ||
                     Opcode == 0xc6 || (Opcode >= 0xd0 && Opcode <= 0xd3) ||
                     Opcode >= 0xf6;
  bool IsByte = HasByteForm && !(Opcode & 1) && Opcode != 0x82;
  return IsByte ? 1 : generalBytes(P);
}

/// SSE and AVX, of the opcodes behind 0x0f. `Vector` is the register's size.
unsigned vectorOpcode(uint8_t Opcode, uint8_t Repeat, unsigned Vector) {
  bool WholeVector = Opcode == 0x6f || Opcode == 0x7f || Opcode == 0xf0 ||
                     Opcode == 0x12 || Opcode == 0x16;
  if (Repeat && !WholeVector)
    return Repeat == 0xf3 && Opcode != 0x7e && Opcode != 0xe6 ? 4 : 8;
  switch (Opcode) {
  case 0x12:
  case 0x16:
    return Repeat ? Vector : 8;
  case 0x13:
  case 0x17:
  case 0x2a:
  case 0x2c:
  case 0x2d:
  case 0x2e:
  case 0x2f:
  case 0x6e:
  case 0x7e:
  case 0xd6:
    return 8;
  }
  return Vector;
}

/// The operand size of opcodes behind 0x0f.
unsigned twoByteOpcode(uint8_t Opcode, const Prefixes &P) {
  if (Opcode == 0xb6 || Opcode == 0xbe || Opcode == 0xb0 || Opcode == 0xc0 ||
      (Opcode >= 0x90 && Opcode <= 0x9f))
    return 1;
  if (Opcode == 0xb7 || Opcode == 0xbf)
    return 2;
  if (Opcode == 0xc7) // cmpxchg16b
    return P.Wide ? 16 : 8;
  if (Opcode == 0xae) // fxsave, xsave
    return 512;
  bool General = (Opcode >= 0x40 && Opcode <= 0x4f) ||
                 (Opcode >= 0xa0 && Opcode <= 0xbf) || Opcode == 0xc1 ||
                 Opcode == 0xc3 || Opcode == 0x1f;
  return General ? generalBytes(P) : vectorOpcode(Opcode, P.Repeat, 16);
}

Operands withVex(const uint8_t *At) {
  static constexpr uint8_t Repeats[] = {0, 0, 0xf3, 0xf2};
  unsigned Map = 1, Vector;
  uint8_t Opcode, Last;
  if (*At == 0xc5) {
    Last = At[1];
    Opcode = At[2];
    Vector = Last & 4 ? 32 : 16;
  } else if (*At == 0xc4) {
    Map = At[1] & 31;
    Last = At[2];
    Opcode = At[3];
    Vector = Last & 4 ? 32 : 16;
  } else {
    Map = At[1] & 7;
    Last = At[2];
    Opcode = At[4];
    Vector = 16u << (At[3] >> 5 & 3);
  }
  unsigned Prefix = Last & 3;
  if (Map == 1)
    return {vectorOpcode(Opcode, Repeats[Prefix], Vector), Operands::One,
            false};
  bool Many = Map == 2 && ((Opcode >= 0x90 && Opcode <= 0x93) ||
                           (Opcode >= 0xa0 && Opcode <= 0xa3));
  return {Vector, Many ? Operands::Scattered : Operands::One, false};
}

} // namespace

Operands operandsOf(const uint8_t *Instruction) {
  Prefixes P;
  const uint8_t *At = readPrefixes(Instruction, P);
  bool Repeated = P.Repeat;
  unsigned Element = *At & 1 ? generalBytes(P) : 1;
  switch (*At) {
  case 0x62:
  case 0xc4:
  case 0xc5:
    return withVex(At);
  case 0xa4:
  case 0xa5:
    return {Element, Operands::Both, Repeated};
  case 0xa6:
  case 0xa7:
    return {Element, Operands::Compared, Repeated};
  case 0xaa:
  case 0xab:
  case 0xae:
  case 0xaf:
    return {Element, Operands::Target, Repeated};
  case 0xac:
  case 0xad:
    return {Element, Operands::Source, Repeated};
  case 0xff: // inc and dec; call, jmp and push
    return {(At[1] & 0x38) < 0x10 ? generalBytes(P) : 8, Operands::One, false};
  case 0x0f:
    if (At[1] == 0x38 || At[1] == 0x3a)
      return {16, Operands::One, false};
    return {twoByteOpcode(At[1], P), Operands::One, false};
  }
  return {oneByteOpcode(*At, P), Operands::One, false};
}

} // namespace graupel::dsm

//===- Packet.h - The format of messages under way --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header of 16 bytes, the remote address if there is one, the words, the
// payload: in one piece, so that a message with a small block takes UCX's
// shortest path. In the byte order of the machine.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_PACKET_H
#define GRAUPEL_DSM_TRANSPORT_PACKET_H

#include "Transport/Transport.h"
#include <cstddef>

namespace graupel::dsm {

struct PacketHeader {
  enum : uint8_t {
    AckOnly = 1,   ///< No message; uses neither a credit nor a number.
    HasAddress = 2 ///< RemoteAddress follows.
  };
  uint16_t Handler;
  uint16_t Length;
  uint8_t Words, Kind, Change, RemoteChange;
  uint8_t Source, Flags;
  uint16_t Acks;     ///< Credits that go back with this packet.
  uint32_t Sequence; ///< The message's number among those of this pair.
};
static_assert(sizeof(PacketHeader) == 16);

constexpr unsigned MaxWords = 8, MaxPayload = 4096;
constexpr size_t MaxPacket =
    sizeof(PacketHeader) + 8 + 8 * MaxWords + MaxPayload;

/// Writes a packet, and returns its size. `Acks` and `Sequence` are given by
/// the caller, everything else is the message's.
size_t pack(uint8_t *Packet, const Message &, uint8_t Source, uint16_t Acks,
            uint32_t Sequence);
size_t packAck(uint8_t *Packet, uint8_t Source, uint16_t Acks);

/// The size that a packet with this header must have.
inline size_t packetSize(const PacketHeader &H) {
  return sizeof(H) + (H.Flags & PacketHeader::HasAddress ? 8 : 0) +
         8 * H.Words + H.Length;
}

/// Reads all but the payload, and returns where that is.
const uint8_t *unpack(const uint8_t *Packet, const PacketHeader &, Message &);

} // namespace graupel::dsm

#endif

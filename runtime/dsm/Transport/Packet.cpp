//===- Packet.cpp - The format of messages under way ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Packet.h"
#include <cstring>

using namespace graupel::dsm;

size_t graupel::dsm::pack(uint8_t *Packet, const Message &M, uint8_t Source,
                          uint16_t Acks, uint32_t Sequence) {
  PacketHeader H{M.Handler, uint16_t(M.Length),
                 M.Words,   M.Kind,
                 M.Change,  M.RemoteChange,
                 Source,    0,
                 Acks,      Sequence};
  uint8_t *To = Packet + sizeof(H);
  if (M.RemoteAddress) {
    H.Flags = PacketHeader::HasAddress;
    memcpy(To, &M.RemoteAddress, 8);
    To += 8;
  }
  memcpy(Packet, &H, sizeof(H));
  for (unsigned I = 0; I < M.Words; ++I, To += 8)
    memcpy(To, &M.Word[I], 8);
  if (M.Length)
    memcpy(To, M.Payload, M.Length);
  return size_t(To - Packet) + M.Length;
}

size_t graupel::dsm::packAck(uint8_t *Packet, uint8_t Source, uint16_t Acks) {
  PacketHeader H{};
  H.Source = Source;
  H.Flags = PacketHeader::AckOnly;
  H.Acks = Acks;
  memcpy(Packet, &H, sizeof(H));
  return sizeof(H);
}

const uint8_t *graupel::dsm::unpack(const uint8_t *Packet,
                                    const PacketHeader &H, Message &M) {
  M.Handler = H.Handler;
  M.Words = H.Words;
  M.Kind = H.Kind;
  M.Length = H.Length;
  M.Source = H.Source;
  M.Change = H.Change;
  M.RemoteChange = H.RemoteChange;
  M.RemoteAddress = 0;
  const uint8_t *From = Packet + sizeof(H);
  if (H.Flags & PacketHeader::HasAddress) {
    memcpy(&M.RemoteAddress, From, 8);
    From += 8;
  }
  for (unsigned I = 0; I < H.Words; ++I, From += 8)
    memcpy(&M.Word[I], From, 8);
  return From;
}

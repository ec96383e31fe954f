//===- Channels.cpp - Tempest's bulk channels -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emulates bulk channels by messages (Schoinas 1998, A.4.5).
//
// 1. tempest_channel_source and tempest_channel_destination register the two
//    ends under a number that is unique in the job.
// 2. tempest_channel_send queues the channel and posts sendPart.
// 3. sendPart: send one part of the first channel if there is a credit, put the
//    channel back if there is more, and post itself again. So other messages
//    run between parts, and a channel holds nobody up.
// 4. onPart: check sender and bounds, and copy the part. Whole granules of
//    shared memory are copied as blocks.
// 5. Each end calls its Done when all bytes are sent, or have arrived.
// 6. tempest_channel_reset begins anew; tempest_channel_destroy forgets both
//    ends.
//
//===----------------------------------------------------------------------===//

#include "Base/Copy.h"
#include "Errors/Error.h"
#include "Tempest/Tempest.h"
#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

using namespace graupel::dsm;

namespace {

struct Source {
  const char *Address;
  size_t Length;
  int Destination;
  tempest_channel_done Done;
  size_t Sent = 0;
};

struct Destination {
  int From;
  char *Address;
  size_t Length;
  tempest_channel_done Done;
  size_t Arrived = 0;
};

/// Never freed: handlers run until the very end.
struct State {
  uint64_t Next = 0;
  /// By channel; numbers are unique in the job.
  std::map<uint64_t, Source> Sources;
  std::map<uint64_t, Destination> Destinations;
  std::deque<uint64_t> Sending;
};

State &state() {
  static State &S = *new State;
  return S;
}

Source &source(uint64_t Channel) {
  auto I = state().Sources.find(Channel);
  if (I == state().Sources.end())
    fail("a protocol uses channel %llu, which this node does not send on",
         (unsigned long long)Channel);
  return I->second;
}

/// Sends a part of the channel whose turn it is, and leaves the rest for later.
void sendPart() {
  State &S = state();
  if (S.Sending.empty())
    return;
  uint64_t Number = S.Sending.front();
  S.Sending.pop_front();
  auto I = S.Sources.find(Number);
  if (I == S.Sources.end())
    return TheNode->Dispatch.runLater(sendPart); // Destroyed meanwhile.
  Source &C = I->second;
  Message M = internalMessage(Internal::ChannelPart, Number, C.Sent);
  M.Length = static_cast<uint32_t>(
      std::min<size_t>(TEMPEST_MAX_PAYLOAD, C.Length - C.Sent));
  M.Payload = C.Address + C.Sent;
  if (TheNode->Dispatch.trySend(C.Destination, M))
    C.Sent += M.Length;
  if (C.Sent != C.Length)
    S.Sending.push_back(Number);
  if (!S.Sending.empty())
    TheNode->Dispatch.runLater(sendPart);
  if (C.Sent == C.Length && C.Done)
    C.Done(Number);
}

void onPart(const Message &M) {
  auto I = state().Destinations.find(M.Word[0]);
  if (I == state().Destinations.end() || I->second.From != M.Source)
    fail("node %d sends on channel %llu, for which this node has set no "
         "destination",
         M.Source, (unsigned long long)M.Word[0]);
  Destination &D = I->second;
  size_t Offset = M.Word[1];
  if (Offset + M.Length > D.Length)
    fail("node %d sends more on channel %llu than the %zu bytes that its "
         "destination has",
         M.Source, (unsigned long long)M.Word[0], D.Length);
  char *To = D.Address + Offset;
  bool Blocks = TheNode->Shared.contains(To) &&
                (addressOf(To) | M.Length) % GranuleBytes == 0;
  if (Blocks)
    copyToBlocks(To, M.Payload, M.Length);
  else
    memcpy(To, M.Payload, M.Length);
  D.Arrived += M.Length;
  if (D.Arrived == D.Length && D.Done)
    D.Done(M.Word[0]);
}

} // namespace

uint64_t tempest_channel_source(const void *Address, size_t Length,
                                int Destination, tempest_channel_done Done) {
  uint64_t Number = state().Next++ * TEMPEST_MAX_NODES + TheNode->Number;
  state().Sources.emplace(Number, Source{static_cast<const char *>(Address),
                                         Length, Destination, Done});
  return Number;
}

void tempest_channel_destination(uint64_t Channel, int From, void *Address,
                                 size_t Length, tempest_channel_done Done) {
  TheNode->Dispatch.setHandler(unsigned(Internal::ChannelPart), onPart);
  state().Destinations[Channel] = {From, static_cast<char *>(Address), Length,
                                   Done};
}

void tempest_channel_send(uint64_t Channel) {
  Source &C = source(Channel);
  if (C.Length == 0) {
    if (C.Done)
      C.Done(Channel);
    return;
  }
  C.Sent = 0;
  state().Sending.push_back(Channel);
  if (state().Sending.size() == 1)
    TheNode->Dispatch.runLater(sendPart);
}

void tempest_channel_reset(uint64_t Channel) {
  if (auto I = state().Sources.find(Channel); I != state().Sources.end())
    I->second.Sent = 0;
  if (auto I = state().Destinations.find(Channel);
      I != state().Destinations.end())
    I->second.Arrived = 0;
}

void tempest_channel_destroy(uint64_t Channel) {
  state().Sources.erase(Channel);
  state().Destinations.erase(Channel);
}

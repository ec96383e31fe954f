//===- Messages.cpp - Tempest's calls on messages ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements Tempest's calls on messages. The parts:
//
// 1. tempest_register_message_handler numbers a handler. All numbers lead to
//    onMessage, which notes the current message, puts a payload with a remote
//    address there, and calls the handler.
// 2. tempest_begin and tempest_put_... fill a message: up to TEMPEST_MAX_WORDS
//    words and one payload of at most TEMPEST_MAX_PAYLOAD bytes.
// 3. tempest_send in a handler (sendFromHandler): change the tags of a payload
//    of blocks, send it from where it is, then fill it with sentinels if the
//    change asks for that.
// 4. tempest_send of a thread (sendFromThread): change the tags and copy blocks
//    under the protocol lock, since other handlers may run before the message
//    leaves.
// 5. tempest_get_... hand out words and payload of the current message, in
//    order, once each. Reading more than was sent ends the job.
//
//===----------------------------------------------------------------------===//

#include "Errors/Error.h"
#include "Tempest/Tempest.h"
#include <cassert>
#include <cstring>
#include <string>

using namespace graupel::dsm;

namespace {

enum Kind : uint8_t { NoPayload, AnyRegion, RegionAt, Blocks, BlocksAt };

constexpr unsigned First = static_cast<unsigned>(Internal::FirstOfProtocol);

constexpr unsigned Most = Dispatcher::MaxHandlers - First;

tempest_message_handler Registered[Most];
unsigned RegisteredCount = 0;
std::string *Names = nullptr; // Never freed: handlers run until the very end.

/// The message that is being handled, and how far it has been read.
struct {
  const Message *Msg;
  unsigned NextWord;
  uint32_t Read;
} Current;

void onMessage(const Message &M) {
  Current = {&M, 0, 0};
  auto *At = reinterpret_cast<void *>(M.RemoteAddress);
  if (M.Kind == RegionAt)
    memcpy(At, M.Payload, M.Length);
  else if (M.Kind == BlocksAt)
    putBlocks(M.RemoteAddress, M.Length,
              static_cast<tempest_change>(M.RemoteChange), M.Payload);
  Registered[M.Handler - First](M.Source,
                                static_cast<int>(M.Words * 8 + M.Length));
  Current = {};
}

void put(tempest_message *M, Kind K, const void *Payload, size_t Length) {
  if (Length > TEMPEST_MAX_PAYLOAD)
    fail("a protocol sends %zu bytes in a message; %d is the most", Length,
         int(TEMPEST_MAX_PAYLOAD));
  assert(M->kind == NoPayload && "one payload a message");
  M->kind = K;
  M->length = static_cast<uint32_t>(Length);
  M->payload = Payload;
}

Message wireForm(const tempest_message &M) {
  Message W;
  W.Handler = static_cast<uint16_t>(M.handler + First);
  W.Words = M.words;
  W.Kind = M.kind;
  W.Length = M.length;
  W.Change = M.change;
  W.RemoteChange = M.remote_change;
  W.RemoteAddress = M.remote_address;
  for (unsigned I = 0; I != M.words; ++I)
    W.Word[I] = M.word[I];
  W.Payload = M.payload;
  return W;
}

/// The next bytes of the payload, once each.
const char *takePayload(size_t Length) {
  const Message *M = Current.Msg;
  if (!M || Current.Read + Length > M->Length)
    fail("a protocol's handler reads more of a message than was sent");
  const char *P = static_cast<const char *>(M->Payload) + Current.Read;
  Current.Read += static_cast<uint32_t>(Length);
  return P;
}

/// A message of a handler: blocks go from where they are, then are filled.
void sendFromHandler(const tempest_message &M) {
  Node &N = *TheNode;
  Message W = wireForm(M);
  if (M.kind != Blocks && M.kind != BlocksAt)
    return N.Dispatch.send(M.destination, W);
  auto Change = static_cast<tempest_change>(M.change);
  uintptr_t A = addressOf(M.payload);
  changeTags(A, M.length, Change);
  W.Payload = N.Access.data(A);
  N.Dispatch.send(M.destination, W);
  finishChange(A, M.length, Change);
}

/// A message of a thread: others' handlers may run before it is on its way, so
/// blocks are copied when they change.
void sendFromThread(const tempest_message &M) {
  Node &N = *TheNode;
  Away Here(N);
  Locked Lock(N.Dispatch);
  Message W = wireForm(M);
  char Copy[TEMPEST_MAX_PAYLOAD];
  if (M.kind == Blocks || M.kind == BlocksAt) {
    tempest_change_blocks_and_get(const_cast<void *>(M.payload), M.length,
                                  static_cast<tempest_change>(M.change), Copy);
    W.Payload = Copy;
  }
  N.Dispatch.send(M.destination, W);
}

} // namespace

const char *graupel::dsm::registeredHandlers() {
  return Names ? Names->c_str() : "";
}

unsigned tempest_register_message_handler(const char *Name,
                                          tempest_message_handler H) {
  if (RegisteredCount == Most)
    fail("a protocol registers more than %u message handlers", Most);
  if (!Names)
    Names = new std::string;
  *Names += Name;
  *Names += '\n';
  Registered[RegisteredCount] = H;
  TheNode->Dispatch.setHandler(First + RegisteredCount, onMessage);
  return RegisteredCount++;
}

void tempest_begin(tempest_message *M, int Destination, unsigned Handler) {
  M->destination = Destination;
  M->handler = static_cast<uint16_t>(Handler);
  M->words = 0;
  M->kind = NoPayload;
  M->length = 0;
  M->payload = nullptr;
  M->remote_address = 0;
  M->change = M->remote_change = TEMPEST_NO_CHANGE;
}

void tempest_put_word(tempest_message *M, uint64_t Word) {
  if (M->words == TEMPEST_MAX_WORDS)
    fail("a protocol puts more than %d words into a message",
         int(TEMPEST_MAX_WORDS));
  M->word[M->words++] = Word;
}

void tempest_put_region(tempest_message *M, const void *P, size_t Length) {
  put(M, AnyRegion, P, Length);
}

void tempest_put_region_at(tempest_message *M, const void *P, size_t Length,
                           void *Remote) {
  put(M, RegionAt, P, Length);
  M->remote_address = addressOf(Remote);
}

void tempest_put_blocks(tempest_message *M, void *P, size_t Length,
                        tempest_change Change) {
  put(M, Blocks, P, Length);
  M->change = Change;
}

void tempest_put_blocks_at(tempest_message *M, void *P, size_t Length,
                           tempest_change Change, void *Remote,
                           tempest_change RemoteChange) {
  put(M, BlocksAt, P, Length);
  M->change = Change;
  M->remote_address = addressOf(Remote);
  M->remote_change = RemoteChange;
}

void tempest_put_forward(tempest_message *M, size_t Length) {
  if (!Current.Msg || Length > Current.Msg->Length)
    fail("a protocol's handler forwards more of a message than was sent");
  put(M, AnyRegion, Current.Msg->Payload, Length);
}

void tempest_send(tempest_message *M) {
  if (M->destination < 0 || M->destination >= TheNode->Count)
    fail("a protocol sends a message to node %d; nodes are 0 to %d",
         M->destination, TheNode->Count - 1);
  if (Dispatcher::inHandler())
    sendFromHandler(*M);
  else
    sendFromThread(*M);
}

// tempest_send copies the named memory before it returns, so all are done at
// once.
uint64_t tempest_send_async(tempest_message *M) {
  tempest_send(M);
  return 0;
}
int tempest_is_done(uint64_t) { return 1; }

uint64_t tempest_get_word(void) {
  if (!Current.Msg || Current.NextWord == Current.Msg->Words)
    fail("a protocol's handler reads more words of a message than were sent");
  return Current.Msg->Word[Current.NextWord++];
}

void tempest_get_region(void *To, size_t Length) {
  if (Current.Msg && Current.Msg->Kind == RegionAt)
    return;
  memcpy(To, takePayload(Length), Length);
}

void tempest_get_blocks(void *To, size_t Length, tempest_change Change) {
  if (Current.Msg && Current.Msg->Kind == BlocksAt)
    return;
  putBlocks(addressOf(To), Length, Change, takePayload(Length));
}

//===- unit/dsm/SimCalls.cpp - The functions of tempest.h, simulated ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTempest.h"
#include "graupel/dsm_checks.h"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <iterator>

using namespace graupel::test;

int tempest_node(void) { return Simulation::Only->Here; }
int tempest_nodes(void) { return Simulation::Only->Options.Nodes; }
void **tempest_protocol_data(void) {
  return &Simulation::Only->current().ProtocolData;
}

void tempest_fatal(const char *Format, ...) {
  char Text[512];
  va_list Arguments;
  va_start(Arguments, Format);
  std::vsnprintf(Text, sizeof(Text), Format, Arguments);
  va_end(Arguments);
  Simulation::Only->fail("the protocol gives up: %s", Text);
}

int tempest_get_allocation(const void *A, tempest_allocation *Allocation) {
  if (!Simulation::Only->page(uintptr_t(A)))
    return 0;
  size_t Page = (uintptr_t(A) - Simulation::Base) / TEMPEST_PAGE_SIZE;
  *Allocation = {Simulation::Only->Options.Block,
                 Simulation::Only->Options
                     .Homes[Page % Simulation::Only->Options.Homes.size()]};
  return 1;
}

void tempest_register_page_fault_handler(tempest_page_fault_handler Handler) {
  Simulation::Only->current().PageFault = Handler;
}

int tempest_alloc_and_map(void *Page, int Mode, tempest_tag Tag, int Home,
                          void *UserPointer) {
  Simulation::Memory *M = Simulation::Only->page(uintptr_t(Page));
  if (!M || M->Mapped || uintptr_t(Page) % TEMPEST_PAGE_SIZE)
    return 0;
  M->Mapped = true;
  M->Closed = false;
  M->Info = {Mode, Home, UserPointer};
  std::fill(std::begin(M->Tags), std::end(M->Tags), uint8_t(Tag));
  std::fill(std::begin(M->Words), std::end(M->Words),
            Tag & 0x80 ? GRAUPEL_DSM_SENTINEL : 0);
  return 1;
}

int tempest_get_page_info(const void *A, tempest_page_info *Info) {
  Simulation::Memory *M = Simulation::Only->page(uintptr_t(A));
  if (!M)
    return -1;
  if (M->Mapped)
    *Info = M->Info;
  return M->Mapped;
}

int tempest_set_page_info(void *A, const tempest_page_info *Info) {
  Simulation::Memory *M = Simulation::Only->page(uintptr_t(A));
  if (!M || !M->Mapped)
    return 0;
  M->Info = *Info;
  return 1;
}

int tempest_get_page_protection(const void *A) {
  Simulation::Memory *M = Simulation::Only->page(uintptr_t(A));
  if (!M || !M->Mapped)
    return -1;
  return M->Closed ? TEMPEST_PAGE_INVALID : TEMPEST_PAGE_READ_WRITE;
}

int tempest_set_page_protection(void *A, tempest_page_protection Protection) {
  Simulation::Memory *M = Simulation::Only->page(uintptr_t(A));
  if (!M || !M->Mapped)
    return -1;
  M->Closed = Protection == TEMPEST_PAGE_INVALID;
  return 1;
}

tempest_tag tempest_get_tag(const void *A) {
  return Simulation::Only->tagAt(Simulation::Only->Here, uintptr_t(A));
}

void tempest_change_blocks(void *A, size_t Length, tempest_change C) {
  Simulation::Only->change(uintptr_t(A), Length, C, nullptr, nullptr);
}
void tempest_change_blocks_and_get(void *A, size_t Length, tempest_change C,
                                   void *Buffer) {
  Simulation::Only->change(uintptr_t(A), Length, C, Buffer, nullptr);
}
void tempest_change_blocks_and_put(void *A, size_t Length, tempest_change C,
                                   const void *Buffer) {
  Simulation::Only->change(uintptr_t(A), Length, C, nullptr, Buffer);
}

void tempest_register_block_fault_handler(int Mode, tempest_tag Tag,
                                          tempest_access Access,
                                          tempest_block_fault_handler Handler) {
  Simulation::Only->current().fault(Mode, Tag, Access) = Handler;
}

int tempest_is_held(const void *Block) {
  return Simulation::Only->isHeld(Simulation::Only->current(),
                                  uintptr_t(Block));
}
void tempest_register_release_handler(tempest_release_handler Handler) {
  Simulation::Only->current().Release = Handler;
}

unsigned tempest_register_message_handler(const char *,
                                          tempest_message_handler Handler) {
  Simulation::Only->current().Messages.push_back(Handler);
  return unsigned(Simulation::Only->current().Messages.size() - 1);
}

void tempest_begin(tempest_message *M, int Destination, unsigned Handler) {
  *M = {};
  M->destination = Destination;
  M->handler = uint16_t(Handler);
}
void tempest_put_word(tempest_message *M, uint64_t Word) {
  M->word[M->words++] = Word;
}
void tempest_put_blocks(tempest_message *M, void *A, size_t Length,
                        tempest_change Change) {
  M->kind = 'B';
  M->payload = A;
  M->length = uint32_t(Length);
  M->change = uint8_t(Change);
}
void tempest_put_forward(tempest_message *M, size_t Length) {
  if (!Simulation::Only->Handled ||
      Simulation::Only->Handled->Payload.size() < Length)
    Simulation::Only->fail("forwards more than has arrived");
  M->kind = 'F';
  M->length = uint32_t(Length);
}
void tempest_send(tempest_message *M) { Simulation::Only->send(*M); }

uint64_t tempest_get_word(void) {
  if (Simulation::Only->NextWord == Simulation::Only->Handled->Words)
    Simulation::Only->fail("a handler reads more words than were sent");
  return Simulation::Only->Handled->Word[Simulation::Only->NextWord++];
}
void tempest_get_blocks(void *A, size_t Length, tempest_change Change) {
  if (Simulation::Only->Handled->Payload.size() != Length)
    Simulation::Only->fail("a handler reads %zu bytes where %zu were sent",
                           Length, Simulation::Only->Handled->Payload.size());
  Simulation::Only->change(uintptr_t(A), Length, Change, nullptr,
                           Simulation::Only->Handled->Payload.data());
}

void tempest_resume(const void *A, size_t Length) {
  Simulation::Only->resume(uintptr_t(A), Length);
}

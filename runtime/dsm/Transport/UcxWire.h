//===- UcxWire.h - Packets over UCX -------------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One context, one worker, one endpoint a peer; a packet is one eager active
// message. UCX chooses between shared memory, tcp and RDMA; UCX_* variables
// apply.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_UCXWIRE_H
#define GRAUPEL_DSM_TRANSPORT_UCXWIRE_H

#include "Transport/Bootstrap.h"
#include "Transport/ControlPages.h"
#include "Transport/Packet.h"
#include "Transport/PeerWatch.h"
#include "Transport/Wire.h"
#include <ucp/api/ucp.h>

namespace graupel::dsm {

class UcxWire final : public Wire {
public:
  /// Collective: returns when every pair of nodes has exchanged a message. Ends
  /// the job with a message if that fails.
  static std::unique_ptr<UcxWire> open(Bootstrap &, const ControlPages &,
                                       Receiver &);
  ~UcxWire() override;

  uint8_t *buffer() override { return Next->Bytes; }
  void post(int Destination, size_t Size) override;
  void progress() override;
  bool flushed() override { return Outstanding == 0; }
  bool arm() override;
  int descriptor() override { return Descriptor; }

private:
  /// The copy of a packet that UCX has not taken yet.
  struct Buffer {
    UcxWire *Owner;
    Buffer *NextFree;
    alignas(64) uint8_t Bytes[MaxPacket];
  };
  /// Active messages' numbers.
  enum : unsigned { PacketId = 1, HelloId, ReadyId };

  UcxWire(Bootstrap &, const ControlPages &, Receiver &);
  void configure(ucp_config_t *);
  void openContext();
  void openWorker();
  void openEndpoints();
  void handle(unsigned Id, ucp_am_recv_callback_t, void *);
  void greet();
  void greetAll(unsigned Id, const unsigned &Heard, const char *Action);
  void sendNow(int Destination, unsigned Id, const void *, size_t);
  void takeBuffer();
  void require(ucs_status_t, const char *Action);
  [[gnu::cold]] void failed(int Peer, ucs_status_t);
  [[noreturn, gnu::cold]] void reportFailure();

  static ucs_status_t onPacket(void *, const void *, size_t, void *, size_t,
                               const ucp_am_recv_param_t *);
  static ucs_status_t onGreeting(void *, const void *, size_t, void *, size_t,
                                 const ucp_am_recv_param_t *);
  static void onSent(void *, ucs_status_t, void *);
  static void onError(void *, ucp_ep_h, ucs_status_t);

  struct Peer {
    UcxWire *Owner;
    ucp_ep_h Endpoint;
  };

  ucp_worker_h Worker = nullptr;
  Buffer *Next = nullptr;
  std::vector<Peer> Peers;
  size_t Outstanding = 0;
  int FailedNode = -1;
  ucs_status_t FailedStatus = UCS_OK;

  Receiver &To;
  Bootstrap &Boot;
  const ControlPages &Places;
  ucp_context_h Context = nullptr;
  Buffer *FreeBuffers = nullptr;
  int Descriptor = -1;
  unsigned Hellos = 0, Readies = 0;
  bool Closing = false;
  std::unique_ptr<PeerWatch> Watch;
};

} // namespace graupel::dsm

#endif

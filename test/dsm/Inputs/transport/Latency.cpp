//===- Latency.cpp - A round trip, and UCX's own -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In turns within one run: node 0 asks node 1 over Transport, and over a worker
// of its own with nothing but UCX in between, with answers of the same size.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <ucp/api/ucp.h>
#include <unistd.h>
#include <vector>

using graupel::dsm::Message;

namespace {
/// Active messages as one would write them without anything else.
class BareUcx {
public:
  BareUcx(Bootstrap &, bool SameHost);
  void send(size_t Size) {
    ucp_request_param_t P;
    P.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_CALLBACK;
    P.flags = UCP_AM_SEND_FLAG_EAGER;
    P.cb.send = [](void *Request, ucs_status_t, void *) {
      ucp_request_free(Request);
    };
    if (UCS_PTR_IS_ERR(
            ucp_am_send_nbx(Endpoint, 1, nullptr, 0, Bytes, Size, &P)))
      wrong("bare UCX cannot send");
  }
  void receive() {
    for (uint64_t Before = Count; Count == Before;)
      ucp_worker_progress(Worker);
  }
  void progress() { ucp_worker_progress(Worker); }

private:
  ucp_context_h Context;
  ucp_worker_h Worker;
  ucp_ep_h Endpoint;
  uint64_t Count = 0;
  char Bytes[8192] = {}, Copy[8192] = {};
};

BareUcx::BareUcx(Bootstrap &Boot, bool SameHost) {
  ucp_config_t *Config;
  ucp_config_read(nullptr, nullptr, &Config);
  if (SameHost && !getenv("UCX_TLS"))
    ucp_config_modify(Config, "TLS", "sysv,self");
  ucp_params_t P{};
  P.field_mask = UCP_PARAM_FIELD_FEATURES;
  P.features = UCP_FEATURE_AM;
  if (ucp_init(&P, Config, &Context) != UCS_OK)
    wrong("bare UCX cannot start");
  ucp_config_release(Config);
  ucp_worker_params_t W{};
  W.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  W.thread_mode = UCS_THREAD_MODE_SINGLE;
  ucp_worker_create(Context, &W, &Worker);
  ucp_am_handler_param_t H{};
  H.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
                 UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                 UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  H.id = 1;
  H.flags = UCP_AM_FLAG_WHOLE_MSG;
  H.arg = this;
  H.cb = [](void *This, const void *, size_t, void *Data, size_t Size,
            const ucp_am_recv_param_t *) {
    auto *Bare = static_cast<BareUcx *>(This);
    memcpy(Bare->Copy, Data, Size);
    ++Bare->Count;
    return UCS_OK;
  };
  ucp_worker_set_am_recv_handler(Worker, &H);
  ucp_address_t *Address;
  size_t Size;
  ucp_worker_get_address(Worker, &Address, &Size);
  auto All =
      Boot.exchange(std::string(reinterpret_cast<char *>(Address), Size));
  ucp_ep_params_t E{};
  E.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
  E.address =
      reinterpret_cast<const ucp_address_t *>(All[1 - Boot.node()].data());
  if (ucp_ep_create(Worker, &E, &Endpoint) != UCS_OK)
    wrong("bare UCX cannot connect");
}

double median(std::vector<double> &V) {
  std::nth_element(V.begin(), V.begin() + long(V.size() / 2), V.end());
  return V[V.size() / 2];
}

/// Nanoseconds, the least of many: what takes longer was something else.
template <typename Function> double cost(Function F) {
  double Least = 1;
  for (int Round = 0; Round < 100; ++Round) {
    double Start = seconds();
    for (int I = 0; I < 1000; ++I)
      F();
    Least = std::min(Least, seconds() - Start);
  }
  return Least / 1000 * 1e9;
}

class Latency {
public:
  Latency(Bootstrap &Boot, const Options &O);
  void run();

private:
  void ours(unsigned Payload);
  void bare(unsigned Payload);
  void ask(unsigned Payload, int Words);
  void receive(unsigned &Payload);

  Bootstrap &Boot;
  std::unique_ptr<Transport> T;
  BareUcx Bare;
  unsigned Rounds, Batch;
  int Peer;
  char Block[4096] = {};
};

Latency::Latency(Bootstrap &Boot, const Options &O)
    : Boot(Boot), T(Transport::open(Boot, 1)), Bare(Boot, true),
      Rounds(unsigned(O.get("rounds", 200))),
      Batch(unsigned(O.get("batch", 100))), Peer(1 - Boot.node()) {
  if (Boot.nodes() != 2)
    wrong("latency needs two nodes");
  if (O.get("pin", 1)) {
    cpu_set_t Set;
    CPU_ZERO(&Set);
    CPU_SET(Boot.node(), &Set);
    sched_setaffinity(0, sizeof(Set), &Set);
  }
}

void Latency::ask(unsigned Payload, int Words) {
  Message M{};
  M.Words = uint8_t(Words);
  M.Length = Payload;
  M.Payload = Block;
  M.Word[0] = Payload;
  while (!T->send(Peer, M, true))
    ;
}

void Latency::receive(unsigned &Payload) {
  while (!T->progress())
    ;
  const Message *M = T->next();
  Payload = unsigned(M->Word[0]);
  if (M->Length)
    memcpy(Block, M->Payload, M->Length);
  T->release();
}

/// A request of one word; the answer has the payload.
void Latency::ours(unsigned Payload) {
  for (unsigned I = 0; I < Batch; ++I) {
    unsigned Got;
    if (Boot.node() == 0)
      ask(0, 1), receive(Got);
    else
      receive(Got), ask(Payload, 1);
  }
}

void Latency::bare(unsigned Payload) {
  for (unsigned I = 0; I < Batch; ++I) {
    if (Boot.node() == 0)
      Bare.send(16), Bare.receive();
    else
      Bare.receive(), Bare.send(Payload ? Payload : 16);
  }
}

void Latency::run() {
  static const unsigned Payloads[] = {0, 64, 128, 256, 1024, 4096};
  for (unsigned Payload : Payloads) {
    std::vector<double> Ours, Bares, Differences;
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      double A = seconds();
      ours(Payload);
      double B = seconds();
      bare(Payload);
      double C = seconds();
      Ours.push_back((B - A) / Batch * 1e9);
      Bares.push_back((C - B) / Batch * 1e9);
      Differences.push_back(Ours.back() - Bares.back());
    }
    if (Boot.node() == 0)
      printf("answer of %4u bytes: round trip %8.0f ns, bare UCX %8.0f ns, "
             "difference %6.0f ns (medians of %u x %u)\n",
             Payload, median(Ours), median(Bares), median(Differences), Rounds,
             Batch);
  }
  if (Boot.node() == 0)
    printf("progress() that finds nothing: %.1f ns, bare UCX %.1f ns; quiet() "
           "%.1f "
           "ns\n",
           cost([&] { T->progress(); }), cost([&] { Bare.progress(); }),
           cost([&] { T->quiet(); }));
}
} // namespace

void runLatency(Bootstrap &Boot, const Options &O) { Latency(Boot, O).run(); }

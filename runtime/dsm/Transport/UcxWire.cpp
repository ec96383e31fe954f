//===- UcxWire.cpp - Packets over UCX ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sends and receives packets over UCX.
//
// 1. open: watch the peers if the launcher does not notice ends. Choose
//    transports, by UCX_TLS if it is set (configure), and open context and
//    worker.
// 2. openEndpoints: exchange addresses and connect to each peer.
// 3. greet: say Hello to all nodes and wait for the Hello of each; then the
//    same with Ready. After a minute the job ends with a message.
// 4. post: send the packet in Next as an eager active message. If UCX has not
//    taken it yet, another buffer becomes Next, until onSent gives it back.
//    progress hands arrivals to the receiver (onPacket).
// 5. failed notes the first error. progress then ends the job, after the
//    launcher had time to tell more. ucs_fatal_error_format does so where UCX
//    would end the process.
// 6. ~UcxWire: let all packets leave, wait for the other nodes, and close.
//
//===----------------------------------------------------------------------===//

#include "Transport/UcxWire.h"
#include "Transport/Fatal.h"
#include "Transport/Surviving.h"
#include <atomic>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

using namespace graupel::dsm;

/// The job that UCX's own errors end; null before and after there is a worker.
static std::atomic<Bootstrap *> JobOfWorker{nullptr};

static double now() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return double(Time.tv_sec) + 1e-9 * double(Time.tv_nsec);
}

// --- Sending and receiving ---------------------------------------------------

void UcxWire::post(int Destination, size_t Size) {
  sendNow(Destination, PacketId, Next->Bytes, Size);
}

/// `Data` is in Next, or static.
void UcxWire::sendNow(int To, unsigned Id, const void *Data, size_t Size) {
  ucp_request_param_t Parameters;
  Parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                            UCP_OP_ATTR_FIELD_FLAGS |
                            UCP_OP_ATTR_FIELD_USER_DATA;
  Parameters.flags = UCP_AM_SEND_FLAG_EAGER;
  Parameters.cb.send = onSent;
  Parameters.user_data = Next;
  ucs_status_ptr_t Request = ucp_am_send_nbx(Peers[To].Endpoint, Id, nullptr, 0,
                                             Data, Size, &Parameters);
  if (Request == nullptr) [[likely]]
    return;
  if (UCS_PTR_IS_ERR(Request)) {
    failed(To, UCS_PTR_STATUS(Request));
    return;
  }
  ++Outstanding;
  takeBuffer();
}

void UcxWire::onSent(void *Request, ucs_status_t, void *UserData) {
  // An error concerns the endpoint, and is reported there.
  auto *B = static_cast<Buffer *>(UserData);
  B->NextFree = B->Owner->FreeBuffers;
  B->Owner->FreeBuffers = B;
  --B->Owner->Outstanding;
  ucp_request_free(Request);
}

void UcxWire::takeBuffer() {
  if (FreeBuffers) {
    Next = FreeBuffers;
    FreeBuffers = Next->NextFree;
    return;
  }
  Next =
      static_cast<Buffer *>(aligned_alloc(64, (sizeof(Buffer) + 63) / 64 * 64));
  if (!Next)
    fatal(
        "no memory for messages that wait to be sent; run fewer nodes on this "
        "host");
  Next->Owner = this;
}

ucs_status_t UcxWire::onPacket(void *Argument, const void *, size_t, void *Data,
                               size_t Size, const ucp_am_recv_param_t *P) {
  auto *This = static_cast<UcxWire *>(Argument);
  if (P->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) [[unlikely]]
    fatal(
        "UCX sends a message of %zu bytes by rendezvous; remove UCX_* from the "
        "environment",
        Size);
  This->To.arrived(static_cast<const uint8_t *>(Data), Size);
  return UCS_OK;
}

void UcxWire::progress() {
  ucp_worker_progress(Worker);
  if (FailedNode >= 0) [[unlikely]]
    reportFailure();
}

bool UcxWire::arm() {
  return Descriptor < 0 || ucp_worker_arm(Worker) == UCS_OK;
}

// --- Failures ----------------------------------------------------------------

void UcxWire::onError(void *Argument, ucp_ep_h, ucs_status_t Status) {
  auto *P = static_cast<Peer *>(Argument);
  P->Owner->failed(int(P - P->Owner->Peers.data()), Status);
}

void UcxWire::failed(int Peer, ucs_status_t Status) {
  if (FailedNode >= 0 || Closing)
    return;
  FailedNode = Peer;
  FailedStatus = Status;
}

/// Most likely a peer's process is dead. The launcher knows why, and ends this
/// one meanwhile.
static void letLauncherSpeak() { sleep(2); }

/// Takes the place of the function by which UCX ends the process when an
/// assertion of its own fails: UCX 1.13 does when a peer dies while they are
/// connecting.
extern "C" [[noreturn, gnu::visibility("default"), gnu::format(printf, 4, 5)]]
void ucs_fatal_error_format(const char *File, unsigned Line, const char *,
                            const char *Format, ...) {
  char Text[512];
  va_list Arguments;
  va_start(Arguments, Format);
  vsnprintf(Text, sizeof(Text), Format, Arguments);
  va_end(Arguments);
  std::string Reason = format("UCX failed at %s:%u: %s", File, Line, Text);
  Bootstrap *Boot = JobOfWorker;
  if (!Boot)
    fatal("%s", Reason.c_str());
  letLauncherSpeak();
  Boot->abortJob(Reason + "; the job ends");
}

void UcxWire::reportFailure() {
  letLauncherSpeak();
  const NodePlace &Place = Places.place(FailedNode);
  Boot.abortJob(format(
      "lost the connection to node %d (process %d on %s): %s; the job ends",
      FailedNode, Place.Process, Place.Host.c_str(),
      ucs_status_string(FailedStatus)));
}

void UcxWire::require(ucs_status_t Status, const char *Action) {
  if (Status == UCS_OK)
    return;
  Boot.abortJob(
      format("UCX cannot %s: %s; `ucx_info -d` shows what it finds here, and "
             "UCX_TLS and UCX_NET_DEVICES choose",
             Action, ucs_status_string(Status)));
}

// --- Start and end -----------------------------------------------------------

UcxWire::UcxWire(Bootstrap &Boot, const ControlPages &Places, Receiver &To)
    : To(To), Boot(Boot), Places(Places) {}

std::unique_ptr<UcxWire>
UcxWire::open(Bootstrap &Boot, const ControlPages &Places, Receiver &To) {
  std::unique_ptr<UcxWire> W(new UcxWire(Boot, Places, To));
  if (!Boot.noticesEnds())
    W->Watch = std::make_unique<PeerWatch>(Boot, Places);
  W->takeBuffer();
  JobOfWorker = &Boot;
  {
    Surviving S;
    W->openContext();
    W->openWorker();
  }
  W->openEndpoints();
  W->greet();
  return W;
}

static bool hasSystemV() {
  shminfo Limits;
  return shmctl(0, IPC_INFO, reinterpret_cast<shmid_ds *>(&Limits)) >= 0;
}

/// True if a list of transports has one of these names, or is one of
/// exceptions.
static bool mentions(const std::string &List,
                     std::initializer_list<const char *> Names) {
  if (List[0] == '^')
    return true;
  for (const char *Name : Names)
    if (("," + List + ",").find("," + std::string(Name) + ",") != List.npos)
      return true;
  return false;
}

/// System V shared memory, unlike the other kind, knows the process that made a
/// segment. So a segment can be found if the process is killed between making
/// and hiding it (tools/graupel/DsmRun/SharedMemory.h). Within a host tcp is not
/// even opened: it makes looking for arrivals 50 times as expensive.
static std::string chooseTransports(bool ManyHosts) {
  if (const char *Chosen = getenv("UCX_TLS"))
    return Chosen;
  if (ManyHosts)
    return hasSystemV() ? "^posix" : "^sysv";
  return hasSystemV() ? "sysv,self" : "posix,self";
}

void UcxWire::configure(ucp_config_t *Config) {
  std::string Transports = chooseTransports(Places.manyHosts());
  require(ucp_config_modify(Config, "TLS", Transports.c_str()),
          "use the transports of UCX_TLS");
  // Without this UCX does not use shared memory where errors are to be
  // reported, and where they are not it may end the process for a peer that has
  // died. UCX takes it from nowhere else, and complains of what it does not
  // use.
  if (Transports != "^sysv" &&
      mentions(Transports, {"sysv", "shm", "sm", "mm", "all"}))
    setenv("UCX_SYSV_ERROR_HANDLING", "y", 1);
  if (Transports != "^posix" &&
      mentions(Transports, {"posix", "shm", "sm", "mm", "all"}))
    setenv("UCX_POSIX_ERROR_HANDLING", "y", 1);
}

void UcxWire::openContext() {
  ucp_config_t *Config;
  require(ucp_config_read(nullptr, nullptr, &Config), "read its configuration");
  configure(Config);
  ucp_params_t Parameters{};
  Parameters.field_mask = UCP_PARAM_FIELD_FEATURES;
  Parameters.features = UCP_FEATURE_AM;
  if (Places.manyHosts())
    Parameters.features |= UCP_FEATURE_WAKEUP;
  ucs_status_t Status = ucp_init(&Parameters, Config, &Context);
  ucp_config_release(Config);
  require(Status, "start");
}

void UcxWire::openWorker() {
  ucp_worker_params_t Parameters{};
  Parameters.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  Parameters.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  require(ucp_worker_create(Context, &Parameters, &Worker), "make a worker");
  handle(PacketId, onPacket, this);
  handle(HelloId, onGreeting, &Hellos);
  handle(ReadyId, onGreeting, &Readies);
  if (Places.manyHosts())
    require(ucp_worker_get_efd(Worker, &Descriptor), "wait for messages");
}

void UcxWire::handle(unsigned Id, ucp_am_recv_callback_t Callback,
                     void *Argument) {
  ucp_am_handler_param_t Handler{};
  Handler.field_mask =
      UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
      UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  Handler.id = Id;
  Handler.flags = UCP_AM_FLAG_WHOLE_MSG;
  Handler.cb = Callback;
  Handler.arg = Argument;
  require(ucp_worker_set_am_recv_handler(Worker, &Handler), "take messages");
}

void UcxWire::openEndpoints() {
  ucp_address_t *Address;
  size_t Size;
  require(ucp_worker_get_address(Worker, &Address, &Size), "tell its address");
  std::string Own(reinterpret_cast<char *>(Address), Size);
  ucp_worker_release_address(Worker, Address);

  std::vector<std::string> All = Boot.exchange(Own);
  Peers.resize(size_t(Boot.nodes()));
  for (int I = 0; I < Boot.nodes(); ++I) {
    Peers[I].Owner = this;
    if (I == Boot.node())
      continue;
    ucp_ep_params_t Parameters{};
    Parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                            UCP_EP_PARAM_FIELD_ERR_HANDLER;
    Parameters.address = reinterpret_cast<const ucp_address_t *>(All[I].data());
    Parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
    Parameters.err_handler.cb = onError;
    Parameters.err_handler.arg = &Peers[I];
    require(ucp_ep_create(Worker, &Parameters, &Peers[I].Endpoint),
            "connect to the other nodes");
  }
}

ucs_status_t UcxWire::onGreeting(void *Count, const void *, size_t, void *,
                                 size_t, const ucp_am_recv_param_t *) {
  ++*static_cast<unsigned *>(Count);
  return UCS_OK;
}

/// All connections are made here and not when they are first used, so that what
/// is wrong with them shows before the program starts, and nobody has to let
/// UCX work for others to connect. A node that hears Ready of all knows that
/// all have heard its Hello.
void UcxWire::greet() {
  greetAll(HelloId, Hellos, "reach");
  greetAll(ReadyId, Readies, "be reached by");
  Boot.exchange("");
}

void UcxWire::greetAll(unsigned Id, const unsigned &Heard, const char *Action) {
  static const char Nothing[8] = {};
  constexpr double Patience = 60; // seconds
  for (int I = 0; I < Boot.nodes(); ++I)
    if (I != Boot.node())
      sendNow(I, Id, Nothing, sizeof(Nothing));
  double Start = now();
  while (Heard != unsigned(Boot.nodes() - 1) || !flushed()) {
    progress();
    sched_yield();
    if (now() - Start < Patience)
      continue;
    // All may have been heard, and not have taken what was sent.
    const unsigned Missing = unsigned(Boot.nodes() - 1) - Heard;
    Boot.abortJob(format(
        "node %d cannot %s %s of %d nodes within %.0f s; check the network and "
        "firewalls between the hosts, and UCX_NET_DEVICES",
        Boot.node(), Action, Missing ? std::to_string(Missing).c_str() : "some",
        Boot.nodes(), Patience));
  }
}

UcxWire::~UcxWire() {
  while (!flushed())
    progress();
  Watch.reset();
  Closing = true;
  Boot.exchange("");
  ucp_worker_destroy(Worker);
  ucp_cleanup(Context);
  JobOfWorker = nullptr;
  free(Next);
  while (Buffer *B = FreeBuffers) {
    FreeBuffers = B->NextFree;
    free(B);
  }
}

/*===- ucx_pingpong.c - A round trip without shared memory --------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The peer of a miss: two processes, active messages of UCX, a request of 16
|* bytes and a reply of as many as a block has (and 16 more, as any protocol
|* needs to say what it is). Both processes only poll. Prints, for each size,
|* the median, and the tenth and 90th percentile, in microseconds. The transport
|* is UCX's choice, or UCX_TLS.
|*
|*   ucx_pingpong [ROUNDS]
|*
\*===----------------------------------------------------------------------===*/

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

enum { REQUEST = 1, REPLY = 2, HEADER = 16, LARGEST = 4096, ADDRESS = 1 << 16 };

struct request {
  uint64_t size; /**< Of the reply's data; Stop ends the partner. */
  uint64_t number;
};
static const uint64_t Stop = UINT64_MAX;

static ucp_worker_h worker;
static ucp_ep_h partner;
static char data[HEADER + LARGEST], received[HEADER + LARGEST];
static uint64_t replies;
static int stopped;

static void check(ucs_status_t status, const char *what) {
  if (status == UCS_OK)
    return;
  fprintf(stderr, "ucx_pingpong: error: %s: %s\n", what,
          ucs_status_string(status));
  exit(1);
}

static void free_request(void *request, ucs_status_t status, void *unused) {
  (void)unused;
  check(status, "sending");
  ucp_request_free(request);
}

static void send_message(unsigned id, const void *bytes, size_t size) {
  ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                                             UCP_OP_ATTR_FIELD_FLAGS,
                             .cb = {.send = free_request},
                             .flags = UCP_AM_SEND_FLAG_EAGER};
  ucs_status_ptr_t sent =
      ucp_am_send_nbx(partner, id, NULL, 0, bytes, size, &how);
  if (UCS_PTR_IS_ERR(sent))
    check(UCS_PTR_STATUS(sent), "sending");
}

static ucs_status_t on_request(void *unused, const void *header, size_t length,
                               void *bytes, size_t size,
                               const ucp_am_recv_param_t *how) {
  const struct request *request = bytes;
  (void)unused, (void)header, (void)length, (void)size, (void)how;
  if (request->size == Stop)
    stopped = 1;
  else
    send_message(REPLY, data, HEADER + request->size);
  return UCS_OK;
}

static ucs_status_t on_reply(void *unused, const void *header, size_t length,
                             void *bytes, size_t size,
                             const ucp_am_recv_param_t *how) {
  (void)unused, (void)header, (void)length, (void)how;
  memcpy(received, bytes, size < sizeof received ? size : sizeof received);
  ++replies;
  return UCS_OK;
}

static void handle(unsigned id, ucp_am_recv_callback_t function) {
  ucp_am_handler_param_t handler = {.field_mask =
                                        UCP_AM_HANDLER_PARAM_FIELD_ID |
                                        UCP_AM_HANDLER_PARAM_FIELD_CB |
                                        UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
                                    .id = id,
                                    .cb = function,
                                    .flags = UCP_AM_FLAG_WHOLE_MSG};
  check(ucp_worker_set_am_recv_handler(worker, &handler), "registering");
}

static void transfer(int socket, void *bytes, size_t size, int sends) {
  char *at = bytes;
  while (size) {
    ssize_t done = sends ? write(socket, at, size) : read(socket, at, size);
    if (done <= 0)
      check(UCS_ERR_IO_ERROR, "exchanging addresses");
    at += done;
    size -= (size_t)done;
  }
}

/** Sets UCX up, and connects with the process at the other end of the socket.
 */
static void connect_partner(int socket) {
  ucp_context_h context;
  ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                         .features = UCP_FEATURE_AM};
  check(ucp_init(&params, NULL, &context), "starting UCX");
  ucp_worker_params_t single = {.field_mask =
                                    UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                .thread_mode = UCS_THREAD_MODE_SINGLE};
  check(ucp_worker_create(context, &single, &worker), "creating a worker");
  handle(REQUEST, on_request);
  handle(REPLY, on_reply);

  ucp_address_t *mine;
  static char theirs[ADDRESS];
  uint64_t my_size = 0, their_size = 0;
  size_t size;
  check(ucp_worker_get_address(worker, &mine, &size), "getting an address");
  my_size = size;
  transfer(socket, &my_size, sizeof my_size, 1);
  transfer(socket, mine, size, 1);
  transfer(socket, &their_size, sizeof their_size, 0);
  if (their_size > sizeof theirs)
    check(UCS_ERR_BUFFER_TOO_SMALL, "exchanging addresses");
  transfer(socket, theirs, their_size, 0);
  ucp_ep_params_t remote = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                            .address = (ucp_address_t *)theirs};
  check(ucp_ep_create(worker, &remote, &partner), "connecting");
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double round_trip(uint64_t size) {
  struct request request = {size, replies + 1};
  double start = now();
  send_message(REQUEST, &request, sizeof request);
  while (replies < request.number)
    ucp_worker_progress(worker);
  return 1e6 * (now() - start);
}

static void measure(long rounds) {
  static const uint64_t Sizes[] = {0, 32, 64, 128, 1024, 4096};
  double *times = malloc((size_t)rounds * sizeof *times);
  for (size_t s = 0; s < sizeof Sizes / sizeof *Sizes; ++s) {
    for (long r = 0; r < rounds / 10; ++r)
      round_trip(Sizes[s]);
    for (long r = 0; r < rounds; ++r)
      times[r] = round_trip(Sizes[s]);
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("round trip %d: %.3f us p10 %.3f p90 %.3f\n", (int)Sizes[s],
           times[rounds / 2], times[rounds / 10], times[rounds * 9 / 10]);
  }
  free(times);
  struct request stop = {Stop, 0};
  send_message(REQUEST, &stop, sizeof stop);
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 20000;
  int sockets[2];
  if (rounds < 10 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) {
    fprintf(stderr, "usage: ucx_pingpong [ROUNDS], at least 10\n");
    return 1;
  }
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      return 1;
    connect_partner(sockets[1]);
    while (!stopped)
      ucp_worker_progress(worker);
    _exit(0);
  }
  connect_partner(sockets[0]);
  measure(rounds);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0)
    ucp_worker_progress(worker);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

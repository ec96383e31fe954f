//===- Manager/Connections.cpp - Connections of clients -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps from a connection to its requests:
//
// 1. Threads gives each connection a thread: an idle one, else a new one while
//    there are fewer than 800. Threads stay until the process ends.
// 2. The thread makes a Connection of it, which is a stranger. If there are too
//    many, the oldest one is shut down, which its thread notices.
// 3. Connection reads and writes for the library. It waits for two seconds at
//    most, and for a stranger no longer than until its time is over.
// 4. trustConnection() takes it from the strangers.
//
//===----------------------------------------------------------------------===//

#include "Connections.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <httplib.h>
#include <list>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace graupel::ui;
using Clock = std::chrono::steady_clock;

/// Browsers keep several connections. Less than the files that a process may
/// usually open.
static constexpr size_t MostThreads = 800;
static constexpr size_t MostStrangers = 256;
static constexpr std::chrono::seconds StrangersTime(5), LongestSilence(2);
static constexpr size_t MostRequests = 1000; ///< Per connection.

namespace {

/// Threads for connections: as many as there are at once. They stay until the
/// process ends.
class Threads final : public httplib::TaskQueue {
public:
  void enqueue(std::function<void()> Serve) override {
    std::lock_guard L(Lock);
    Waiting.push_back(std::move(Serve));
    pthread_t Thread;
    if (Idle < Waiting.size() && Count < MostThreads &&
        pthread_create(&Thread, nullptr, work, this) == 0) {
      pthread_detach(Thread);
      ++Count;
    }
    Change.notify_one();
  }
  void shutdown() override {}

private:
  static void *work(void *Self) {
    auto &All = *static_cast<Threads *>(Self);
    std::unique_lock L(All.Lock);
    for (;;) {
      while (All.Waiting.empty()) {
        ++All.Idle;
        All.Change.wait(L);
        --All.Idle;
      }
      const std::function<void()> Serve = std::move(All.Waiting.front());
      All.Waiting.pop_front();
      L.unlock();
      Serve();
      L.lock();
    }
  }

  std::mutex Lock;
  std::condition_variable Change;
  std::deque<std::function<void()>> Waiting;
  size_t Count = 0, Idle = 0;
};

class Connection;

/// The oldest first.
struct {
  std::mutex Lock;
  std::list<Connection *> List;
} Strangers;

/// The one that this thread serves.
thread_local Connection *Current;

class Connection final : public httplib::Stream {
public:
  explicit Connection(int Socket);
  ~Connection() override;

  /// Whether one begins, while it may.
  bool awaitRequest() const { return is_readable(); }
  void trust();

  bool is_readable() const override { return At != End || wait(POLLIN); }
  bool is_writable() const override { return wait(POLLOUT); }
  ssize_t read(char *To, size_t Size) override;
  ssize_t write(const char *From, size_t Size) override;
  void get_remote_ip_and_port(std::string &IP, int &Port) const override {
    IP = "127.0.0.1";
    Port = 0;
  }
  void get_local_ip_and_port(std::string &IP, int &Port) const override {
    get_remote_ip_and_port(IP, Port);
  }
  socket_t socket() const override { return Socket; }

private:
  bool wait(short Events) const;

  const int Socket;
  const Clock::time_point Over = Clock::now() + StrangersTime;
  bool IsStranger = true;
  char Bytes[1 << 12]; ///< The library reads one at a time.
  size_t At = 0, End = 0;
};

Connection::Connection(int Socket) : Socket(Socket) {
  fcntl(Socket, F_SETFD, FD_CLOEXEC);
  Current = this;
  std::lock_guard L(Strangers.Lock);
  if (Strangers.List.size() >= MostStrangers) {
    // It is there until it has left the list.
    ::shutdown(Strangers.List.front()->Socket, SHUT_RDWR);
    Strangers.List.pop_front();
  }
  Strangers.List.push_back(this);
}

Connection::~Connection() {
  trust();
  Current = nullptr;
  ::shutdown(Socket, SHUT_RDWR);
  close(Socket);
}

void Connection::trust() {
  if (!IsStranger)
    return;
  IsStranger = false;
  std::lock_guard L(Strangers.Lock);
  Strangers.List.remove(this);
}

bool Connection::wait(short Events) const {
  const auto Begin = Clock::now();
  const auto Until = IsStranger ? std::min(Begin + LongestSilence, Over)
                                : Begin + LongestSilence;
  for (;;) {
    const auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        Until - Clock::now());
    if (Left.count() <= 0)
      return false;
    pollfd File = {Socket, Events, 0};
    const int Ready = poll(&File, 1, int(Left.count()));
    if (Ready >= 0 || errno != EINTR)
      return Ready > 0;
  }
}

ssize_t Connection::read(char *To, size_t Size) {
  if (At == End) {
    if (!wait(POLLIN))
      return -1;
    const ssize_t Got = recv(Socket, Bytes, sizeof(Bytes), 0);
    if (Got <= 0)
      return Got;
    At = 0;
    End = size_t(Got);
  }
  Size = std::min(Size, End - At);
  memcpy(To, Bytes + At, Size);
  At += Size;
  return ssize_t(Size);
}

ssize_t Connection::write(const char *From, size_t Size) {
  return wait(POLLOUT) ? send(Socket, From, Size, MSG_NOSIGNAL | MSG_DONTWAIT)
                       : -1;
}

class Server final : public httplib::Server {
  bool process_and_close_socket(socket_t Socket) override {
    Connection C(Socket);
    bool IsGood = false, IsClosed = false;
    for (size_t Left = MostRequests; Left && !IsClosed && C.awaitRequest();
         --Left) {
      IsGood = process_request(C, Left == 1, IsClosed, nullptr);
      IsClosed |= !IsGood;
    }
    return IsGood;
  }
};

} // namespace

void graupel::ui::trustConnection() {
  if (Current)
    Current->trust();
}

std::unique_ptr<httplib::Server> graupel::ui::makeServer() {
  auto HTTP = std::make_unique<::Server>();
  HTTP->new_task_queue = [] { return new Threads; };
  HTTP->set_keep_alive_max_count(MostRequests);
  HTTP->set_keep_alive_timeout(LongestSilence.count());
  return HTTP;
}

//===- Times.cpp - Time and signals in shared memory ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements functions on times and sets of signals with private copies of
// shared arguments.
//
// 1. Objects that are read or stored get a private copy, which is copied back
//    if it has changed (Object); what an interrupted sleep leaves, only then.
// 2. A broken-down time may have the name of its zone in another node's private
//    memory: functions that print it get a name of this node's (BrokenDown).
// 3. Text is printed into private memory and copied as far as it goes (format).
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>

using namespace graupel::dsm;

GRAUPEL_WRAP(time_t, time, (time_t *T), Object(T))
GRAUPEL_WRAP(int, gettimeofday, (timeval * T, void *Z), Object(T), Z)
GRAUPEL_WRAP(int, clock_gettime, (clockid_t C, timespec *T), C, Object(T))
GRAUPEL_WRAP(int, clock_getres, (clockid_t C, timespec *T), C, Object(T))
GRAUPEL_WRAP(int, timespec_get, (timespec * T, int Base), Object(T), Base)
GRAUPEL_WRAP(int, getrusage, (int Target, rusage *U),
             static_cast<__rusage_who>(Target), Object(U))
GRAUPEL_WRAP(clock_t, times, (tms * T), Object(T))
GRAUPEL_WRAP(int, setitimer, (int W, const itimerval *New, itimerval *Old),
             static_cast<__itimer_which>(W), Object(New), Object(Old))
GRAUPEL_WRAP(int, getitimer, (int W, itimerval *Now),
             static_cast<__itimer_which>(W), Object(Now))

GRAUPEL_WRAP(tm *, gmtime, (const time_t *T), Object(T))
GRAUPEL_WRAP(tm *, localtime, (const time_t *T), Object(T))
GRAUPEL_WRAP(time_t, mktime, (tm * M), Object(M))
GRAUPEL_WRAP(time_t, timegm, (tm * M), Object(M))
GRAUPEL_WRAP(char *, asctime, (const tm *M), Object(M))
GRAUPEL_WRAP(char *, ctime, (const time_t *T), Object(T))

namespace {

/// The name of the zone of a time that another node may have made. Its own
/// pointer is to private memory, perhaps another node's.
const char *zoneOf(const tm &M) {
  const time_t Start = 0;
  tm Greenwich, Local = M;
  gmtime_r(&Start, &Greenwich);
  if (M.tm_zone == Greenwich.tm_zone)
    return M.tm_zone;
  mktime(&Local);
  if (Local.tm_gmtoff == M.tm_gmtoff)
    return Local.tm_zone;
  return M.tm_gmtoff ? tzname[M.tm_isdst > 0] : Greenwich.tm_zone;
}

/// A time that is only read, with its zone.
class BrokenDown {
public:
  explicit BrokenDown(const tm *M) : Given(M) {
    if (!isShared(M)) [[likely]]
      return;
    graupel_dsm_memcpy(&Copy, M, sizeof(Copy));
    Copy.tm_zone = zoneOf(Copy);
    Given = &Copy;
  }
  BrokenDown(const BrokenDown &) = delete;
  BrokenDown &operator=(const BrokenDown &) = delete;
  operator const tm *() const { return Given; }

private:
  const tm *Given;
  tm Copy;
};

} // namespace

/// Print(Text) into memory that may be shared.
template <class F> static size_t format(char *To, size_t Size, F Print) {
  if (!isShared(To))
    return Print(To);
  auto *Text = static_cast<char *>(privateMemory(Size));
  *Text = 1; // An empty result is one, too.
  size_t Length = Print(Text);
  if (Length || (Size && !*Text))
    graupel_dsm_memcpy(To, Text, Length + 1);
  free(Text);
  return Length;
}

extern "C" {

int graupel_dsm_nanosleep(const timespec *T, timespec *Given) {
  Results Rest(Given);
  int Result = nanosleep(Object(T), Rest);
  if (Result && errno == EINTR)
    Rest.stored(1);
  return Result;
}

int graupel_dsm_clock_nanosleep(clockid_t C, int Flags, const timespec *T,
                                timespec *Given) {
  Results Rest(Given);
  int Error = clock_nanosleep(C, Flags, Object(T), Rest);
  if (Error == EINTR && !(Flags & TIMER_ABSTIME))
    Rest.stored(1);
  return Error;
}

tm *graupel_dsm_gmtime_r(const time_t *T, tm *M) {
  return gmtime_r(Object(T), Object(M)) ? M : nullptr;
}

tm *graupel_dsm_localtime_r(const time_t *T, tm *M) {
  return localtime_r(Object(T), Object(M)) ? M : nullptr;
}

char *graupel_dsm_asctime_r(const tm *M, char *To) {
  return asctime_r(Object(M), Objects(To, 26)) ? To : nullptr;
}

char *graupel_dsm_ctime_r(const time_t *T, char *To) {
  return ctime_r(Object(T), Objects(To, 26)) ? To : nullptr;
}

size_t graupel_dsm_strftime(char *To, size_t Size, const char *Format,
                            const tm *M) {
  return format(To, Size, [&](char *Text) {
    return strftime(Text, Size, String(Format), BrokenDown(M));
  });
}

size_t graupel_dsm_strftime_l(char *To, size_t Size, const char *Format,
                              const tm *M, locale_t Locale) {
  return format(To, Size, [&](char *Text) {
    return strftime_l(Text, Size, String(Format), BrokenDown(M), Locale);
  });
}

char *graupel_dsm_strptime(const char *S, const char *Format, tm *M) {
  String Text(S);
  return Text.back(strptime(Text, String(Format), Object(M)));
}

} // extern "C"

GRAUPEL_WRAP(int, sigemptyset, (sigset_t * S), Object(S))
GRAUPEL_WRAP(int, sigfillset, (sigset_t * S), Object(S))
GRAUPEL_WRAP(int, sigaddset, (sigset_t * S, int N), Object(S), N)
GRAUPEL_WRAP(int, sigdelset, (sigset_t * S, int N), Object(S), N)
GRAUPEL_WRAP(int, sigismember, (const sigset_t *S, int N), Object(S), N)
GRAUPEL_WRAP(int, sigprocmask, (int H, const sigset_t *S, sigset_t *Old), H,
             Object(S), Object(Old))
GRAUPEL_WRAP(int, pthread_sigmask, (int H, const sigset_t *S, sigset_t *Old), H,
             Object(S), Object(Old))

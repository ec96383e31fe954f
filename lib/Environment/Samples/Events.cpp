//===- Samples/Events.cpp - Events that this machine can sample -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Events.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <cstring>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

static constexpr SampledEvent All[] = {
    SampledEvent::Branches, SampledEvent::Cycles, SampledEvent::Clock};

StringRef graupel::environment::sentence(SampledEvent E) {
  switch (E) {
  case SampledEvent::Branches:
    return "samples of the processor's cycles, with its branch records: "
           "nearly as good as counts";
  case SampledEvent::Cycles:
    return "samples of the processor's cycles, without branch records: which "
           "way branches go is guessed, so counts are better";
  case SampledEvent::Clock:
    return "samples by a timer, since there are no counters of the processor "
           "here: which way branches go is guessed, so counts are better";
  }
  return "";
}

/// Asks the kernel as perf will. 0, or errno.
static int tryEvent(SampledEvent E) {
  perf_event_attr Wanted = {};
  Wanted.size = sizeof(Wanted);
  Wanted.type =
      E == SampledEvent::Clock ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
  Wanted.config = E == SampledEvent::Clock ? uint64_t(PERF_COUNT_SW_CPU_CLOCK)
                                           : uint64_t(PERF_COUNT_HW_CPU_CYCLES);
  Wanted.sample_period = 1000000;
  Wanted.sample_type = PERF_SAMPLE_IP;
  Wanted.disabled = Wanted.exclude_kernel = Wanted.exclude_hv = 1;
  if (E == SampledEvent::Branches) {
    Wanted.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    Wanted.branch_sample_type =
        PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
  }
  const long File =
      syscall(SYS_perf_event_open, &Wanted, /*Process=*/0,
              /*Processor=*/-1, /*Group=*/-1, PERF_FLAG_FD_CLOEXEC);
  if (File < 0)
    return errno;
  close(int(File));
  return 0;
}

/// The error, with a remedy, if even the last resort fails.
static Error cannotSample(int Code) {
  if (Code != EACCES && Code != EPERM)
    return createStringError(std::string("the kernel has no perf events (") +
                             strerror(Code) +
                             "); use another kernel, or learn by counting");
  auto Buffer =
      MemoryBuffer::getFileAsStream("/proc/sys/kernel/perf_event_paranoid");
  int Level = 0;
  if (Buffer && !(*Buffer)->getBuffer().trim().getAsInteger(10, Level) &&
      Level > 2)
    return createStringError(
        "the kernel lets no ordinary user sample: kernel.perf_event_paranoid "
        "is " +
        std::to_string(Level) + "; have it set to 2, or run as root");
  return createStringError(
      std::string("sampling is forbidden here (") + strerror(Code) +
      "), as in many containers; have perf_event_open allowed, or learn by "
      "counting");
}

Expected<Sampler> Sampler::find() {
  int Code = 0;
  const auto *Best =
      find_if(All, [&](SampledEvent E) { return !(Code = tryEvent(E)); });
  if (Best == std::end(All))
    return cannotSample(Code);
  ErrorOr<std::string> Perf = sys::findProgramByName("perf");
  if (!Perf)
    return createStringError("the program perf is not there; install "
                             "linux-perf (or linux-tools, perf)");
  return Sampler{*Perf, *Best};
}

std::vector<std::string>
Sampler::command(const std::string &File,
                 std::vector<std::string> Command) const {
  // -N: no copies of the images in the user's home.
  std::vector<std::string> All = {
      Perf, "record",
      "-q", "-N",
      "-o", File,
      "-e", Event == SampledEvent::Clock ? "cpu-clock:u" : "cycles:u"};
  if (Event == SampledEvent::Branches)
    append_range(All, ArrayRef<std::string>{"-j", "any,u"});
  All.push_back("--");
  append_range(All, Command);
  return All;
}

//===- ControlPages.cpp - The control pages of a host --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/ControlPages.h"
#include "Transport/Fatal.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace graupel::dsm;

ControlPages::ControlPages(int File, int Node, std::vector<NodePlace> P)
    : File(File), Node(Node), Places(std::move(P)) {
  void *Memory = mmap(nullptr, sizeof(Page) * Places.size(),
                      PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (Memory == MAP_FAILED)
    fatal("cannot map memory to share with other processes: %s",
          strerror(errno));
  First = static_cast<Page *>(Memory);
}

ControlPages::~ControlPages() {
  munmap(First, sizeof(Page) * Places.size());
  close(File);
}

bool ControlPages::manyHosts() const {
  for (const NodePlace &P : Places)
    if (!P.SameHost)
      return true;
  return false;
}

int ControlPages::file(uint64_t &Offset) const {
  Offset = sizeof(Page) * uint64_t(Node);
  return File;
}

namespace {
std::string readLine(const char *Path) {
  char Line[256] = "";
  if (FILE *File = fopen(Path, "re")) {
    if (fgets(Line, sizeof(Line), File))
      Line[strcspn(Line, "\n")] = '\0';
    fclose(File);
  }
  return Line;
}

std::string readLink(const char *Path) {
  char Link[256];
  ssize_t Size = readlink(Path, Link, sizeof(Link));
  return Size > 0 ? std::string(Link, size_t(Size)) : std::string();
}

/// A node's message to the others about where it is.
struct Introduction {
  std::string Key, Host; // equal keys: memory can be shared
  int Process, File;

  static Introduction own(int Node, int File) {
    char Name[256] = "";
    gethostname(Name, sizeof(Name) - 1);
    Introduction I{readLine("/proc/sys/kernel/random/boot_id") + " " +
                       readLink("/proc/self/ns/pid") + " " +
                       std::to_string(geteuid()),
                   Name, getpid(), File};
    const char *Test = getenv("GRAUPEL_DSM_TEST_HOSTS");
    if (Test && strcmp(Test, "1") == 0)
      I.Key += " " + std::to_string(Node);
    return I;
  }
  std::string text() const {
    return Key + "\n" + Host + "\n" + std::to_string(Process) + "\n" +
           std::to_string(File);
  }
  static Introduction parse(const std::string &Text) {
    Introduction I{};
    size_t A = Text.find('\n'), B = Text.find('\n', A + 1);
    I.Key = Text.substr(0, A);
    I.Host = Text.substr(A + 1, B - A - 1);
    sscanf(Text.c_str() + B + 1, "%d\n%d", &I.Process, &I.File);
    return I;
  }
};

int createFile(int Nodes) {
  int File = memfd_create("graupel-dsm-control", MFD_CLOEXEC);
  if (File < 0 || ftruncate(File, off_t(4096) * Nodes) != 0)
    fatal("cannot create memory to share with other processes: %s",
          strerror(errno));
  return File;
}

int openFile(Bootstrap &Boot, const Introduction &Owner) {
  std::string Path = "/proc/" + std::to_string(Owner.Process) + "/fd/" +
                     std::to_string(Owner.File);
  int File = open(Path.c_str(), O_RDWR | O_CLOEXEC);
  if (File < 0) {
    Boot.abortJob(
        format("cannot share memory with process %d of this host (%s: %s); run "
               "all nodes as one user, with /proc mounted",
               Owner.Process, Path.c_str(), strerror(errno)));
  }
  return File;
}
} // namespace

std::unique_ptr<ControlPages> ControlPages::open(Bootstrap &Boot) {
  int File = getenv("GRAUPEL_DSM_TEST_HOSTS") ? -1 : Boot.controlFile();
  bool Inherited = File >= 0;
  if (!Inherited)
    File = createFile(Boot.nodes());
  auto Own = Introduction::own(Boot.node(), File);

  std::vector<NodePlace> Places;
  std::vector<Introduction> OfThisHost; // by node, so the lowest comes first
  for (const std::string &Text : Boot.exchange(Own.text())) {
    auto I = Introduction::parse(Text);
    bool Same = I.Key == Own.Key;
    if (Same)
      OfThisHost.push_back(I);
    Places.push_back({I.Host, I.Process, Same});
  }
  if (!Inherited && OfThisHost.front().Process != Own.Process) {
    close(File);
    File = openFile(Boot, OfThisHost.front());
  }
  // Nobody ends before all have opened the file.
  Boot.exchange("");
  return std::make_unique<ControlPages>(File, Boot.node(), std::move(Places));
}

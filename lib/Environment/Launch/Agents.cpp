//===- Launch/Agents.cpp - Images that processes are about to load --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the agent's library beside this command. For root, copy it to where
//    all users can read it.
// 2. Listen at a socket in the abstract namespace, under a name that nobody can
//    guess (listen), and tell both to whatever starts from now on
//    (setVariables).
// 3. Let a process that connects wait until it asks; others may ask meanwhile
//    (admit).
// 4. Take a question: the kernel tells which process asks, and the path in it
//    is resolved as this process sees it. Send the answer, and files with it.
//
//===----------------------------------------------------------------------===//

#include "Agents.h"
#include "Environment/Process/Random.h"
#include "Environment/Store/FileIdentity.h"
#include "graupel/agent.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

using namespace graupel::environment;
using graupel::substitution::Descriptor;

/// A name that nobody can guess, and that takes no place on a disk.
static std::string newName() {
  const std::string Random = randomHex(16);
  return Random.empty() ? "" : "graupel-agent-" + Random;
}

/// Beside this command's folder, in a build and when installed.
static std::string findAgent() {
  char Own[PATH_MAX];
  const ssize_t Length = readlink("/proc/self/exe", Own, sizeof(Own));
  std::string Folder(Own, size_t(Length > 0 ? Length : 0));
  Folder.resize(Folder.find_last_of('/') + 1);
  for (const char *Beside : {"../lib/", "../" GRAUPEL_LIBRARY_FOLDER "/"}) {
    char Real[PATH_MAX];
    const std::string File = Folder + Beside + "libgraupel-agent.so";
    if (realpath(File.c_str(), Real))
      return Real;
  }
  return "";
}

/// A blank or a colon in LD_AUDIT would make two libraries of one.
static bool isOneWord(const std::string &Path) {
  return Path.find_first_of(": ") == Path.npos;
}

/// A folder with a link to a file, which all users can follow.
static std::string makeLink(const std::string &File) {
  char Folder[] = "/tmp/graupel-agent-XXXXXX";
  if (!mkdtemp(Folder))
    return "";
  if (chmod(Folder, 0755) == 0 &&
      symlink(File.c_str(), (Folder + std::string("/agent.so")).c_str()) == 0)
    return Folder;
  rmdir(Folder);
  return "";
}

/// All users may go through \p Path's folders, and read it.
static bool isForAll(const std::string &Path) {
  struct stat Status;
  for (size_t Slash = 0; (Slash = Path.find('/', Slash + 1)) != Path.npos;)
    if (stat(Path.substr(0, Slash).c_str(), &Status) ||
        !(Status.st_mode & S_IXOTH))
      return false;
  return stat(Path.c_str(), &Status) == 0 && (Status.st_mode & S_IROTH);
}

/// A folder in which only this user writes, and from which programs are loaded.
static bool isOurs(const std::string &Folder) {
  struct stat Status, Above;
  struct statvfs Disk;
  return lstat(Folder.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode) &&
         Status.st_uid == geteuid() && !(Status.st_mode & 022) &&
         stat((Folder + "/..").c_str(), &Above) == 0 &&
         (!(Above.st_mode & 022) || (Above.st_mode & S_ISVTX)) &&
         statvfs(Folder.c_str(), &Disk) == 0 && !(Disk.f_flag & ST_NOEXEC);
}

static std::string contentOf(const std::string &Path) {
  llvm::Expected<HashedFile> Hashed = hashFile(Path);
  if (Hashed)
    return Hashed->Content;
  llvm::consumeError(Hashed.takeError());
  return "";
}

/// A copy of a file that all users can read, or nothing. It stays: processes
/// may outlive the command, and the next command uses it, too.
static std::string copyForAll(const std::string &File) {
  const std::string Folder = "/tmp/graupel-agent-" + std::to_string(geteuid());
  const std::string Content = contentOf(File), Random = randomHex(8);
  if (Content.empty() || Random.empty())
    return "";
  if (mkdir(Folder.c_str(), 0755) == 0)
    chmod(Folder.c_str(), 0755); // Whatever the mask is.
  const std::string Copy = Folder + "/" + Content.substr(0, 16) + ".so";
  if (!isOurs(Folder))
    return "";
  if (isForAll(Copy) && contentOf(Copy) == Content)
    return Copy;
  const std::string New = Folder + "/" + Random;
  if (!llvm::sys::fs::copy_file(File, New) && chmod(New.c_str(), 0755) == 0 &&
      contentOf(New) == Content && rename(New.c_str(), Copy.c_str()) == 0)
    return Copy;
  unlink(New.c_str());
  return "";
}

Agents::~Agents() {
  if (Folder.empty() || Owner != getpid())
    return;
  unlink(Library.c_str());
  rmdir(Folder.c_str());
}

static std::string usableAgent() {
  std::string Library = findAgent();
  // Only root starts programs as other users, whose linker would complain.
  if (geteuid() == 0 && !Library.empty() && !isForAll(Library))
    if (std::string Copy = copyForAll(Library); !Copy.empty())
      return Copy;
  return Library;
}

std::string graupel::environment::auditLibrary() {
  const std::string Library = usableAgent();
  return isOneWord(Library) ? Library : "";
}

bool Agents::listen() {
  Name = newName();
  if (Name.empty())
    return false;
  Library = usableAgent();
  if (!isOneWord(Library)) {
    Owner = getpid();
    Folder = makeLink(Library);
    Library = Folder.empty() ? "" : Folder + "/agent.so";
  }
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  memcpy(Address.sun_path + 1, Name.data(), Name.size());
  const socklen_t Size = offsetof(sockaddr_un, sun_path) + 1 + Name.size();
  Socket = Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  Spare = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Events = Descriptor(epoll_create1(EPOLL_CLOEXEC));
  if (!Socket || !Spare || !Events)
    return false;
  listenTo(Socket);
  return bind(Socket.number(), reinterpret_cast<sockaddr *>(&Address), Size) ==
             0 &&
         ::listen(Socket.number(), 128) == 0;
}

/// Seccomp filters of this process: with more, a question may be forbidden.
static int ownFilters() {
  std::ifstream Status("/proc/self/status");
  for (std::string Word; Status >> Word;)
    if (int Count = 0; Word == "Seccomp_filters:" && Status >> Count)
      return Count;
  return 0;
}

void graupel::environment::setAuditVariables(const std::string &Library) {
  std::string Audit = Library;
  if (const char *Others = getenv("LD_AUDIT"); Others && *Others)
    Audit += std::string(":") + Others;
  setenv("LD_AUDIT", Audit.c_str(), 1);
  const char *Tunables = getenv(GRAUPEL_AGENT_TUNABLES);
  if (!Tunables || !strstr(Tunables, GRAUPEL_AGENT_TUNABLE))
    setenv(GRAUPEL_AGENT_TUNABLES,
           (std::string(Tunables ? Tunables : "") + (Tunables ? ":" : "") +
            GRAUPEL_AGENT_TUNABLE "=" +
            std::to_string(GRAUPEL_AGENT_LARGER_RESERVE))
               .c_str(),
           1);
}

bool Agents::setVariables() const {
  if (Library.empty())
    return false;
  setAuditVariables(Library);
  setenv(GRAUPEL_AGENT_VARIABLE,
         (Name + "/" + std::to_string(ownFilters())).c_str(), 1);
  return true;
}

const char *Agents::whyNoLibrary() const {
  if (access("/proc/self/exe", F_OK))
    return "/proc is not there; mount it";
  return "libgraupel-agent.so is not beside this command, or has no place in "
         "/tmp that can be named in LD_AUDIT; install Graupel again";
}

static std::string linkAt(const std::string &Path) {
  char Text[PATH_MAX];
  const ssize_t Length = readlink(Path.c_str(), Text, sizeof(Text));
  return std::string(Text, size_t(Length > 0 ? Length : 0));
}

/// The path in this process of the file that the other one means; empty if
/// there is none.
static std::string resolve(pid_t Process, std::string Path) {
  const std::string Proc = "/proc/" + std::to_string(Process) + "/";
  if (linkAt(Proc + "root") != "/")
    return "";
  if (!Path.starts_with('/'))
    Path = linkAt(Proc + "cwd") + "/" + Path;
  char Real[PATH_MAX];
  return realpath(Path.c_str(), Real) ? Real : "";
}

static void send(const Descriptor &Peer, AgentAnswer A) {
  iovec Part = {&A.Answer, 1};
  alignas(cmsghdr) char Control[CMSG_SPACE(2 * sizeof(int))] = {};
  msghdr Message = {};
  Message.msg_iov = &Part;
  Message.msg_iovlen = 1;
  if (!A.Files.empty()) {
    const size_t Size = A.Files.size() * sizeof(int);
    Message.msg_control = Control;
    Message.msg_controllen = CMSG_SPACE(Size);
    cmsghdr *Header = CMSG_FIRSTHDR(&Message);
    Header->cmsg_level = SOL_SOCKET;
    Header->cmsg_type = SCM_RIGHTS;
    Header->cmsg_len = CMSG_LEN(Size);
    memcpy(CMSG_DATA(Header), A.Files.data(), Size);
  }
  sendmsg(Peer.number(), &Message, MSG_NOSIGNAL);
}

/// Without descriptors, who asks is turned away and goes on: he must not wait.
Descriptor Agents::accept() {
  Descriptor Peer(accept4(Socket.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (Peer || (errno != EMFILE && errno != ENFILE))
    return Peer;
  Spare = Descriptor();
  Descriptor(accept4(Socket.number(), nullptr, nullptr, SOCK_CLOEXEC));
  Spare = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  return Peer;
}

void Agents::listenTo(const Descriptor &File) {
  epoll_event Event = {};
  Event.events = EPOLLIN;
  Event.data.fd = File.number();
  epoll_ctl(Events.number(), EPOLL_CTL_ADD, File.number(), &Event);
}

void Agents::stop() {
  Socket = Descriptor();
  Peers.clear();
  Events = Descriptor();
}

/// A process that connects and does not ask keeps nobody waiting, and only a
/// limited number of descriptors busy. Agents ask at once; other users'
/// processes may be no agents.
void Agents::admit() {
  Descriptor File = accept();
  ucred Credentials;
  socklen_t Size = sizeof(Credentials);
  if (!File ||
      getsockopt(File.number(), SOL_SOCKET, SO_PEERCRED, &Credentials, &Size))
    return;
  const bool IsOthers = Credentials.uid != geteuid();
  auto isAlike = [&](const Peer &P) { return P.IsOthers == IsOthers; };
  const ptrdiff_t Most = IsOthers ? 32 : 512;
  if (std::count_if(Peers.begin(), Peers.end(), isAlike) >= Most)
    Peers.erase(std::find_if(Peers.begin(), Peers.end(), isAlike));
  listenTo(File);
  Peers.push_back({std::move(File), Credentials.pid, IsOthers});
}

/// The parsed question, if \p Text is one.
static std::optional<AgentQuestion> readQuestion(std::string_view Text,
                                                 pid_t Process, bool IsOthers) {
  if (Text.empty())
    return std::nullopt;
  AgentQuestion Q = {Process, Text[0] == GRAUPEL_AGENT_PROGRAM, IsOthers,
                     std::string(Text.substr(1))};
  if (Q.IsProgram) {
    std::string Runs = linkAt("/proc/" + std::to_string(Process) + "/exe");
    // Its version was taken from its place when it had just been started.
    if (Runs != "/" || Q.Path.empty())
      Q.Path = std::move(Runs);
  }
  Q.Path = resolve(Process, Q.Path);
  return Q;
}

void Agents::answer(
    const std::function<AgentAnswer(const AgentQuestion &)> &Ask) {
  // One at a time: between two, files may have been written.
  epoll_event Ready;
  if (epoll_wait(Events.number(), &Ready, 1, 0) < 1)
    return;
  const int File = Ready.data.fd;
  if (File == Socket.number())
    return admit();
  auto It = std::find_if(Peers.begin(), Peers.end(), [&](const Peer &P) {
    return P.File.number() == File;
  });
  char Question[1 + PATH_MAX];
  const ssize_t Got = recv(File, Question, sizeof(Question), MSG_DONTWAIT);
  if (It == Peers.end() || (Got < 0 && (errno == EAGAIN || errno == EINTR)))
    return;
  const Peer From = std::move(*It);
  Peers.erase(It);
  if (auto Q = readQuestion({Question, size_t(std::max<ssize_t>(Got, 0))},
                            From.Process, From.IsOthers))
    send(From.File, Q->Path.empty() ? GRAUPEL_AGENT_GO_ON : Ask(*Q));
}

//===- Build/Outputs.cpp - The outputs of a build -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. All programs and shared libraries below the folder of the build, and
//      what links have named elsewhere, are collected by inode: cargo and
//      others give a file several names, libtool renames it.
//   2. Those that a link has noted are outputs, if they are still there
//      (configure scripts remove what they link), and so are new ones: copies,
//      and what came from linkers that we did not stand before.
//   3. Those with the same content are one output.
//   4. The optimizer reads the output itself; or, where it was to be stripped,
//      what was kept of that very file.
//   5. An output that cannot be optimized gets a reason that fits its link.
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"
#include "Environment/Images/Examine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <map>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;
using graupel::environment::FileIdentity;

int64_t graupel::build::nanoseconds(const timespec &T) {
  return int64_t(T.tv_sec) * 1000000000 + T.tv_nsec;
}

/// By the first bytes; object files are none.
static bool isImage(const std::string &Path) {
  const int File =
      open(Path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (File < 0)
    return false;
  Elf64_Ehdr Head = {};
  const bool IsRead = pread(File, &Head, sizeof(Head), 0) == sizeof(Head);
  close(File);
  return IsRead && memcmp(Head.e_ident, ELFMAG, SELFMAG) == 0 &&
         (Head.e_type == ET_EXEC || Head.e_type == ET_DYN);
}

namespace {
using Key = std::pair<uint64_t, uint64_t>;

class Finder {
public:
  void add(const std::string &Path);
  void walk(const std::string &Folder, const std::string &State);
  std::vector<Copy> take();

private:
  std::map<Key, Copy> Files;
};
} // namespace

void Finder::add(const std::string &Path) {
  struct stat Status;
  // Linkers make what they link executable.
  if (lstat(Path.c_str(), &Status) != 0 || !S_ISREG(Status.st_mode) ||
      !(Status.st_mode & 0111))
    return;
  auto It = Files.find({Status.st_dev, Status.st_ino});
  if (It == Files.end() && !isImage(Path))
    return;
  Copy &C = Files[{Status.st_dev, Status.st_ino}];
  C.Status = Status;
  if (!is_contained(C.Paths, Path))
    C.Paths.push_back(Path);
}

void Finder::walk(const std::string &Folder, const std::string &State) {
  std::error_code EC;
  sys::fs::recursive_directory_iterator I(Folder, EC,
                                          /*follow_symlinks=*/false),
      End;
  while (I != End) {
    const std::string &Path = I->path();
    if (I->type() == sys::fs::file_type::directory_file) {
      const StringRef Name = sys::path::filename(Path);
      if (Path == State || Name == ".git" || Name == ".graupel")
        I.no_push();
    } else {
      add(Path);
    }
    // Folders that cannot be entered are skipped.
    I.increment(EC);
  }
}

std::vector<Copy> Finder::take() {
  std::vector<Copy> All;
  for (auto &[K, C] : Files) {
    llvm::sort(C.Paths, [](const std::string &A, const std::string &B) {
      return std::pair(A.size(), A) < std::pair(B.size(), B);
    });
    All.push_back(std::move(C));
  }
  return All;
}

std::string graupel::build::throughLinks(const std::string &Path) {
  SmallString<256> Real;
  if (sys::fs::real_path(sys::path::parent_path(Path), Real))
    return Path;
  sys::path::append(Real, sys::path::filename(Path));
  return std::string(Real);
}

std::vector<Copy> graupel::build::findImages(const std::string &Folder,
                                             const std::string &State,
                                             ArrayRef<std::string> Also) {
  Finder F;
  F.walk(Folder, State);
  for (const std::string &Path : Also)
    F.add(Path);
  return F.take();
}

/// Whether it is the very file that a link has left.
static bool isLeftBy(const Copy &C, const Link &L) {
  FileIdentity Now = FileIdentity::of(C.Status);
  Now.ChangeTime = 0;
  return Now == L.Identity;
}

namespace {
/// The links of a build: which has made a file.
class LinkIndex {
public:
  explicit LinkIndex(const std::vector<Link> &Links) {
    for (const Link &L : Links) {
      ByFile[{L.Identity.Device, L.Identity.Inode}] = &L;
      ByPath[throughLinks(L.Output)] = &L;
    }
  }
  std::vector<std::string> paths() const {
    std::vector<std::string> All;
    for (const auto &[Path, L] : ByPath)
      All.push_back(Path);
    return All;
  }
  /// The link that has made this very file, else the last one to its name; null
  /// if there is none.
  const Link *find(const Copy &C) const {
    auto It = ByFile.find({C.Status.st_dev, C.Status.st_ino});
    if (It != ByFile.end() && isLeftBy(C, *It->second))
      return It->second;
    for (const std::string &Path : C.Paths)
      if (auto P = ByPath.find(Path); P != ByPath.end())
        return P->second;
    return nullptr;
  }

private:
  std::map<Key, const Link *> ByFile;
  std::map<std::string, const Link *> ByPath;
};
} // namespace

static std::string nameOf(const std::string &Path, const std::string &Folder) {
  StringRef Name = Path;
  return Name.consume_front(Folder + "/") ? Name.str() : Path;
}

/// Why relocations are missing, by how it was linked.
static std::string whyWithout(const Output &O, const Link *By) {
  if (!By)
    return "no linker that `graupel build` stands before has made it: call the "
           "linker by its name, not by its path, or link with "
           "-Wl,--emit-relocs";
  if (!By->Without.empty())
    return By->Without;
  for (const Copy &C : O.Copies)
    if (isLeftBy(C, *By))
      return "";
  return "it is not what its link has left: it was stripped, or linked again "
         "outside of `graupel build`";
}

/// Whether libtool links a library again when it is installed, as it does if it
/// needs another one of the same project. Its .la file says so:
///   library_names='libb.so.0.0.0 libb.so.0 libb.so'
///   relink_command="(cd ...
static bool isLinkedAgainByLibtool(StringRef Path) {
  const StringRef Folder = sys::path::parent_path(Path);
  if (sys::path::filename(Folder) != ".libs")
    return false;
  const std::string Name = sys::path::filename(Path).str();
  std::error_code EC;
  for (sys::fs::directory_iterator I(sys::path::parent_path(Folder), EC), End;
       I != End && !EC; I.increment(EC)) {
    if (!StringRef(I->path()).ends_with(".la"))
      continue;
    auto Buffer = MemoryBuffer::getFile(I->path());
    if (!Buffer)
      continue;
    const StringRef Text = (*Buffer)->getBuffer();
    const StringRef Names = Text.split("\nlibrary_names='").second;
    const StringRef Command = Text.split("\nrelink_command=\"").second;
    if (!Command.empty() && Command[0] != '"' &&
        is_contained(split(Names.split('\'').first, ' '), Name))
      return true;
  }
  return false;
}

static Error examine(Output &O, const Link *By) {
  O.Plain = O.Copies.front().Paths.front();
  if (By && any_of(O.Copies, [&](const Copy &C) { return isLeftBy(C, *By); })) {
    O.By = *By;
    O.Asked = By->Asked;
    if (!By->Unstripped.empty())
      O.Plain = By->Unstripped;
  }
  Expected<graupel::environment::ImageFacts> Facts =
      graupel::environment::examineImage(O.Plain);
  if (!Facts)
    return Facts.takeError();
  O.Unfit = Facts->Unfit;
  for (const Copy &C : O.Copies)
    if (any_of(C.Paths, isLinkedAgainByLibtool))
      O.Note = "libtool links it again when it is installed, without "
               "relocations; have the build command install below this folder, "
               "and train what is there";
  if (StringRef(O.Unfit).contains("elocations") ||
      StringRef(O.Unfit).contains("stripped"))
    if (std::string Why = whyWithout(O, By); !Why.empty())
      O.Unfit = Why;
  return Error::success();
}

namespace {

/// Files by their content.
class Contents {
public:
  /// A file that is an output, and the link that made it, if it is known.
  Error add(Copy C, const Link *By);
  Expected<std::vector<Output>> take(const std::string &Folder);

private:
  struct Made {
    Output Result;
    const Link *By = nullptr;
  };
  std::map<std::string, Made> All; ///< By content.
};

} // namespace

Error Contents::add(Copy C, const Link *By) {
  auto Hash = graupel::environment::hashFile(C.Paths.front());
  if (!Hash)
    return Hash.takeError();
  Made &M = All[Hash->Content];
  M.Result.Content = Hash->Content;
  if (By && (!M.By || isLeftBy(C, *By)))
    M.By = By;
  M.Result.Copies.push_back(std::move(C));
  return Error::success();
}

Expected<std::vector<Output>> Contents::take(const std::string &Folder) {
  std::vector<Output> Outputs;
  for (auto &[Content, M] : All) {
    if (Error Err = examine(M.Result, M.By))
      return std::move(Err);
    for (const Copy &C : M.Result.Copies) {
      const std::string Name = nameOf(C.Paths.front(), Folder);
      if (M.Result.Name.empty() || Name.size() < M.Result.Name.size())
        M.Result.Name = Name;
    }
    Outputs.push_back(std::move(M.Result));
  }
  llvm::sort(Outputs,
             [](const Output &A, const Output &B) { return A.Name < B.Name; });
  return Outputs;
}

Expected<std::vector<Output>>
graupel::build::findOutputs(const std::string &Folder, const std::string &State,
                            int64_t Since) {
  const std::vector<Link> Links = links(State);
  const LinkIndex Index(Links);
  Contents All;
  for (Copy &C : findImages(Folder, State, Index.paths())) {
    const Link *By = Index.find(C);
    // Older files are not of this build: somebody may keep them.
    if (!By && nanoseconds(C.Status.st_mtim) < Since)
      continue;
    if (Error Err = All.add(std::move(C), By))
      return std::move(Err);
  }
  return All.take(Folder);
}

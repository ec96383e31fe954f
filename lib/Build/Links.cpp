//===- Build/Links.cpp - The list of links --------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. A link is an object of JSON in one line. Bytes of names that are not
//      UTF-8 are written as \xNN in hexadecimal: names must be kept exactly.
//   2. Each build begins with the links of earlier builds whose output is still
//      there: the last link for each name.
//
//===----------------------------------------------------------------------===//

#include "Links.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "JSON/Parse.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;

std::string graupel::build::linksFile(StringRef State) {
  return State.str() + "/links.jsonl";
}

/// Any bytes as UTF-8: with `\` as `\5C`, and what JSON cannot hold likewise.
static std::string encoded(StringRef Bytes) {
  const bool IsText = json::isUTF8(Bytes);
  std::string Text;
  for (char C : Bytes)
    if (C == '\\' || (!IsText && (C & 0x80)))
      Text += "\\" + toHex(StringRef(&C, 1));
    else
      Text += C;
  return Text;
}

static std::string decoded(StringRef Text) {
  std::string Bytes;
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\\' && I + 2 < Text.size()) {
      Bytes += fromHex(Text.substr(I + 1, 2));
      I += 2;
    } else {
      Bytes += Text[I];
    }
  return Bytes;
}

std::string graupel::build::storedPath(StringRef State, StringRef Path) {
  const std::string Folder = sys::path::parent_path(State).str() + "/";
  Path.consume_front(Folder);
  return encoded(Path);
}

std::string graupel::build::pathOf(StringRef State, StringRef Stored) {
  const std::string Path = decoded(Stored);
  if (Path.empty() || sys::path::is_absolute(Path))
    return Path;
  return sys::path::parent_path(State).str() + "/" + Path;
}

static std::string lineOf(StringRef State, const Link &L) {
  json::Array Arguments;
  for (const std::string &A : L.Arguments)
    Arguments.push_back(encoded(A));
  std::string Line;
  raw_string_ostream(Line) << json::Value(json::Object{
                                  {"output", storedPath(State, L.Output)},
                                  {"folder", storedPath(State, L.Folder)},
                                  {"linker", encoded(L.Linker)},
                                  {"arguments", std::move(Arguments)},
                                  {"time", L.Time},
                                  {"strip", int64_t(L.Asked)},
                                  {"unstripped",
                                   storedPath(State, L.Unstripped)},
                                  {"device", L.Identity.Device},
                                  {"inode", L.Identity.Inode},
                                  {"size", L.Identity.Size},
                                  {"modified", L.Identity.ModifyTime},
                                  {"without", json::fixUTF8(L.Without)}})
                           << "\n";
  return Line;
}

Error graupel::build::note(StringRef State, const Link &L) {
  const std::string Path = linksFile(State), Line = lineOf(State, L);
  const int File =
      open(Path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (File < 0)
    return createStringError(Path + ": cannot be written: " + strerror(errno));
  while (flock(File, LOCK_EX) != 0 && errno == EINTR)
    ;
  const bool IsDone =
      write(File, Line.data(), Line.size()) == ssize_t(Line.size());
  close(File);
  return IsDone ? Error::success()
                : createStringError(Path + ": cannot be written");
}

static std::optional<Link> readLine(StringRef State, StringRef Line) {
  Expected<json::Value> Root = graupel::parseJSON(Line);
  if (!Root) {
    consumeError(Root.takeError());
    return std::nullopt;
  }
  const json::Object *O = Root->getAsObject();
  if (!O || !O->getString("output"))
    return std::nullopt;
  auto path = [&](StringRef Name) {
    return pathOf(State, O->getString(Name).value_or(""));
  };
  Link L;
  L.Output = path("output");
  L.Folder = path("folder");
  L.Linker = decoded(O->getString("linker").value_or(""));
  L.Unstripped = path("unstripped");
  L.Without = O->getString("without").value_or("").str();
  auto number = [&](StringRef Name) {
    return O->getInteger(Name).value_or(-1);
  };
  L.Identity = {number("device"), number("inode"), number("size"),
                number("modified"), 0};
  L.Time = O->getInteger("time").value_or(0);
  L.Asked = Strip(std::clamp<int64_t>(O->getInteger("strip").value_or(0), 0,
                                      int64_t(Strip::All)));
  if (const json::Array *Words = O->getArray("arguments"))
    for (const json::Value &W : *Words)
      L.Arguments.push_back(decoded(W.getAsString().value_or("")));
  return L;
}

std::vector<Link> graupel::build::links(StringRef State) {
  auto Buffer = MemoryBuffer::getFile(linksFile(State));
  if (!Buffer)
    return {};
  SmallVector<StringRef> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<Link> All;
  for (StringRef Line : Lines)
    if (std::optional<Link> L = readLine(State, Line))
      All.push_back(std::move(*L));
  return All;
}

Error graupel::build::forgetGone(StringRef State) {
  const std::string Path = linksFile(State), New = Path + ".new";
  std::vector<std::string> Lines;
  StringSet<> Kept, Seen;
  const std::vector<Link> All = links(State);
  for (const Link &L : reverse(All))
    if (access(L.Output.c_str(), F_OK) == 0 && Seen.insert(L.Output).second) {
      Lines.push_back(lineOf(State, L));
      Kept.insert(L.Unstripped);
    }
  std::error_code EC;
  for (sys::fs::directory_iterator I(State + "/unstripped", EC), End;
       I != End && !EC; I.increment(EC))
    if (!Kept.contains(I->path()))
      unlink(I->path().c_str());
  {
    raw_fd_ostream File(New, EC);
    for (const std::string &Line : reverse(Lines))
      File << Line;
    File.close();
    if (File.has_error())
      EC = File.error();
    File.clear_error();
  }
  if (EC || rename(New.c_str(), Path.c_str()))
    return createStringError(
        Path + ": cannot be written: " +
        (EC ? EC.message() : std::string(strerror(errno))) +
        "; free some space, or give --state another folder");
  return Error::success();
}

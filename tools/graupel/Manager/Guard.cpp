//===- Manager/Guard.cpp - Access control ---------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "Environment/Process/Random.h"

using namespace graupel::ui;

static constexpr std::string_view CookieName = "graupel";

/// 256 random bits, or nothing.
static std::string randomToken() { return graupel::environment::randomHex(32); }

bool graupel::ui::equalSecrets(std::string_view A, std::string_view B) {
  if (A.size() != B.size() || A.empty())
    return false;
  volatile unsigned char Difference = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Difference = Difference | static_cast<unsigned char>(A[I] ^ B[I]);
  return Difference == 0;
}

std::optional<Guard> Guard::make() {
  Guard G;
  for (std::string *Secret : {&G.Entry, &G.Session, &G.Action, &G.Folder})
    if ((*Secret = randomToken()).empty())
      return std::nullopt;
  return G;
}

std::string Guard::url() const {
  return "http://127.0.0.1:" + std::to_string(Port) + "/?token=" + Entry;
}

std::string Guard::folder() const { return "/" + Folder; }

std::string Guard::setCookie() const {
  return std::string(CookieName) + "=" + Session + "; Path=" + folder() +
         "; HttpOnly; SameSite=Strict";
}

bool Guard::isOurs(std::string_view Host) const {
  const std::string Suffix = ":" + std::to_string(Port);
  return Host == "127.0.0.1" + Suffix || Host == "localhost" + Suffix;
}

/// The value of our cookie in the header `Cookie`.
static std::string_view cookieIn(std::string_view Header) {
  while (!Header.empty()) {
    const size_t End = std::min(Header.find(';'), Header.size());
    std::string_view One = Header.substr(0, End);
    Header.remove_prefix(std::min(End + 1, Header.size()));
    One.remove_prefix(std::min(One.find_first_not_of(' '), One.size()));
    if (One.starts_with(CookieName) &&
        One.substr(CookieName.size()).starts_with('='))
      return One.substr(CookieName.size() + 1);
  }
  return {};
}

std::optional<std::string> Guard::refusal(const Credentials &C) const {
  if (C.Hosts.size() != 1 || !isOurs(C.Hosts[0]))
    return "this is not the address of a manager page";
  if (!C.Origin.empty() && C.Origin != "http://" + C.Hosts[0])
    return "another page has asked";
  const bool IsReading = C.Method == "GET" || C.Method == "HEAD";
  if (C.Path == "/" && IsReading && equalSecrets(C.Token, Entry))
    return std::nullopt;
  if (!equalSecrets(cookieIn(C.Cookie), Session))
    return "open the address that `graupel ui` has printed";
  if (!IsReading &&
      (C.Method != "POST" || !equalSecrets(C.ActionToken, Action)))
    return "actions are for the page alone";
  return std::nullopt;
}

//===- Manager/Guard.h - Access control ----------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The URL that is printed has a token: GET /?token=... is answered with a
//    page that sets a cookie and leads into a folder with a random name.
// 2. The cookie is for that folder alone. Cookies do not know ports: with the
//    path / the browser would send it to any other server of this machine, also
//    to one of another user.
// 3. Everything in the folder wants the cookie; actions are POST and want, in a
//    header, another token, which only the page itself has.
// 4. Host is one of ours: a name of somebody else that leads to 127.0.0.1 would
//    make his page and ours one site (DNS rebinding).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_GUARD_H
#define GRAUPEL_TOOLS_MANAGER_GUARD_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graupel::ui {

/// Data in a request that identify its sender.
struct Credentials {
  std::string Method, Path;
  std::vector<std::string> Hosts; ///< Each header of that name.
  std::string Origin, Cookie;     ///< Empty if there is none.
  std::string Token;              ///< In the query.
  std::string ActionToken;        ///< In the header X-Graupel-Action.
};

class Guard {
public:
  /// Nothing if the kernel has no random numbers.
  static std::optional<Guard> make();
  void setPort(int To) { Port = To; }

  /// Why a request is refused, or nothing.
  std::optional<std::string> refusal(const Credentials &C) const;

  std::string url() const;    ///< With the token.
  std::string folder() const; ///< For example "/0123...".
  std::string setCookie() const;
  const std::string &actionToken() const { return Action; }

private:
  bool isOurs(std::string_view Host) const;

  int Port = 0;
  std::string Entry, Session, Action, Folder;
};

/// In a time that does not depend on where they differ.
bool equalSecrets(std::string_view A, std::string_view B);

} // namespace graupel::ui

#endif

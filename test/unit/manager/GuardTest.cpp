//===- GuardTest.cpp - Who the manager page answers -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "gtest/gtest.h"
#include <set>

using namespace graupel::ui;

namespace {

/// Requests as the page itself makes them.
class GuardTest : public testing::Test {
protected:
  void SetUp() override {
    auto Made = Guard::make();
    ASSERT_TRUE(Made);
    G = std::move(*Made);
    G->setPort(4242);
    const std::string URL = G->url();
    Entry = URL.substr(URL.find('=') + 1);
    const std::string Set = G->setCookie();
    Cookie = Set.substr(0, Set.find(';'));
  }

  Credentials reading(std::string Path) const {
    Credentials C;
    C.Method = "GET";
    C.Path = G->folder() + Path;
    C.Hosts = {"127.0.0.1:4242"};
    C.Cookie = Cookie;
    return C;
  }
  Credentials acting() const {
    Credentials C = reading("/action");
    C.Method = "POST";
    C.Origin = "http://127.0.0.1:4242";
    C.ActionToken = G->actionToken();
    return C;
  }
  bool answers(const Credentials &C) const { return !G->refusal(C); }

  std::optional<Guard> G;
  std::string Entry, Cookie;
};

TEST_F(GuardTest, ThePageIsAnswered) {
  EXPECT_TRUE(answers(reading("/")));
  EXPECT_TRUE(answers(acting()));
  Credentials Local = acting();
  Local.Hosts = {"localhost:4242"};
  Local.Origin = "http://localhost:4242";
  EXPECT_TRUE(answers(Local));
}

TEST_F(GuardTest, SecretsAreLongAndNeverTheSame) {
  std::set<std::string> All;
  for (int I = 0; I < 50; ++I) {
    auto Other = Guard::make();
    ASSERT_TRUE(Other);
    for (const std::string &Text :
         {Other->url().substr(Other->url().find('=') + 1), Other->actionToken(),
          Other->folder().substr(1),
          Other->setCookie().substr(8, 64)}) {
      EXPECT_EQ(Text.size(), 64u);
      EXPECT_TRUE(All.insert(Text).second);
    }
  }
}

TEST_F(GuardTest, TheTokenOpensTheEntranceAlone) {
  Credentials C;
  C.Method = "GET";
  C.Path = "/";
  C.Hosts = {"127.0.0.1:4242"};
  EXPECT_FALSE(answers(C));
  C.Token = Entry;
  EXPECT_TRUE(answers(C));
  C.Method = "POST";
  EXPECT_FALSE(answers(C));
  C.Method = "GET";
  for (const std::string &Path : {G->folder() + "/", G->folder() + "/overview",
                                  std::string("//"), std::string("/x")}) {
    C.Path = Path;
    EXPECT_FALSE(answers(C)) << Path;
  }
  C.Path = "/";
  for (std::string Wrong : {Entry.substr(1), Entry + "0", std::string(64, '0'),
                            G->actionToken(), std::string()}) {
    C.Token = Wrong;
    EXPECT_FALSE(answers(C)) << Wrong;
  }
}

TEST_F(GuardTest, TheCookieIsFoundAmongOthers) {
  Credentials C = reading("/overview");
  for (const std::string &Text :
       {Cookie, "a=b; " + Cookie, Cookie + ";c=d", "a=b;" + Cookie + "; c"}) {
    C.Cookie = Text;
    EXPECT_TRUE(answers(C)) << Text;
  }
  for (const std::string &Text :
       {std::string(), std::string("graupel"), std::string("graupel="),
        "x" + Cookie, Cookie + "0", "a=" + Cookie,
        "graupelx=" + Cookie.substr(8), std::string(";;; ;"),
        "graupel=;" + Cookie}) {
    C.Cookie = Text;
    EXPECT_FALSE(answers(C)) << Text;
  }
}

TEST_F(GuardTest, OtherNamesOfThisMachineAreRefused) {
  Credentials C = reading("/overview");
  for (std::string Host :
       {"127.0.0.1", "127.0.0.1:4243", "127.0.0.1:42420", "evil.example:4242",
        "127.0.0.1:4242.evil.example", "LOCALHOST:4242", "[::1]:4242", "",
        "127.0.0.1:4242 "}) {
    C.Hosts = {Host};
    EXPECT_FALSE(answers(C)) << Host;
  }
  C.Hosts = {};
  EXPECT_FALSE(answers(C));
  C.Hosts = {"127.0.0.1:4242", "127.0.0.1:4242"};
  EXPECT_FALSE(answers(C));
}

TEST_F(GuardTest, OtherPagesAreRefused) {
  for (Credentials C : {acting(), reading("/overview")})
    for (std::string Origin :
         {"null", "http://evil.example", "https://127.0.0.1:4242",
          "http://127.0.0.1:4243", "http://localhost:4242",
          "http://127.0.0.1:4242/"}) {
      C.Origin = Origin;
      EXPECT_FALSE(answers(C)) << Origin;
    }
}

TEST_F(GuardTest, ActionsWantTheirTokenToo) {
  Credentials C = acting();
  for (const std::string &Token :
       {std::string(), Entry, Cookie.substr(8), std::string(64, '0')}) {
    C.ActionToken = Token;
    EXPECT_FALSE(answers(C)) << Token;
  }
  C = acting();
  C.Cookie.clear();
  EXPECT_FALSE(answers(C));
  for (std::string Method : {"PUT", "DELETE", "PATCH", "OPTIONS", "post", ""}) {
    C = acting();
    C.Method = Method;
    EXPECT_FALSE(answers(C)) << Method;
  }
}

TEST_F(GuardTest, TheCookieStaysInItsFolder) {
  EXPECT_NE(G->setCookie().find("; Path=" + G->folder() + ";"),
            std::string::npos);
  EXPECT_NE(G->setCookie().find("HttpOnly"), std::string::npos);
  EXPECT_NE(G->setCookie().find("SameSite=Strict"), std::string::npos);
}

TEST(Secrets, NothingEqualsNothing) {
  EXPECT_FALSE(equalSecrets("", ""));
  EXPECT_FALSE(equalSecrets("a", "ab"));
  EXPECT_FALSE(equalSecrets("ab", "ac"));
  EXPECT_TRUE(equalSecrets("ab", "ab"));
  EXPECT_FALSE(
      equalSecrets(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

} // namespace

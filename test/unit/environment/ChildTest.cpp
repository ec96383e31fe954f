//===- environment/ChildTest.cpp - A program run to its end ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Process/Child.h"
#include "Environment/Launch/Wait.h"
#include "Environment/Substitution/Substitution.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace graupel::environment;

TEST(Child, WhoseEndNobodyTells) {
  signal(SIGCHLD, SIG_IGN);
  auto Unknown = runChild({"false"});
  EXPECT_FALSE(bool(Unknown));
  EXPECT_NE(toString(Unknown.takeError()).find("not known"), std::string::npos);
  const pid_t Process = fork();
  if (Process == 0)
    _exit(0);
  EXPECT_NE(waitForCommand(Process).Status, 0);

  graupel::substitution::hearOfChildren();
  auto Known = runChild({"false"});
  ASSERT_TRUE(bool(Known));
  EXPECT_EQ(Known->Status, 1);
  signal(SIGCHLD, SIG_DFL);
}

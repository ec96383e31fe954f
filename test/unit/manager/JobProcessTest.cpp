//===- JobProcessTest.cpp - Jobs in processes of their own ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobProcess.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace graupel::ui;
using graupel::environment::Progress;

namespace {

/// Remembers what it was told.
class Remembers : public Monitor {
public:
  void progress(const Progress &P) override {
    Far.push_back(std::to_string(P.Done) + "/" + std::to_string(P.Total) + " " +
                  P.Image.str());
  }
  void log(llvm::StringRef Line) override { Lines.push_back(Line.str()); }
  void onCancel(std::function<void()> F) override { Cancel = std::move(F); }

  std::vector<std::string> Far, Lines;
  std::function<void()> Cancel;
};

/// Whether it has ended, waited for or not, or does so within a minute.
bool ends(int Process) {
  for (int I = 0; I < 6000; ++I) {
    std::string Text;
    std::getline(std::ifstream("/proc/" + std::to_string(Process) + "/stat"),
                 Text);
    const size_t State = Text.rfind(')');
    if (Text.empty() || Text.compare(State, 3, ") Z") == 0)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(Process, SIGKILL);
  return false;
}

class JobProcessTest : public testing::Test {
protected:
  void SetUp() override { signal(SIGPIPE, SIG_IGN); }

  Outcome shell(std::string Script, std::string Input = "") {
    return inProcess({"/bin/sh", "-c", std::move(Script)},
                     std::move(Input))(Told);
  }

  Remembers Told;
};

TEST_F(JobProcessTest, MessagesAndTheRestAreToldApart) {
  const Outcome O = shell(R"(
    echo '{"done": 1, "total": 3, "image": "/a"}'
    echo '{"log": "said"}'
    echo plain
    echo '{"other": 1'
    echo '{"outcome": "in part", "lines": ["x", "y"]}')");
  EXPECT_EQ(O.Status, Outcome::State::InPart);
  EXPECT_EQ(O.Lines, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(Told.Far, std::vector<std::string>{"1/3 /a"});
  EXPECT_EQ(Told.Lines,
            (std::vector<std::string>{"said", "plain", "{\"other\": 1"}));
  EXPECT_FALSE(Told.Cancel);
}

TEST_F(JobProcessTest, ErrorsAreTheLog) {
  shell("echo complaint >&2; printf end >&2");
  EXPECT_EQ(Told.Lines, (std::vector<std::string>{"complaint", "end"}));
}

TEST_F(JobProcessTest, InputOfAnySizeArrives) {
  const Outcome O =
      shell("n=$(wc -c); echo '{\"outcome\": \"done\", \"lines\": "
            "[\"'$n'\"]}'",
            std::string(1 << 20, 'x'));
  EXPECT_EQ(O.Lines, std::vector<std::string>{"1048576"});
  // What is not read is of no use.
  EXPECT_EQ(shell("exec true", std::string(1 << 20, 'x')).Status,
            Outcome::State::Failed);
}

/// The server ignores them; what a job starts may be ended by them.
TEST_F(JobProcessTest, SignalsAreAsUsual) {
  signal(SIGXFSZ, SIG_IGN);
  shell("grep SigIgn /proc/self/status");
  signal(SIGXFSZ, SIG_DFL);
  ASSERT_EQ(Told.Lines.size(), 1u);
  const auto Ignored = std::stoull(Told.Lines[0].substr(8), nullptr, 16);
  EXPECT_EQ(Ignored >> (SIGXFSZ - 1) & 1, 0u);
  EXPECT_EQ(Ignored >> (SIGPIPE - 1) & 1, 0u);
}

TEST_F(JobProcessTest, AnEndWithoutAMessageIsAFailure) {
  Outcome O = shell("exit 3");
  EXPECT_EQ(O.Status, Outcome::State::Failed);
  ASSERT_EQ(O.Lines.size(), 1u);
  EXPECT_NE(O.Lines[0].find("status 3"), std::string::npos);
  O = shell("kill -SEGV $$");
  EXPECT_NE(O.Lines[0].find("signal 11"), std::string::npos);
  O = inProcess({"/no/such/program"}, "")(Told);
  EXPECT_EQ(O.Status, Outcome::State::Failed);
}

TEST_F(JobProcessTest, ChildrenThatLiveOnAreNotWaitedFor) {
  const auto Begin = std::chrono::steady_clock::now();
  EXPECT_EQ(shell("sleep 600 & echo '{\"outcome\": \"done\"}'; echo $!").Status,
            Outcome::State::Done);
  EXPECT_LT(std::chrono::steady_clock::now() - Begin,
            std::chrono::seconds(300));
  kill(std::stoi(Told.Lines.back()), SIGKILL);
}

/// Also of what does not want to end.
TEST_F(JobProcessTest, CancelEndsAllProcesses) {
  for (const char *Script :
       {"sleep 600 & echo $!; wait", "trap '' TERM; sleep 600 & echo $!; wait; "
                                     "wait"}) {
    Told = Remembers();
    std::thread Impatient([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      Told.Cancel();
    });
    const Outcome O = shell(Script);
    Impatient.join();
    EXPECT_EQ(O.Status, Outcome::State::Cancelled);
    ASSERT_FALSE(Told.Lines.empty());
    const int Sleeper = std::stoi(Told.Lines[0]);
    EXPECT_TRUE(ends(Sleeper));
  }
}

/// Such as graupel-bolt, if the job was killed for the memory it took.
TEST_F(JobProcessTest, NothingIsLeftOfAJobThatWasKilled) {
  EXPECT_EQ(shell("sleep 600 & echo $!; kill -KILL $$").Status,
            Outcome::State::Failed);
  ASSERT_FALSE(Told.Lines.empty());
  EXPECT_TRUE(ends(std::stoi(Told.Lines[0])));
}

} // namespace

//===- Manager/Server.cpp - The manager page's server ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The HTTP side of the page. Steps from a connection to its answer:
//
// 1. A connection gets a thread, and little time (Connections.h).
// 2. Before routing, the Guard judges the request's credentials; what it
//    refuses is answered with 403, and who is not refused is trusted. Headers that forbid other sources and caches
//    are set for all answers.
// 3. addPage() serves the page: the root sets the cookie and leads into the
//    folder, page.html is filled with the action token and the first overview,
//    and scripts and style are compiled in.
// 4. addRoutes() answers with JSON of Answers, or with `error` and status 500.
// 5. addJobs() reads an action (status 400 if it is none) and adds a job that
//    runs in a process of its own.
//
// The paths, where F is the folder:
//
// clang-format off
// | GET /?token=T     | sets the cookie, leads into the folder  |
// | GET /F/, NAME.js, page.css | the page                       |
// | GET /F/overview   | ?application=NAME                       |
// | GET /F/images     | ?application=NAME&from=N&count=N        |
// | GET /F/changes    | a stamp of all that is known            |
// | GET /F/functions  | ?image=PATH: the hottest ones           |
// | GET /F/difference | ?image=PATH&before=VERSION&after=VERSION |
// | GET /F/report     | ?image=PATH&version=VERSION             |
// | GET /F/explanation | the same and &function=NAME            |
// | GET /F/jobs       | what buttons have started               |
// | GET /F/log        | ?job=N                                  |
// | GET /F/doctor     | what this machine can do                |
// | POST /F/action    | Actions.h; answers with the job's number |
// | POST /F/cancel    | ?job=N                                  |
// clang-format on
//
//===----------------------------------------------------------------------===//

#include "Server.h"
#include "Actions.h"
#include "Connections.h"
#include "Environment/Actions/Doctor.h"
#include "JobProcess.h"
#include "Names.h"
#include "PageFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <httplib.h>
#include <sys/socket.h>

using namespace graupel;
using namespace graupel::ui;
using httplib::Request;
using httplib::Response;

/// An action is a few names.
static constexpr size_t LargestRequest = 1 << 16;
static constexpr size_t MostImages = 200;

static Credentials credentials(const Request &Q) {
  Credentials C;
  C.Method = Q.method;
  C.Path = Q.path;
  for (size_t I = 0; I < Q.get_header_value_count("Host"); ++I)
    C.Hosts.push_back(Q.get_header_value("Host", I));
  C.Origin = Q.get_header_value("Origin");
  C.Cookie = Q.get_header_value("Cookie");
  C.Token = Q.get_param_value("token");
  C.ActionToken = Q.get_header_value("X-Graupel-Action");
  return C;
}

static std::string text(const llvm::json::Value &V) {
  std::string Text;
  llvm::raw_string_ostream(Text) << V;
  return Text;
}

static llvm::json::Value wrong(llvm::Error Err) {
  return llvm::json::Object{
      {"error", llvm::json::fixUTF8(toString(std::move(Err)))}};
}

static void answer(Response &R, llvm::Expected<llvm::json::Value> V) {
  R.status = V ? 200 : 500;
  R.set_content(text(V ? std::move(*V) : wrong(V.takeError())),
                "application/json");
}

/// Puts a value into its place in the page. `<` would end an element; in JSON
/// it can be written in another way.
static void fill(std::string &Page, std::string_view Place,
                 const std::string &Value) {
  std::string Text;
  for (char C : Value)
    if (C == '<')
      Text += "\\u003c";
    else
      Text += C;
  Page.replace(Page.find(Place), Place.size(), Text);
}

/// A name in a request of the page, which got it from toPage().
static std::string named(const Request &Q, const char *Name) {
  return fromPage(Q.get_param_value(Name));
}

static size_t number(const Request &Q, const char *Name) {
  size_t N = 0;
  return llvm::to_integer(Q.get_param_value(Name), N, 10) ? N : 0;
}

Server::Server(environment::Locations Where, Guard G)
    : L(std::move(Where)), Doorman(std::move(G)), Known(L), HTTP(makeServer()) {
  HTTP->set_tcp_nodelay(true);
  HTTP->set_payload_max_length(LargestRequest);
  // Two servers at one port, as the library's default has it, would get each
  // other's requests.
  HTTP->set_socket_options([](int Socket) {
    const int Yes = 1;
    setsockopt(Socket, SOL_SOCKET, SO_REUSEADDR, &Yes, sizeof(Yes));
  });
  HTTP->set_default_headers(
      {{"Cache-Control", "no-store"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action "
        "'none'; "
        "frame-ancestors 'none'"}});
  HTTP->set_pre_routing_handler([this](const Request &Q, Response &R) {
    const auto Why = Doorman.refusal(credentials(Q));
    if (!Why) {
      trustConnection();
      return httplib::Server::HandlerResponse::Unhandled;
    }
    R.status = 403;
    R.set_content("graupel ui: " + *Why + "\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  addPage();
  addRoutes();
}

Server::~Server() = default;

void Server::addPage() {
  const std::string Folder = Doorman.folder();
  // Not a redirection: browsers would not send a strict cookie behind one that
  // a page of somebody else (or a mail, or a file) began.
  HTTP->Get("/", [this, Folder](const Request &, Response &R) {
    R.set_header("Set-Cookie", Doorman.setCookie());
    R.set_content("<!doctype html><html lang=\"en\"><title>Graupel</title>"
                  "<meta http-equiv=\"refresh\" content=\"0;url=" +
                      Folder + "/\">",
                  "text/html; charset=utf-8");
  });
  HTTP->Get(Folder + "/", [this](const Request &Q, Response &R) {
    std::string Page(pageFile("page.html"));
    fill(Page, "@ACTION@", Doorman.actionToken());
    auto First = Known.overview(named(Q, "application"));
    fill(Page, "@OVERVIEW@",
         text(First ? std::move(*First) : wrong(First.takeError())));
    R.set_content(Page, "text/html; charset=utf-8");
  });
  for (auto [Name, Type] : {std::pair("elements.js", "text/javascript"),
                            {"jobs.js", "text/javascript"},
                            {"charts.js", "text/javascript"},
                            {"versions.js", "text/javascript"},
                            {"images.js", "text/javascript"},
                            {"page.js", "text/javascript"},
                            {"page.css", "text/css"}})
    HTTP->Get(Folder + "/" + Name, [Name, Type](const Request &, Response &R) {
      R.set_content(std::string(pageFile(Name)),
                    std::string(Type) + "; charset=utf-8");
    });
}

void Server::addRoutes() {
  const std::string Folder = Doorman.folder();
  HTTP->Get(Folder + "/overview", [this](const Request &Q, Response &R) {
    answer(R, Known.overview(named(Q, "application")));
  });
  HTTP->Get(Folder + "/images", [this](const Request &Q, Response &R) {
    answer(R, Known.images(named(Q, "application"), number(Q, "from"),
                           std::min(number(Q, "count"), MostImages)));
  });
  HTTP->Get(Folder + "/changes", [this](const Request &, Response &R) {
    auto Changes = Known.changes();
    if (Changes)
      (*Changes->getAsObject())["jobs"] = Started.stamp();
    answer(R, std::move(Changes));
  });
  HTTP->Get(Folder + "/functions", [this](const Request &Q, Response &R) {
    answer(R, Known.functions(named(Q, "image")));
  });
  HTTP->Get(Folder + "/difference", [this](const Request &Q, Response &R) {
    answer(R, Known.difference(named(Q, "image"), Q.get_param_value("before"),
                               Q.get_param_value("after")));
  });
  HTTP->Get(Folder + "/report", [this](const Request &Q, Response &R) {
    answer(R, Known.report(named(Q, "image"), Q.get_param_value("version")));
  });
  HTTP->Get(Folder + "/explanation", [this](const Request &Q, Response &R) {
    answer(R, Known.explanation(named(Q, "image"), Q.get_param_value("version"),
                                named(Q, "function")));
  });
  addJobs();
}

void Server::addJobs() {
  const std::string Folder = Doorman.folder();
  HTTP->Get(Folder + "/jobs", [this](const Request &, Response &R) {
    answer(R, llvm::json::Object{{"jobs", Started.describe()},
                                 {"now", environment::now()}});
  });
  HTTP->Get(Folder + "/log", [this](const Request &Q, Response &R) {
    auto Lines = Started.log(int64_t(number(Q, "job")));
    if (Lines)
      answer(R, llvm::json::Object{{"log", std::move(*Lines)}});
    else
      answer(R, llvm::createStringError("this job is not known any more"));
  });
  HTTP->Post(Folder + "/cancel", [this](const Request &Q, Response &R) {
    if (Started.cancel(int64_t(number(Q, "job"))))
      answer(R, llvm::json::Object{});
    else
      answer(R, llvm::createStringError("this job has ended"));
  });
  HTTP->Get(Folder + "/doctor", [](const Request &, Response &R) {
    answer(R, environment::toJSON(environment::examineMachine()));
  });
  HTTP->Post(Folder + "/action", [this](const Request &Q, Response &R) {
    auto A = readAction(Q.body);
    if (!A) {
      answer(R, A.takeError());
      R.status = 400;
      return;
    }
    answer(R, llvm::json::Object{
                  {"job", Started.add(A->Title, jobProcess(Q.body),
                                      A->IsEndless ? Jobs::Queue::Beside
                                                   : Jobs::Queue::InTurn)}});
  });
}

bool Server::bind(int Port) {
  const int Got = Port ? (HTTP->bind_to_port("127.0.0.1", Port) ? Port : -1)
                       : HTTP->bind_to_any_port("127.0.0.1");
  Doorman.setPort(Got);
  return Got > 0;
}

void Server::serve() { HTTP->listen_after_bind(); }

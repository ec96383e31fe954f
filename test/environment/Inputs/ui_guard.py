# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the manager page what it must not answer; prints a line for each subject."""

import json
import os
import re
import socket
import sys
import time

from ui_server import Manager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)


def expect(what, status, answer, secret=None):
    if answer[0] != status or (secret and secret in answer[1] + answer[2]):
        sys.exit(f"{what}: {answer}")


with Manager() as m:
    m.enter()
    inside = m.folder
    paths = ["", "page.js", "page.css", "overview", "changes", "jobs", "doctor"]
    # There is no such application, image or job.
    wrong = ["images?application=app", "functions?image=/etc/passwd", "log?job=1",
             "difference?image=/etc/passwd&before=original&after=original",
             "report?image=/etc/passwd&version=../../graupel.db", "explanation?image=&version=&function="]

    for path in ["/", "/?token=", "/?token=" + "0" * 64, "/?token=" + m.token[:-1],
                 "/favicon.ico"] + [inside + p for p in paths + wrong + ["cancel?job=1"]]:
        for cookie in ("", "graupel=", "graupel=" + "0" * 64, m.cookie[:-1], "x" + m.cookie):
            for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
                expect(f"{method} {path} {cookie}", 403,
                       m.ask(path, method, Cookie=cookie), m.action)
    # The token in the address is for the entrance alone.
    expect("token inside", 403, m.ask(inside + "overview?token=" + m.token))
    print("without the token: refused")

    for path in paths + wrong:
        expect(path, 500 if path in wrong else 200,
               m.ask(inside + path, Cookie="a=b; " + m.cookie + "; c=d"), "root:")
    print("with it: answered")

    for host in ("example.com", "example.com:" + m.port, "127.0.0.1", "127.0.0.1:1", "localhost",
                 "127.0.0.1." + m.host, m.host + ".example.com", "[::1]:" + m.port, " "):
        expect("Host " + host, 403, m.ask(inside + "overview", host=host, Cookie=m.cookie))
        expect("Host " + host, 403, m.ask("/?token=" + m.token, host=host), m.cookie)
    head = f"GET {inside}overview HTTP/1.1\r\nConnection: close\r\nCookie: {m.cookie}\r\n"
    expect("no Host", 403, m.send(head + "\r\n"))
    expect("two Hosts", 403, m.send(head + f"Host: {m.host}\r\nHost: example.com\r\n\r\n"))
    expect("localhost", 200, m.ask(inside, host="localhost:" + m.port, Cookie=m.cookie))
    print("another host: refused")

    gc = json.dumps({"action": "gc"})
    for token in ({}, {"X_Graupel_Action": ""}, {"X_Graupel_Action": "0" * 64},
                  {"X_Graupel_Action": m.token}, {"X_Graupel_Action": m.cookie[8:]}):
        expect("action", 403, m.ask(inside + "action", "POST", gc, Cookie=m.cookie, **token))
    allowed = {"Cookie": m.cookie, "X_Graupel_Action": m.action}
    expect("no cookie", 403, m.ask(inside + "action", "POST", gc, X_Graupel_Action=m.action))
    for origin in ("http://example.com", "null", "https://" + m.host, "http://127.0.0.1:1"):
        expect("Origin " + origin, 403,
               m.ask(inside + "action", "POST", gc, Origin=origin, **allowed))
    expect("GET", 404, m.ask(inside + "action", **allowed))
    expect("PUT", 403, m.ask(inside + "action", "PUT", gc, **allowed))
    if json.loads(m.ask(inside + "jobs", Cookie=m.cookie)[2])["jobs"]:
        sys.exit("a refused action was done")
    print("actions without their token: refused")

    for bad in (" ", "[]", "{", '{"action": "none"}', '{"action": "optimize"}', '{"action": 1}',
                '{"action": "choose", "application": "a", "mode": "fast"}', '{"action": "use", "image": "/a"}',
                '{"action": "measure", "application": "a", "command": "a", "folder": "/", "rounds": 1}',
                '{"action": "watch", "application": "a", "every": "1"}'):
        answer = m.ask(inside + "action", "POST", bad, **allowed)
        expect(bad, 400, answer)
        if not json.loads(answer[2])["error"]:
            sys.exit(bad)
    expect("large", 413, m.ask(inside + "action", "POST", " " * 70000, **allowed))
    print("what is no action: said")

    def do(action):
        """The job, when it has ended."""
        expect("action", 200, m.ask(inside + "action", "POST", action, Origin="http://" + m.host, **allowed))
        begin = time.monotonic()
        while not (job := json.loads(m.ask(inside + "jobs", Cookie=m.cookie)[2])["jobs"][0])["ended"]:
            if time.monotonic() > begin + limit(60):
                sys.exit(job)
            time.sleep(0.05)
        return job

    job = do(gc)
    expect("cancel", 500, m.ask(inside + "cancel?job=1", "POST", " ", **allowed))
    expect("cancel without its token", 403, m.ask(inside + "cancel?job=1", "POST", Cookie=m.cookie))
    print("an action:", job["title"], "-", job["lines"][0].split(",")[0])

    # An application may have the name of another program.
    do('{"action": "register", "program": "/bin/true", "name": "sh"}')
    for command in ("sh -c 'touch executed'", "/bin/sh -c 'touch executed'"):
        job = do(json.dumps({"action": "measure", "application": "sh", "command": command, "folder": os.getcwd()}))
        if "the command has to start it" not in job["lines"][0] or os.path.exists("executed"):
            sys.exit(job)
    print("measures: nothing but the application")

    for path in ("/etc/passwd", "/../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "//etc/passwd",
                 inside + "../../etc/passwd", inside + "..%2f..%2fetc%2fpasswd", inside + "%2e%2e/%2e%2e/etc/passwd",
                 inside + "..\\..\\etc\\passwd", inside + "page.js/../../etc/passwd", inside + "page.js%00.css",
                 inside + "/etc/passwd", inside + ".%00./etc/passwd", inside + "graupel.db",
                 inside + "page.html", inside.upper(), inside[:-1], "/" + "../" * 40 + "etc/passwd"):
        expect(path, 404, m.ask(path, Cookie=m.cookie), "root:")
        expect(path, 403, m.ask(path), "root:")
    print("paths of files: there are none")

    status, head, _ = m.ask(inside, Cookie=m.cookie, Origin="http://" + m.host)
    for name, value in (("Content-Security-Policy", ".*default-src 'none'.*frame-ancestors 'none'.*"),
                        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                        ("Referrer-Policy", "no-referrer")):
        if not re.search(rf"^{name}: {value}\r?$", head, re.M):
            sys.exit(f"{name}: {head}")
    if "Access-Control" in head or "unsafe" in head:
        sys.exit(head)
    cookie = re.search("Set-Cookie: (.*)", m.ask("/?token=" + m.token)[1])[1]
    print("the cookie:", re.sub("[0-9a-f]{64}", "SECRET", cookie.strip()))

    # Of all addresses of this machine only one listens.
    with open("/proc/net/tcp") as table:
        mine = [l.split()[1] for l in table if l.split()[1].endswith(":%04X" % int(m.port))
                and l.split()[3] == "0A"]
    print("listens at:", *(socket.inet_ntoa(bytes.fromhex(a.split(":")[0])[::-1]) for a in mine))
print("Ctrl-C: status", m.status)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends the manager page what no browser would, and looks whether it still answers.

GRAUPEL_TEST_SEED: another seed than 1."""

import os
import random
import socket
import sys
import time

from ui_server import Manager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)

generator = random.Random(int(os.environ.get("GRAUPEL_TEST_SEED", "1")))


def connect(m, seconds=5):
    return socket.create_connection(("127.0.0.1", int(m.port)), seconds)


def throw(m, data):
    """Sends, and returns what comes before the other side has enough."""
    with connect(m) as s:
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            got = b""
            while part := s.recv(1 << 16):
                got += part
            return got
        except OSError:
            return b""


def broken(m):
    """Requests of which something is wrong; those who send them are not let in."""
    good = f"GET {m.folder} HTTP/1.1\r\nHost: {m.host}\r\nCookie: {m.cookie}\r\n\r\n".encode()
    for _ in range(150):
        data = bytearray(good)
        for _ in range(generator.randrange(1, 9)):
            at = generator.randrange(len(data))
            data[at:at + generator.randrange(3)] = generator.randbytes(generator.randrange(3))
        yield bytes(data)
    for size in (1, 100, 10000):
        yield generator.randbytes(size)
    host = f"Host: {m.host}\r\n".encode()
    yield b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * 10_000_000 + b"\r\n\r\n"
    yield b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 100_000 + b"\r\n"
    yield b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n" + host + b"\r\n"
    yield b"GET /?token=" + b"%00" * 5000 + b" HTTP/1.1\r\n" + host + b"\r\n"
    for length in (b"-1", b"99999999999999999999", b"10, 20", b"0x10", b"1e9"):
        yield b"POST / HTTP/1.1\r\n" + host + b"Content-Length: " + length + b"\r\n\r\nbody"
    yield b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"
    yield b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"
    yield b"POST / HTTP/1.1\r\n" + host + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\0\0"
    yield b"GET / HTTP/1.1\r\n" + host + b"Range: bytes=" + b"0-1," * 5000 + b"\r\n\r\n"
    yield b"GET / HTTP/1.1\r\n" + host + b"Upgrade: websocket\r\nConnection: upgrade\r\n\r\n"
    yield b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + generator.randbytes(500)
    yield b"CONNECT example.com:80 HTTP/1.1\r\n" + host + b"\r\n"
    yield b"GET http://example.com/ HTTP/1.1\r\n" + host + b"\r\n"


def answers(m, what):
    """The page still does, within what ui_server waits for."""
    status = m.ask(m.folder + "jobs", Cookie=m.cookie)[0]
    if status != 200:
        sys.exit(f"{what}: {status}")


with Manager() as m:
    m.enter()
    count = 0
    for data in broken(m):
        if m.action.encode() in throw(m, data) and m.cookie.encode() not in data:
            sys.exit(f"somebody was let in: {data[:200]}")
        count += 1
    answers(m, "broken requests")
    print(f"{count} broken requests: the page answers")

    idle = [connect(m) for _ in range(200)]
    for n, s in enumerate(idle):
        if n % 2:
            s.sendall(b"GET / HTTP/1.1\r\nHost: ")
    answers(m, "connections that say nothing")
    for s in idle:
        s.close()
    answers(m, "closed connections")
    print("200 connections that say nothing: the page answers")

    slow = []
    for _ in range(300):
        slow.append(connect(m))
        slow[-1].sendall(b"G")
    # Longer than the server waits for one that says nothing.
    for byte in b"ET / HTTP":
        for s in slow:
            try:
                s.sendall(bytes([byte]))
            except OSError:
                pass  # This machine was too slow to keep it open.
        begin = time.monotonic()
        answers(m, "slow connections")
        if time.monotonic() - begin > limit(2):
            sys.exit("slow connections keep the page waiting")
        time.sleep(0.5)
    for s in slow:
        s.close()
    print("300 connections of two bytes a second: the page answers")
print("Ctrl-C: status", m.status)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A bounded load for redis-server: deterministic batches of pipelined commands.

A batch ends with an ECHO of a marker; reading up to the marker's reply is far
cheaper than parsing replies, so the client rarely is the bottleneck.
"""

import hashlib
import os
import socket
import time

SCRIPT = "local n = redis.call('INCRBY', KEYS[1], ARGV[1]) return n % 7"


def _mixed(i, mix):
    """The commands of one step; every reply is independent of hash order and time."""
    k, v = f"{mix}{i % 997}", f"value-{i * 7919 % 100003}"
    if mix == "t":
        return (("SET", k, v), ("GET", k), ("INCR", f"n{i % 31}"), ("LPUSH", f"l{i % 13}", v),
                ("LTRIM", f"l{i % 13}", "0", "99"), ("HSET", f"h{i % 17}", k, v),
                ("HGET", f"h{i % 17}", k), ("EXISTS", k, "none"))
    return (("SET", k, v, "EX", "5000"), ("GETRANGE", k, "2", "9"), ("APPEND", k, "+"),
            ("MGET", k, f"{mix}{i * 3 % 997}", "none"), ("RPUSH", f"q{i % 11}", v, k),
            ("LRANGE", f"q{i % 11}", "0", "12"), ("LPOP", f"q{i % 11}"),
            ("SADD", f"s{i % 19}", k, v), ("SISMEMBER", f"s{i % 19}", v), ("SCARD", f"s{i % 19}"),
            ("ZADD", f"z{i % 7}", str(i * 31 % 1009), k), ("ZRANGE", f"z{i % 7}", "0", "9"),
            ("ZRANK", f"z{i % 7}", k), ("HINCRBY", f"h{i % 23}", k, "3"),
            ("HMGET", f"h{i % 23}", k, "none"), ("EVAL", SCRIPT, "1", f"c{i % 5}", "2"),
            ("DEL", f"{mix}{i * 5 % 997}"), ("SETRANGE", k, "4", "xyz"), ("TYPE", k))


TRAINING, REFERENCE = "t", "r"
STEPS_PER_BATCH = 60


class LoadError(Exception):
    """The server went away or never came."""


def encode(command):
    """One command in the server's wire protocol."""
    parts = [f"*{len(command)}\r\n"]
    parts += [f"${len(word)}\r\n{word}\r\n" for word in command]
    return "".join(parts).encode()


class Connection:
    """A client on the Unix socket `s` in a directory of any path length."""

    def __init__(self, directory, server, timeout):
        self.directory, self.server, self.timeout = directory, server, timeout

    def __enter__(self):
        deadline = time.monotonic() + self.timeout
        handle = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            while True:
                self.socket = socket.socket(socket.AF_UNIX)
                try:
                    # A socket path is limited to 107 bytes; the descriptor's is short.
                    self.socket.connect(f"/proc/self/fd/{handle}/s")
                    self.socket.settimeout(self.timeout)
                    return self
                except OSError:
                    self.socket.close()
                if os.waitid(os.P_PID, self.server.pid,
                             os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                    raise LoadError("the server ended before it answered")
                if time.monotonic() > deadline:
                    raise LoadError("the server does not answer")
                time.sleep(0.01)
        finally:
            os.close(handle)

    def __exit__(self, *_):
        self.socket.close()

    def exchange(self, payload, marker):
        """Send a batch and return its replies, which end with the marker."""
        self.socket.sendall(payload + encode(("ECHO", marker)))
        end = f"${len(marker)}\r\n{marker}\r\n".encode()
        received = bytearray()
        while not received.endswith(end):
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise LoadError("the server closed the connection")
            received += piece
        return received

    def shut_down(self):
        self.socket.sendall(encode(("SHUTDOWN", "NOSAVE")))
        while self.socket.recv(4096):
            pass


def drive(connection, mix, batches):
    """Run the load; returns the hash of all replies."""
    hasher = hashlib.sha256()
    for number in range(batches):
        first = number * STEPS_PER_BATCH
        payload = b"".join(encode(command) for i in range(first, first + STEPS_PER_BATCH)
                           for command in _mixed(i, mix))
        hasher.update(connection.exchange(payload, f"batch-{number}-done"))
    return hasher.hexdigest()

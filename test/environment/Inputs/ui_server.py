# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A manager page that runs, and requests that a browser would not make."""

import re
import signal
import socket
import subprocess


class Manager:
    """with Manager() as m: m.url, m.port; m.enter() gives m.folder, m.cookie, m.action"""

    def __enter__(self):
        self.process = subprocess.Popen(["graupel", "ui", "--no-browser"], text=True,
                                        stdout=subprocess.PIPE)
        self.url = self.process.stdout.readline().strip()
        self.port, self.token = re.fullmatch(
            r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{64})", self.url).groups()
        self.host = "127.0.0.1:" + self.port
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.status = self.process.wait(10)

    def ask(self, path, method="GET", body="", host=None, **headers):
        """Status, headers as they are, and text. A header's _ are for -."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or self.host}", "Connection: close"]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return self.send("\r\n".join(lines) + "\r\n\r\n" + body)

    def send(self, text):
        with socket.create_connection(("127.0.0.1", int(self.port)), 30) as s:
            s.sendall(text.encode("latin-1"))
            got = b""
            while part := s.recv(1 << 16):
                got += part
        head, _, body = got.decode(errors="replace").partition("\r\n\r\n")
        return int(head.split()[1]), head, body

    def enter(self):
        _, head, body = self.ask("/?token=" + self.token)
        self.cookie = re.search(r"Set-Cookie: (graupel=[0-9a-f]{64});", head)[1]
        self.folder = re.search(r"url=(/[0-9a-f]{64}/)", body)[1]
        self.action = re.search(r'graupel-action" content="([0-9a-f]{64})"',
                                self.ask(self.folder, Cookie=self.cookie)[2])[1]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chromium without a screen, driven through the pipes of its debugging protocol."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """with Browser() as b: b.open(path); b.evaluate(expression)"""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()

        def connect():
            # The browser reads commands from 3 and writes answers to 4.
            first, second = os.dup(to_read), os.dup(from_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--force-color-profile=srgb", f"--user-data-dir={self.profile.name}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=connect, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.session = 0, b"", None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)
        try:
            self.profile.cleanup()
        except OSError:
            pass  # Its helpers end a little later.

    def read(self):
        while b"\0" not in self.rest:
            got = os.read(self.source, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self.rest += got
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            message = self.read()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def size(self, width, height=900, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        """Loads a file; returns when it has, and has been painted."""
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.read())
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def go(self, url, expression, seconds=60):
        """Goes to an address, which may lead on to others, and waits."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait(expression, seconds)

    def wait(self, expression, seconds=60):
        """Until an expression is true."""
        start = time.monotonic()
        while time.monotonic() < start + limit(seconds):
            try:
                if self.evaluate(f"!!({expression})"):
                    return
            except RuntimeError:
                pass  # There is no such element yet, or another page comes.
            time.sleep(0.02)
        raise RuntimeError(f"not within {limit(seconds):.0f} s: {expression}; the page says: "
                           + self.evaluate("document.body.innerText"))

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", result))
        return result["result"].get("value")

    def press(self, key, code, text=None):
        for kind in ("keyDown", "keyUp"):
            parameters = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
            if text and kind == "keyDown":
                parameters["text"] = text
            self.call("Input.dispatchKeyEvent", **parameters)

    def complaints(self):
        """What scripts or the page complained of, and requests other than for the page."""
        bad = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Log.entryAdded"):
                bad.append(parameters)
            elif method == "Network.requestWillBeSent" and parameters.get("type") != "Document":
                bad.append(parameters["request"]["url"])
        return bad

    def picture(self, path, **clip):
        """All of the page, or a part: x, y, width, height."""
        parameters = {"captureBeyondViewport": True}
        if clip:
            parameters["clip"] = {**clip, "scale": 1}
        else:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters["clip"] = {"x": 0, "y": 0, "width": size["width"],
                                  "height": min(size["height"], 8000), "scale": 1}
        data = self.call("Page.captureScreenshot", **parameters)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

"""Chromium without a window, driven by its DevTools protocol through pipes."""
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
KEYS = {"Enter": (13, "\r"), " ": (32, " ")}


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="hiss-browser-")
        read, self._to = os.pipe()
        self._from, write = os.pipe()
        # the protocol's ends are 3 and 4
        self._process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" "$@" 3<&{read} 4>&{write}', PROGRAM,
             "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--disable-extensions",
             "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(read, write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self._number, self._session, self._bytes = 0, None, b""
        self.events = []
        page = next(one for one in self.call("Target.getTargets")
                    ["targetInfos"] if one["type"] == "page")
        self._session = self.call(
            "Target.attachToTarget", targetId=page["targetId"],
            flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.call(f"{part}.enable")

    def _message(self):
        while b"\0" not in self._bytes:
            more = os.read(self._from, 1 << 16)
            if not more:
                raise EOFError("the browser has ended")
            self._bytes += more
        one, self._bytes = self._bytes.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self._has("Page.loadEventFired"):
            self.events.append(self._message())

    def _has(self, *methods):
        return [one for one in self.events if one.get("method") in methods]

    def complaints(self):
        """What a page has written to the console, and its exceptions."""
        return self._has("Log.entryAdded", "Runtime.exceptionThrown",
                         "Runtime.consoleAPICalled")

    def run(self, script):
        out = self.call("Runtime.evaluate", expression=script,
                        returnByValue=True)
        if "exceptionDetails" in out:
            raise RuntimeError(out["exceptionDetails"])
        return out["result"].get("value")

    def press(self, key):
        code, text = KEYS[key]
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text,
                      windowsVirtualKeyCode=code)

    def close(self):
        self.call("Browser.close")
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self.profile, ignore_errors=True)

"""Headless Chromium, driven through its driver with the standard library alone."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage"]


class Browser:
    """Chromium behind its driver, on the loopback, with a profile that is thrown away."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.driver = subprocess.Popen([shutil.which("chromedriver"), "--port=" + self.address.rsplit(":", 1)[1]],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        options = {"args": FLAGS + ["--window-size=1200,900", f"--user-data-dir={folder}/profile"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        for attempt in range(100):
            try:
                self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                break
            except urllib.error.HTTPError:
                raise
            except OSError:
                time.sleep(0.1)
        self.path = f"/session/{self.session}"

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.address + path, method=method, headers={"Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def post(self, path, body):
        return self.ask("POST", self.path + path, body)

    def run(self, script):
        return self.post("/execute/sync", {"script": script, "args": []})

    def tools(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        return self.post("/se/log", {"type": kind})

    def open(self, page):
        self.post("/url", {"url": page.as_uri()})
        self.until("return document.documentElement.dataset.ready === 'true'")

    def until(self, script, seconds=20):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"It did not become true within {seconds} s: {script}")
            time.sleep(0.05)
        return value

    def mouse(self, *moves):
        """Pairs of a place and what is done there: None, 'down' or 'up'."""
        actions = []
        for (x, y), what in moves:
            actions.append({"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)})
            if what:
                actions.append({"type": f"pointer{what.title()}", "button": 0})
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                                            "actions": actions}]})

    def scheme(self, name):
        self.tools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def width(self, pixels):
        self.tools("Emulation.setDeviceMetricsOverride", width=pixels, height=900, deviceScaleFactor=1, mobile=pixels < 500)

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", self.path)
        finally:
            self.driver.terminate()
            self.driver.wait(10)

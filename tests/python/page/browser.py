"""A real browser, driven as a person would: pages open, the mouse moves and drags, keys are pressed.

Chromium is spoken to through its DevTools protocol over a pair of pipes, so nothing but Python is needed.
"""
import base64
import fcntl
import json
import os
import select
import signal
import time

FLAGS = """--headless --no-sandbox --remote-debugging-pipe --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-extensions --hide-scrollbars --mute-audio --use-gl=angle
--use-angle=swiftshader --enable-unsafe-swiftshader""".split()

# The browser's own services are not the page's: no name resolves, so nothing reaches them.
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"

# Advice of the browser that the tests bring about, as they look at pixels; nothing is wrong with the page.
ADVICE = "Canvas2D: Multiple readback operations using getImageData"


class Browser:
    """One browser; `open` gives pages."""

    def __init__(self, program, folder):
        reads, writes = os.pipe(), os.pipe()
        # The browser reads from its descriptor 3 and writes to 4; ours must not be among these.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in (*reads, *writes)]
        for end in (*reads, *writes):
            os.close(end)
        to_read, self.out, self.into, to_write = high
        log = os.open(folder / "browser.log", os.O_WRONLY | os.O_CREAT, 0o600)
        actions = [
            (os.POSIX_SPAWN_DUP2, to_read, 3),
            (os.POSIX_SPAWN_DUP2, to_write, 4),
            (os.POSIX_SPAWN_DUP2, log, 1),
            (os.POSIX_SPAWN_DUP2, log, 2),
        ]
        words = [program, *FLAGS, OFFLINE, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        self.process = os.posix_spawnp(program, words, os.environ, file_actions=actions, setpgroup=0)
        for end in (to_read, to_write, log):
            os.close(end)
        self.rest, self.count, self.events = b"", 0, []

    def call(self, method, session=None, timeout=120, **parameters):
        """Asks the browser for something; what it answers. Events that come meanwhile are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        end = time.monotonic() + timeout
        while True:
            answer = self.next(end)
            if answer is None:
                raise TimeoutError(f"{method} was not answered within {timeout} seconds")
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def next(self, end):
        """The next message, or nothing if none comes before `end`."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            more = os.read(self.into, 1 << 20)
            if not more:
                raise RuntimeError("the browser ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, address, width=1280, height=900, dark=False, mobile=False):
        """Opens an address in a new tab."""
        return Page(self, address, width, height, dark, mobile)

    def close(self):
        os.close(self.out)
        os.close(self.into)
        try:
            os.killpg(self.process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)


class Page:
    """A tab."""

    def __init__(self, browser, address, width, height, dark, mobile):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        scale = 2 if mobile else 1
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)
        if mobile:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.go(address)

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def go(self, address, timeout=120):
        """Goes to an address and waits until all of it is there; needs no scripts."""
        loader = self.call("Page.navigate", url=address)["loaderId"]
        wanted, seen, end = {"name": "load", "loaderId": loader}, 0, time.monotonic() + timeout
        while True:
            for event in self.browser.events[seen:]:
                if event["method"] == "Page.lifecycleEvent" and wanted.items() <= event["params"].items():
                    return
            seen, event = len(self.browser.events), self.browser.next(end)
            if event is None:
                raise TimeoutError(f"{address} was not there within {timeout} seconds")
            self.browser.events.append(event)

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, expression, timeout=240):
        """Waits until an expression is true, and gives its value."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"not within {timeout} seconds: {expression}\n{self.complaints()}")

    def mine(self, *methods):
        self.evaluate("0")
        events = self.browser.events
        return [event["params"] for event in events if event.get("sessionId") == self.session and event["method"] in methods]

    def complaints(self):
        """What the page logged as a warning or an error, and exceptions that nobody caught."""
        thrown = [event["exceptionDetails"] for event in self.mine("Runtime.exceptionThrown")]
        texts = [details.get("exception", {}).get("description") or details["text"] for details in thrown]
        for event in self.mine("Runtime.consoleAPICalled"):
            if event["type"] in ("warning", "error", "assert"):
                texts.append(" ".join(str(part.get("value", part.get("description"))) for part in event["args"]))
        texts += [event["entry"]["text"] for event in self.mine("Log.entryAdded") if event["entry"]["level"] in ("warning", "error")]
        return [text for text in texts if not text.startswith(ADVICE)]

    def requests(self):
        """The network addresses that the page asked for."""
        addresses = [event["request"]["url"] for event in self.mine("Network.requestWillBeSent")]
        return [address for address in addresses if address.split(":")[0] not in ("file", "data", "blob", "about")]

    def mouse(self, kind, x, y, buttons=0):
        button = "left" if buttons or kind == "mouseReleased" else "none"
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=int(kind != "mouseMoved"))

    def move(self, x, y):
        """Moves the pointer there in two steps, as hovering needs a movement."""
        self.mouse("mouseMoved", x - 3, y - 3)
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.move(x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def drag(self, path):
        """Drags the pointer along a path with the button held."""
        self.move(*path[0])
        self.mouse("mousePressed", *path[0], 1)
        for (x0, y0), (x1, y1) in zip(path, path[1:]):
            for part in (0.25, 0.5, 0.75, 1):
                self.mouse("mouseMoved", x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, 1)
        self.mouse("mouseReleased", *path[-1])

    def key(self, name):
        """Presses a key such as Tab, Enter or ArrowDown."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40}
        text = {"text": "\r"} if name == "Enter" else {}
        common = {"key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, full=False):
        """A picture of the window, or of the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        return base64.b64decode(answer["data"])

    def pdf(self):
        answer = self.call("Page.printToPDF", printBackground=False)
        return base64.b64decode(answer["data"])

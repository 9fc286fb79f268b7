"""The page that `truefold demo` writes, opened in a real browser.

The page's contract: it stands alone (no request leaves it), it logs nothing, every picture is a `<figure>` that draws
all points as circles, and the measures are in a `<table>`.
"""
import json
import os
import re
import subprocess

import pytest

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --hide-scrollbars --window-size=1280,1600 --virtual-time-budget=10000
--enable-logging=stderr --v=0""".split()

# The browser's own services are not the page's: no name resolves, so nothing reaches them.
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"

# What the page loads, in attributes that fetch: a link that a reader may click is no request.
FETCHED = re.compile(r"""<(?!a\b)[a-z][^>]*?\s(?:src|href)\s*=\s*["']?(https?:)?//""", re.IGNORECASE)


@pytest.fixture
def browse(tmp_path):
    """Opens a file in the browser; the page as it stands after its scripts, what they logged, and what was requested."""
    browser = os.environ.get("CHROMIUM", "")
    if not browser:
        pytest.skip("CHROMIUM is not set to a browser; `cargo xtask test` finds or installs one")

    def browse(page, *flags):
        log = tmp_path / "requests.json"
        done = subprocess.run(
            [browser, *FLAGS, OFFLINE, f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={log}", *flags, page.as_uri()],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return done.stdout, console, requested(log)

    return browse


def requested(log):
    """The network addresses that a page asked for; what the browser asks for on its own account has no origin."""
    starts = [event.get("params", {}) for event in json.loads(log.read_text())["events"]]
    pages = [start for start in starts if start.get("initiator", "not an origin") != "not an origin"]
    return sorted({start["url"] for start in pages if re.match("(https?|wss?):", start.get("url", ""))})


@pytest.fixture
def demo(run, tmp_path):
    """Runs the demo in a fresh folder; its page and what it printed."""
    done = run("demo")
    page = tmp_path / "truefold-demo" / "report.html"
    assert page.is_file(), done.stdout
    return page, done.stdout


def test_the_check_itself_sees_errors_and_requests(browse, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text('<p>start</p><img src="http://127.0.0.1:9/x.png"><script>document.body.append("drawn"); nothing.here()</script>')
    dom, console, requests = browse(page, "--dump-dom")
    assert "drawn" in dom
    assert any("nothing is not defined" in line for line in console)
    assert requests == ["http://127.0.0.1:9/x.png"]
    assert FETCHED.search(dom)


def test_the_demo_page_draws_without_errors_or_requests(browse, demo):
    page, printed = demo
    dom, console, requests = browse(page, "--dump-dom")
    assert console == []
    assert requests == []
    assert not FETCHED.search(dom)
    announced = re.search(r"([\d,]+) points", printed)
    assert announced, printed
    pictures = re.findall(r"<figure.*?</figure>", dom, re.DOTALL)
    assert pictures
    for picture in pictures:
        assert picture.count("<circle") == int(announced[1].replace(",", ""))
    table = re.search(r"<table.*?</table>", dom, re.DOTALL)
    assert table, "the page has no table"
    assert "R_N" in table[0]


def test_the_demo_page_is_not_blank(browse, demo, tmp_path):
    picture = tmp_path / "page.png"
    browse(demo[0], f"--screenshot={picture}")
    assert picture.read_bytes().startswith(b"\x89PNG")
    # A blank page of this size packs into a few thousand bytes.
    assert picture.stat().st_size > 20_000


def test_the_demo_writes_where_it_is_told(run, tmp_path):
    run("demo", "--output", tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "report.html").is_file()

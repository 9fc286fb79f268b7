"""What the tests of pages share: a browser, pages of built-in data, and a visit that fails where the page complains."""
import os
import subprocess
from pathlib import Path

import pytest
from browser import Browser
from reader import ALL_DRAWN, put_back


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """The browser."""
    program = os.environ.get("CHROMIUM", "")
    if not program:
        pytest.skip("CHROMIUM is not set to a browser; `cargo xtask test` finds or installs one")
    browser = Browser(program, tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def sample(tool, tmp_path_factory):
    """Writes a page of built-in data through the library's own example, once each; its path."""
    example = Path(tool).parent / "examples" / "sample_report"
    written = {}

    def sample(kind, points):
        if (kind, points) not in written:
            page = tmp_path_factory.mktemp("page") / "report.html"
            done = subprocess.run([example, kind, str(points), page], capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, done.stderr
            written[kind, points] = page
        return written[kind, points]

    return sample


@pytest.fixture(scope="module")
def tabs(browser):
    """Pages that several tests share, by path."""
    tabs = {}
    yield tabs
    for page in tabs.values():
        browser.call("Target.closeTarget", targetId=page.target)


@pytest.fixture
def visit(browser, tabs):
    """Opens a page and waits until everything in the window is drawn; what it logged or asked for fails the test.

    `shared=True` gives the page that other tests had before, with nothing selected, zoomed or pointed at: it is for
    tests that leave colors, window and keyboard alone.
    """
    visited = []

    def visit(path, shared=False, **options):
        page = tabs.get(path) if shared else None
        if page is None:
            page = browser.open(path.as_uri(), **{"height": 2400, **options})
            page.wait(ALL_DRAWN)
            if shared:
                tabs[path] = page
        else:
            put_back(page)
        visited.append(page)
        return page

    yield visit
    for page in visited:
        assert page.complaints() == []
        assert page.requests() == []
        if page not in tabs.values():
            browser.call("Target.closeTarget", targetId=page.target)


@pytest.fixture
def demo(run, tmp_path):
    """Runs the demo in a fresh folder; its page and what it printed."""
    done = run("demo")
    page = tmp_path / "truefold-demo" / "report.html"
    assert page.is_file(), done.stdout
    return page, done.stdout

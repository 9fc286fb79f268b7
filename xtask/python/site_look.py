"""Looks at pages of a built site in light, dark and at the width of a phone, and leaves pictures.

    python site_look.py CHROMIUM SITE PICTURES

A page must ask for nothing from a network, complain about nothing, and not be wider than its window; its search must find.
"""
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "python" / "page"))
from browser import Browser  # noqa: E402

PAGES = ("index", "gallery", "tutorials/trust-a-cluster", "methods", "reference-python", "rust/truefold/index", "gallery/digits")
VIEWS = {"light": {}, "dark": {"dark": True}, "phone": {"width": 390, "height": 844, "mobile": True}}
WIDTH = "[document.documentElement.scrollWidth, window.innerWidth]"


def look(browser, site, pictures):
    for name in PAGES:
        for view, window in VIEWS.items():
            page = browser.open((site / f"{name}.html").as_uri(), **window)
            where = f"{name} ({view})"
            assert not page.requests(), f"{where} asks a network for {page.requests()}"
            assert not page.complaints(), f"{where}: {page.complaints()}"
            # Pages of other programs are as wide as they make them.
            if not name.startswith(("rust/", "gallery/")):
                page_width, window_width = page.evaluate(WIDTH)
                assert page_width <= window_width, f"{where} is {page_width} wide in a window of {window_width}"
            if name.startswith("gallery/"):
                page.wait("[...document.querySelectorAll('#panels figure')].every((figure) => figure.dataset.drawn)")
            (pictures / f"{name.replace('/', '-')}-{view}.png").write_bytes(page.screenshot())


def search(browser, site, pictures):
    page = browser.open((site / "search.html").as_uri() + "?q=trustworthiness")
    # Results appear one after the other.
    page.wait("document.querySelectorAll('#search-results li').length >= 2")
    (pictures / "search.png").write_bytes(page.screenshot())


def main(program, site, pictures):
    site, pictures = Path(site).resolve(), Path(pictures)
    with TemporaryDirectory() as folder:
        browser = Browser(program, Path(folder))
        try:
            look(browser, site, pictures)
            search(browser, site, pictures)
        finally:
            browser.close()
    print(f"looked at {len(PAGES)} pages in {len(VIEWS)} ways, and searched")


if __name__ == "__main__":
    main(*sys.argv[1:])

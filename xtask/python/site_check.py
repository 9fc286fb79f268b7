"""Checks a built site: every link leads somewhere, and nothing is loaded from a network.

    python site_check.py SITE
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What the pages of cargo and the report pages make in their own way is checked by their own tests: only that they are there.
FOREIGN = ("rust/", "gallery/")
# The elements whose address a browser fetches by itself.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src")}
# Links that are only told to search engines.
TOLD = {"canonical", "next", "prev", "search", "index", "author"}


class Addresses(HTMLParser):
    """The addresses of a page, and the places in it that others may name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        told = tag == "link" and set((given.get("rel") or "").split()) & TOLD
        for name in ("href", "src"):
            if given.get(name):
                self.links.append((given[name], (tag, name) in LOADED and not told))


def faults(site):
    pages = {path.relative_to(site).as_posix(): Addresses(path.read_text("utf-8")) for path in site.rglob("*.html")
             if not path.relative_to(site).as_posix().startswith(FOREIGN)}
    for name, page in sorted(pages.items()):
        for link, loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") or parts.netloc:
                if loaded:
                    yield f"{name}: loads {link} from a network"
                continue
            if parts.scheme:
                if parts.scheme not in ("data", "mailto"):
                    yield f"{name}: {link} has an unknown kind"
                continue
            place = (site / name).parent / unquote(parts.path) if parts.path else site / name
            place = place / "index.html" if place.is_dir() else place
            if not place.exists():
                yield f"{name}: {link} leads nowhere"
                continue
            there = pages.get(place.resolve().relative_to(site).as_posix())
            if there and unquote(parts.fragment) not in there.places:
                yield f"{name}: {link} names a place that is not on that page"
    for style in site.rglob("*.css"):
        if "url(http" in style.read_text("utf-8").replace('"', "").replace("'", ""):
            yield f"{style.relative_to(site)}: loads from a network"
    if len(pages) < 30:
        yield f"the site has only {len(pages)} pages"


def main(site):
    found = list(faults(Path(site).resolve()))
    print("\n".join(found) or "every link leads somewhere, and nothing is loaded from a network")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

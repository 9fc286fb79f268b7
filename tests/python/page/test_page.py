"""The pages that the tool and its library write, opened in a real browser.

The page's contract: it stands alone (no request leaves it), it logs nothing, every embedding is a `<figure>` whose
attribute `data-drawn` tells how many points are drawn, and the measures are in a `<table>`.
"""
import json
import re

import pandas as pd
from reader import ALL_DRAWN, choose

# What the page loads, in attributes that fetch: a link that a reader may click is no request.
FETCHED = re.compile(r"""<(?!a\b)[a-z][^>]*?\s(?:src|href)\s*=\s*["']?(https?:)?//""", re.IGNORECASE)


def test_the_check_itself_sees_errors_and_requests(browser, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text('<p>start</p><img src="http://127.0.0.1:9/x.png"><script>document.body.append("drawn"); nothing.here()</script>')
    page = browser.open(bad.as_uri())
    assert "drawn" in page.evaluate("document.body.textContent")
    assert any("nothing is not defined" in text for text in page.complaints())
    assert page.requests() == ["http://127.0.0.1:9/x.png"]
    assert FETCHED.search(bad.read_text())


def test_the_demo_page_draws_without_errors_or_requests(visit, demo):
    path, printed = demo
    page = visit(path)
    assert not FETCHED.search(path.read_text())
    announced = re.search(r"([\d,]+) points", printed)
    assert announced, printed
    drawn = page.evaluate("[...document.querySelectorAll('#panels figure')].map((figure) => Number(figure.dataset.drawn))")
    assert len(drawn) > 2
    assert set(drawn) == {int(announced[1].replace(",", ""))}
    assert "R_N" in page.evaluate("document.querySelector('table').textContent")


def test_the_policy_forbids_requests(browser, sample):
    page = browser.open(sample("kinds", 600).as_uri())
    page.wait(ALL_DRAWN.replace("every", "some"))
    blocked = "new Promise((done) => { document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective)); %s })"
    assert page.evaluate(blocked % "fetch('http://127.0.0.1:9/').catch(() => {})") == "connect-src"
    assert page.evaluate(blocked % "new Image().src = 'http://127.0.0.1:9/x.png'") == "img-src"


def test_text_that_looks_like_markup_stays_text(visit, sample):
    page = visit(sample("kinds", 600))
    choose(page, "color", "label")
    assert "<script>alert(1)" in page.evaluate("document.getElementById('legend').textContent")
    assert page.evaluate("[...document.scripts].filter((script) => script.textContent.startsWith('alert')).length") == 0


def test_without_scripts_the_table_and_a_note_are_there(browser, sample):
    path = sample("maps", 500)
    page = browser.open("about:blank")
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.go(path.as_uri())
    root = page.call("DOM.getDocument", depth=-1)["root"]["nodeId"]
    text = page.call("DOM.getOuterHTML", nodeId=root)["outerHTML"]
    assert "need scripts" in text and "from the side" in text and "<table>" in text
    assert not re.search(r"<div[^>]*id=\"toolbar\"(?![^>]*hidden)", text)


def test_the_run_can_be_read_by_machines(sample):
    text = sample("maps", 500).read_text()
    facts = json.loads(re.search(r'<script type="application/json" id="facts">(.*?)</script>', text, re.DOTALL)[1])
    assert facts["command"].startswith("sample_report maps 500") and facts["seed"] == 1


def test_too_many_points_are_sampled_and_all_values_are_beside(visit, sample):
    path = sample("map", 200_500)
    page = visit(path, height=900)
    assert page.evaluate("document.getElementById('panel-0').dataset.drawn") == "200000"
    note = page.evaluate("document.getElementById('sample').textContent")
    assert "200,000 of 200,500 points" in note and "report.parquet" in note
    values = pd.read_parquet(path.with_name("report.parquet"))
    assert len(values) == 200_500
    assert {"row", "arc_length", "unrolled y1", "unrolled y2", "unrolled r_n"} <= set(values.columns)


def test_the_demo_writes_where_it_is_told(run, tmp_path):
    run("demo", "--output", tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "report.html").is_file()

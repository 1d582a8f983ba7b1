"""What pages of one actor, group or bot have to say: facts, ranks, a timeline, and what was sent."""

import json
import re
from datetime import datetime
from typing import Any

from playwright.sync_api import Locator

from harness.browser.numbers import Reading, Told

FIRST = 20
"""So many events stand on a timeline at first."""
_DETAILS = "card => [...card.querySelectorAll('ol > li')].map(each => each.firstElementChild.children[3].innerText)"
_LINES = "json => json.innerText.split('\\n').map(line => line.trim())"


def day(t: str) -> str:
    """A day as pages write it."""
    at = datetime.fromisoformat(t)
    return f"{at.day} {at:%b %Y}"


def check_facts(reading: Reading, facts: dict[str, tuple[Any, Any]]) -> None:
    """Fails unless the facts of a profile are these: for each label the value, and the line below it."""
    within = reading.page.get_by_role("main").locator("dl").filter(has_text=next(iter(facts))).first
    rows = [[label, value, below] for label, (value, below) in facts.items()]
    # The year stands beside the day, smaller.
    dated = [[label, value[:-5] if isinstance(value, str) else value, below] for label, value, below in rows]
    reading.cells(within, dated, row=":scope > div", cells=["dt", "dd > span", "dd > p"])


def check_ranks(reading: Reading, title: str, counts: dict[str, int], total: int) -> None:
    """Fails unless a card ranks these, with their share of a total."""
    ranks = reading.page.get_by_role("list", name=title, exact=True)
    rows = [[label, Told(count), Told(count / total, "share")] for label, count in counts.items()]
    reading.cells(ranks, rows, row="li", cells=["[data-reach]", "b", "em"])


def check_properties(where: Locator, properties: dict[str, Any]) -> None:
    """Fails unless JSON on a page has every digit that was sent."""
    lines = where.evaluate(_LINES)
    found = dict(re.findall(r'^"(\w+)": (.*?),?$', "\n".join(lines), re.MULTILINE))
    assert {key: json.loads(text) for key, text in found.items()} == properties


def check_timeline(reading: Reading, title: str, events: list[Any], *, of: int, besides: str) -> None:
    """Fails unless a timeline shows the newest events, each with its first properties as they were sent."""
    card = reading.page.get_by_role("main").get_by_role("region", name=title, exact=True)
    newest = events[:FIRST]
    shown = card.evaluate(_DETAILS)
    assert len(shown) == len(newest)
    for text, event in zip(shown, newest, strict=True):
        sent = [(key, value) for key, value in event["properties"].items() if key != besides][:3]
        said = [part.rpartition(" ") for part in text.split(" · ")] if text else []
        assert [(key, _as_sent(value, sent)) for key, _, value in said] == sent, text
    more = len(events) - FIRST
    if more > 0:
        reading.says(card.get_by_role("button", name=re.compile("^Show .* more$")), "Show {} more", Told(more))
    if of > len(newest):
        reading.says(card.get_by_text(re.compile("^newest ")), "newest {}", Told(len(newest)))
    card.evaluate("each => { each.dataset.compared = '' }")


def _as_sent(text: str, sent: list[tuple[str, Any]]) -> Any:
    is_text = any(value == text for _, value in sent)
    return text if is_text else json.loads(text)


def check_newest_properties(reading: Reading, events: list[Any]) -> None:
    """Fails unless the newest value of each property stands there as it was sent."""
    newest: dict[str, Any] = {}
    for event in events:
        for key, value in event["properties"].items():
            newest.setdefault(key, value)
    within = reading.page.get_by_role("main").get_by_role("region", name="Latest properties").locator("dl")
    found = dict(
        within.evaluate("list => [...list.children].map(each => [...each.children].map(part => part.innerText))")
    )
    within.evaluate("each => { each.dataset.compared = '' }")
    shown = {key: text if isinstance(newest[key], str) else json.loads(text) for key, text in found.items()}
    assert shown == dict(list(newest.items())[:12])

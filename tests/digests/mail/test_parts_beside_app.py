"""Emails say of a random answer what the web app says: the same changes, percentages and lengths of time.

The rule is rules/digests#numbers.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from harness.builders.random_answers import RandomCard, random_card
from harness.oracles.app_content import parse_html, read_big_numbers, read_funnel_bars
from harness.servers.app_code import AppCode
from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.dashboards.kinds.kpi.question import Kpi
from tallyroom.dashboards.mail.contents import BigNumber, MailTable
from tallyroom.dashboards.widgets.configs import find_kind, read_stored_config
from tallyroom.digests.mail.parts import build_mail_widget, build_part
from tallyroom.queries.config import DisplayOptions
from tallyroom.queries.metric_answers import Counter

SHORT, LONG = range(90), range(3_000)  # numbers of cards, of which half are charts over time
MOOD_BY_TONE = {"better": "good", "worse": "bad", "": "neutral"}


def build_contents(card: RandomCard) -> Any:
    """Return what an email shows of a card."""
    display = {name: getattr(card.display, name) for name in DisplayOptions.__struct_fields__ if name != "colors"}
    fields: dict[str, Any] = {"event": "visit", "measure": "count"}
    if isinstance(card.result, Kpi):
        goods: Sequence[str | None] = card.display.goods or [None] * len(card.result.items)
        goals = card.display.goals or [None] * len(goods)
        fields = {"items": [fields | {"good": good, "goal": goal} for good, goal in zip(goods, goals, strict=True)]}
    elif isinstance(card.result, Funnel):
        fields = {"steps": [{"event": step.event} for step in card.result.steps]}
    kind = find_kind(card.type)
    config = read_stored_config(kind, msgspec.json.encode(fields | {"display": display}).decode())
    return build_part(kind, build_mail_widget(kind, "Visits", config, card.timezone), card.result).contents


def find_differences(card: RandomCard, app_code: AppCode) -> Iterator[str]:
    contents = build_contents(card)
    shown = parse_html(app_code.draw(card.public_widget, size=(900, 200), timezone=card.timezone))
    if isinstance(card.result, Funnel):
        yield from compare_steps(contents, shown)
        return
    for content, number in zip(contents, read_big_numbers(shown), strict=True):
        assert isinstance(content, BigNumber)
        change = content.change
        if (change.short_text if change else "") != number.change:
            yield f"{change} and {number.change}"
        if change and change.mood != MOOD_BY_TONE[number.mood]:
            yield f"{change} is {number.mood}"
        if (content.value == "–") != (number.number == "–") or (content.goal is None) != (number.goal == ""):
            yield f"{content} and {number}"


def compare_steps(contents: Any, shown: Any) -> Iterator[str]:
    [table] = contents
    assert isinstance(table, MailTable)
    steps = read_funnel_bars(shown)
    if [(row[1], row[2]) for row in table.rows] != [(step.number, step.share) for step in steps]:
        yield f"{table.rows} and {steps}"
    if list(table.row_notes) != [step.outcome for step in steps]:
        yield f"{table.row_notes} and {steps}"


def list_cards(numbers: range) -> list[RandomCard]:
    cards = [random_card(number) for number in numbers]
    return [card for card in cards if isinstance(card.result, Counter | Kpi | Funnel)]


@pytest.mark.parametrize("card", list_cards(SHORT), ids=lambda card: str(card.number))
def test_an_email_has_the_words_of_the_app(card: RandomCard, app_code: AppCode) -> None:
    assert [*find_differences(card, app_code)] == []


@pytest.mark.long
def test_an_email_has_the_words_of_the_app_at_length(app_code: AppCode) -> None:
    cards = list_cards(LONG)
    faults = {card.number: faults for card in cards if (faults := [*find_differences(card, app_code)])}
    assert faults == {}

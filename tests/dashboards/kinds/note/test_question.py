"""A note answers its text without a query, and the public may know it."""

import pytest

from harness.stores.questions import checked, question
from tallyroom.dashboards.kinds.note.kind import NOTE
from tallyroom.dashboards.kinds.note.question import Note

NOTED = checked(NOTE, {"text": "**bold**", "display": {"legend": False}})


def test_it_answers_its_text() -> None:
    with pytest.raises(StopIteration) as ended:
        next(NOTE.build_query_plan(NOTED, question("7d")))
    assert ended.value.value == Note(text="**bold**")
    assert NOTE.build_public_result(NOTED, ended.value.value, []) == Note(text="**bold**")


def test_a_public_page_knows_its_text() -> None:
    display = NOTE.build_display(NOTED)
    assert (display.text, display.legend) == ("**bold**", False)
